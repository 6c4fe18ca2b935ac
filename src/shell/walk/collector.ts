import { isWithin } from "../../text/index.ts";
import {
  type Assign,
  type Effect,
  type ExecuteEffect,
  type Span,
  type Word,
  type WriteEffect,
} from "../../core/index.ts";
import { weakerClass, type CommandClass } from "../command-class.ts";
import { writesFloor } from "./floor.ts";
import type { Redirection } from "../parse/syntax.ts";
import type { Folders } from "./current-directories.ts";
import type { Argument } from "../words/words.ts";

export type InvocationContext =
  | "list"
  | "pipe"
  | "subshell"
  | "substitution"
  | "function"
  | "branch"
  | "loop"
  | "heredoc";

/** One program that would run, wherever in the text it stands. */
export interface Invocation {
  /** The program's name without its folder, or undefined while it is not known. */
  readonly name: string | undefined;
  readonly argv: readonly Argument[];
  readonly assigns: readonly { readonly name: string; readonly value: Argument }[];
  readonly redirects: readonly Redirection[];
  readonly context: InvocationContext;
  readonly span: Span;
  /** What starts it, outermost first. */
  readonly via: readonly string[];
}

export type FindingRule = "floor" | "high-risk" | "refused";

/** Something about a command that stands in the way of running it unasked. */
export interface ShellFinding {
  readonly rule: FindingRule;
  readonly text: string;
  readonly span: Span;
}

/** Gathers what a text would do, each thing once. */
export interface Collector {
  readonly invocations: Invocation[];
  readonly effects: Effect[];
  readonly findings: ShellFinding[];
  commandClass: CommandClass | undefined;
  /** What the command does where no part of it says so: a search in what `printf` prints. */
  filterClass: CommandClass | undefined;
  /** Whether anything but reading happens, or may happen. */
  changes: boolean;
  hasUnknown: boolean;
  hasWrite: boolean;
  readonly seen: Set<string>;
}

export function newCollector(): Collector {
  return {
    invocations: [],
    effects: [],
    findings: [],
    commandClass: undefined,
    filterClass: undefined,
    changes: false,
    hasUnknown: false,
    hasWrite: false,
    seen: new Set(),
  };
}

export function addFinding(
  collector: Collector,
  rule: FindingRule,
  about: { text: string; span: Span },
): void {
  const { text, span } = about;
  const key = `${rule} ${span.start} ${span.end} ${text}`;
  if (collector.seen.has(key)) return;
  collector.seen.add(key);
  collector.findings.push({ rule, text, span });
}

/** Which program does it, and which of its words makes it do so. */
interface Cause {
  readonly by?: Span;
  readonly through?: string | undefined;
}

export function addClass(collector: Collector, to: CommandClass | undefined): void {
  collector.commandClass = weakerClass(collector.commandClass, to);
}

/** Marks that something cannot be told. */
export function addUnknown(
  collector: Collector,
  because: string,
  from: { origin: string; span: Span } & Cause,
): void {
  const { origin, span } = from;
  collector.changes = true;
  collector.hasUnknown = true;
  const key = `unknown ${origin} ${span.start} ${span.end} ${from.through ?? "by itself"} ${because}`;
  if (collector.seen.has(key)) return;
  collector.seen.add(key);
  collector.effects.push({ kind: "unknown", because, origin, span, ...byOf(from) });
}

export function addRead(
  collector: Collector,
  path: string,
  at: { scope: "file" | "tree"; span: Span; by?: Span },
): void {
  if (/^\/dev\/(?:null|stdin|zero|tty|fd(?:\/|$)|u?random$)/u.test(path)) return;
  const key = `read ${at.scope} ${path} ${placeOf(at)}`;
  if (collector.seen.has(key)) return;
  collector.seen.add(key);
  collector.effects.push({ kind: "read", path, scope: at.scope, span: at.span, ...byOf(at) });
}

const harmlessDevice = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/u;

export function addWrite(
  collector: Collector,
  path: string,
  how: { change: WriteEffect["change"]; scope: "file" | "tree"; span: Span } & Cause,
): void {
  const { change, scope, span } = how;
  if (change !== "delete" && harmlessDevice.test(path)) return;
  collector.changes = true;
  collector.hasWrite = true;
  const floor = writesFloor(path, scope);
  if (floor !== undefined) addFinding(collector, "floor", { text: floor, span });
  const key = `write ${change} ${scope} ${path} ${placeOf(how)}`;
  if (collector.seen.has(key)) return;
  collector.seen.add(key);
  collector.effects.push({ kind: "write", path, scope, change, span, ...byOf(how) });
}

export function addConnect(
  collector: Collector,
  host: string,
  at: { port?: number; span: Span; by?: Span; asks: boolean },
): void {
  const { port, span, asks } = at;
  if (!asks) collector.changes = true;
  const key = `connect ${host} ${port ?? ""} ${placeOf(at)}`;
  if (collector.seen.has(key)) return;
  collector.seen.add(key);
  const connect = port === undefined ? { host } : { host, port };
  collector.effects.push({ kind: "connect", ...connect, span, ...byOf(at) });
}

/** A rule may cover what one program does and not the next, so the same path of another is another effect. */
function placeOf({ by, through }: Cause): string {
  return by === undefined ? "" : `${by.start} ${by.end} ${through ?? ""}`;
}

function byOf({ by, through }: Cause): { readonly by?: Span; readonly through?: string } {
  if (by === undefined) return {};
  return through === undefined ? { by } : { by, through };
}

/** What is said of a program only once it has been judged. */
export interface Started {
  /** It may do anything. */
  readonly open: () => void;
  /** It works there as well: in a folder, or by a file. */
  readonly worksIn: (place: Folders) => void;
}

/** Lists a program that runs, in the folders given; the rest is said later, through the result. */
export function addExecute(
  collector: Collector,
  invocation: Invocation,
  place: { readonly folders: Folders; readonly cwd: string; readonly workspace: string },
): Started {
  const index = collector.effects.length;
  const { argv, assigns, via, span } = invocation;
  let effect: ExecuteEffect = {
    kind: "execute",
    argv: argv.map(coreWord),
    assigns: assigns.map(coreAssign),
    via,
    consequences: "listed",
    span,
  };
  collector.effects.push(effect);
  const change = (changed: Partial<ExecuteEffect>): void => {
    effect = { ...effect, ...changed };
    collector.effects[index] = effect;
  };
  const started: Started = {
    open: () => change({ consequences: "open" }),
    worksIn: (more) => {
      const before = effect.worksIn ?? [];
      if (before === "unknown") return;
      if (more === undefined) change({ worksIn: "unknown" });
      else change({ worksIn: [...new Set([...before, ...more])] });
    },
  };
  const { folders, cwd, workspace } = place;
  const isOwn = folders?.length === 1 && folders[0] === cwd && isWithin(workspace, cwd);
  if (!isOwn) started.worksIn(folders);
  return started;
}

function coreWord(word: Argument): Word {
  return typeof word === "string" ? word : { dynamic: word.dynamic };
}

function coreAssign({ name, value }: { readonly name: string; readonly value: Argument }): Assign {
  return { name, value: coreWord(value) };
}
