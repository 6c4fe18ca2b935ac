import { isWithin } from "../../text/index.ts";
import {
  type Assign,
  type Effect,
  type ExecuteEffect,
  type Span,
  type Word,
  type WriteEffect,
  type WrittenPart,
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

/** Program that would run, at any position in the text. */
export interface Invocation {
  /** Program name without its directory; undefined if unknown. */
  readonly name: string | undefined;
  readonly argv: readonly Argument[];
  readonly assigns: readonly { readonly name: string; readonly value: Argument }[];
  readonly redirects: readonly Redirection[];
  readonly context: InvocationContext;
  readonly span: Span;
  /** Launchers that start the program, outermost first. */
  readonly via: readonly string[];
  /** Directories in which it may start; undefined if unknown. */
  readonly folders: Folders;
}

export type FindingRule = "floor" | "high-risk" | "refused";

/** Reason why a command must not run without asking. */
export interface ShellFinding {
  readonly rule: FindingRule;
  readonly text: string;
  readonly span: Span;
}

/** Collector of the consequences of a text, without duplicates. */
export interface Collector {
  readonly invocations: Invocation[];
  readonly effects: Effect[];
  readonly findings: ShellFinding[];
  commandClass: CommandClass | undefined;
  /** Class of the command if no part has one, such as a search in the output of `printf`. */
  filterClass: CommandClass | undefined;
  /** Whether anything other than reading happens or may happen. */
  changes: boolean;
  hasUnknown: boolean;
  hasWrite: boolean;
  /** Whether the shell itself may connect to a host that is not known. */
  hasUnknownHost: boolean;
  readonly seen: Set<string>;
  /** Number of writes that are limited to a pattern. */
  parts: number;
  /** Scopes and programs of the files read, by path. */
  readonly reads: Map<string, Set<string>>;
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
    hasUnknownHost: false,
    hasWrite: false,
    seen: new Set(),
    parts: 0,
    reads: new Map(),
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

/** Program that causes an effect, and the argument that makes it do so. */
interface Cause {
  readonly by?: Span;
  readonly through?: string | undefined;
}

export function addClass(collector: Collector, to: CommandClass | undefined): void {
  collector.commandClass = weakerClass(collector.commandClass, to);
}

/** Records an unknown consequence. */
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

const harmlessSource = /^\/dev\/(?:null|stdin|zero|tty|fd(?:\/|$)|u?random$)/u;

export function addRead(
  collector: Collector,
  path: string,
  at: { scope: "file" | "tree"; span: Span; by?: Span },
): void {
  if (harmlessSource.test(path)) return;
  // By path first: a long one that thousands of words name is not copied for each of them.
  const key = `${at.scope} ${placeOf(at)}`;
  const reads = collector.reads.get(path);
  if (reads?.has(key) === true) return;
  if (reads === undefined) collector.reads.set(path, new Set([key]));
  else reads.add(key);
  collector.effects.push({ kind: "read", path, scope: at.scope, span: at.span, ...byOf(at) });
}

const harmlessDevice = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/u;

/** Maximum number of patterns that are distinguished; what further ones match may be anywhere in their directory. */
const maxParts = 64;

export function addWrite(
  collector: Collector,
  path: string,
  how: {
    change: WriteEffect["change"];
    scope: "file" | "tree";
    part?: WrittenPart | undefined;
    span: Span;
  } & Cause,
): void {
  const { change, scope, span } = how;
  const part =
    how.part !== undefined && collector.parts >= maxParts
      ? { ...how.part, pattern: "**" }
      : how.part;
  if (change !== "delete" && harmlessDevice.test(path)) return;
  collector.changes = true;
  collector.hasWrite = true;
  const floor = writesFloor(path, scope);
  if (floor !== undefined) addFinding(collector, "floor", { text: floor, span });
  const ofPart = part === undefined ? "" : ` ${part.change} ${part.pattern}`;
  const key = `write ${change} ${scope} ${path}${ofPart} ${placeOf(how)}`;
  if (collector.seen.has(key)) return;
  collector.seen.add(key);
  const limit = part === undefined ? {} : { part };
  if (part !== undefined) collector.parts += 1;
  collector.effects.push({ kind: "write", path, scope, change, ...limit, span, ...byOf(how) });
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

/** Part of an effect's key for its cause: a rule may cover one program and not another that uses the same path. */
function placeOf({ by, through }: Cause): string {
  return by === undefined ? "" : `${by.start} ${by.end} ${through ?? ""}`;
}

function byOf({ by, through }: Cause): { readonly by?: Span; readonly through?: string } {
  if (by === undefined) return {};
  return through === undefined ? { by } : { by, through };
}

/** Maximum number of places that are listed for one program; more count as unknown. */
const maxPlaces = 64;

/** Reports about a listed program that are known only after it has been judged. */
export interface Started {
  /** Marks the program as one that may do anything. */
  readonly open: () => void;
  readonly isOpen: () => boolean;
  /** Adds paths where the program also works: a directory, or a file that directs it. */
  readonly worksIn: (place: Folders) => void;
  /** Says whether all hosts that the program contacts are named; once they are unknown, they stay so. */
  readonly hosts: (are: NonNullable<ExecuteEffect["hosts"]>) => void;
}

/** Lists a program that runs in the given directories; later facts are reported through the result. */
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
    isOpen: () => effect.consequences === "open",
    hosts: (are) => change({ hosts: effect.hosts ?? are }),
    worksIn: (more) => {
      const before = effect.worksIn ?? [];
      if (before === "unknown") return;
      const all = more && new Set([...before, ...more]);
      change({ worksIn: all === undefined || all.size > maxPlaces ? "unknown" : [...all] });
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
