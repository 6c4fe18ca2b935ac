import { joinPath, isWithin } from "../../text/index.ts";
import {
  type Effect,
  type ExecuteEffect,
  type RuleRef,
  type WriteEffect,
} from "../../core/index.ts";
import { classOf, isInside, placesBeyond, type EffectClass } from "../decide/boundary.ts";
import { isSameSpan, namedRuns, type AllowedRun, type RuleEntry } from "./allowed-runs.ts";
import { namesWord, programName, spellsPath, type CommandPattern } from "./command-pattern.ts";
import { families } from "../rules/tool-families.ts";
import { matchesHost } from "./host-pattern.ts";
import type { CompiledLayer } from "../rules/layers.ts";
import { callRule, commandEntry, holds, pathRule, plainRule } from "./match-rules.ts";
import type { DecideRequest } from "../decide/request.ts";
import type { Rule } from "../rules/rule.ts";
import type { ToolRules } from "../rules/rule-set.ts";

/** What may allow an effect, gathered once per call. */
export interface Allowing {
  readonly request: DecideRequest;
  readonly called: ToolRules;
  readonly runs: readonly AllowedRun[];
  readonly builtIn: CompiledLayer;
  readonly mode: CompiledLayer;
  /** Untrusted content and private data have met: what could carry data out needs a rule that names it. */
  readonly isTainted: boolean;
}

export interface Allowance {
  readonly ref: RuleRef;
  /** A sentence, where a layer allows it; a rule of a person speaks for itself. */
  readonly says: string | undefined;
}

const nobody: readonly AllowedRun[] = Object.freeze([]);

/** The programs of a call, each with the rule that names it. */
export function runsOf(request: DecideRequest): readonly AllowedRun[] {
  let effects: ExecuteEffect[] | undefined;
  for (const effect of request.effects) {
    if (effect.kind === "execute") (effects ??= []).push(effect);
  }
  return effects === undefined
    ? nobody
    : namedRuns(effects, (effect) =>
        commandEntry(effect, request, ({ pattern }) => holdsThere(pattern, effect, request)),
      ).map((run) => (isThere(run, request) ? run : { effect: run.effect, entry: undefined }));
}

/** What a launcher was given a rule for is done where the launcher works. */
function isThere({ effect, entry }: AllowedRun, request: DecideRequest): boolean {
  return entry === undefined || holdsThere(entry.pattern, effect, request);
}

/**
 * Whether a rule reaches to where the program works. One that may do anything does what it finds there, so that a
 * rule holds for it in the workspace, and elsewhere only where it names the place.
 */
function holdsThere(
  pattern: CommandPattern,
  effect: ExecuteEffect,
  { boundary }: DecideRequest,
): boolean {
  return (
    pattern.isAny || placesBeyond(effect, boundary).every((place) => spellsPath(pattern, place))
  );
}

/** What allows the effect: a person's rule, the built-in layer or the mode, in this order. */
export function allowanceFor(effect: Effect, allowing: Allowing): Allowance | undefined {
  const { request, isTainted } = allowing;
  const kind = classOf(effect, request.boundary);
  const mustBeNamed = isTainted && carriesOut.has(kind);
  const rule =
    wholeCallRule(effect, allowing, mustBeNamed) ?? personRule(effect, allowing, mustBeNamed);
  if (rule !== undefined) return { ref: rule.ref, says: undefined };
  if (mustBeNamed) return undefined;
  const line = allowing.builtIn.get(kind) ?? allowing.mode.get(kind);
  return line;
}

/** Classes through which data can leave. */
export const carriesOut: ReadonlySet<EffectClass> = new Set(["connect", "execute-open", "unknown"]);

/** A bare allow rule for the tool speaks for everything its calls do by themselves. */
function wholeCallRule(effect: Effect, allowing: Allowing, mustBeNamed: boolean): Rule | undefined {
  const { called, request } = allowing;
  if (mustBeNamed && families.get(request.tool.name)?.isHead === true) return undefined;
  const isForeign = effect.kind === "unknown" && effect.origin.startsWith("mcp__");
  if (!isForeign) return callRule(called.allow, request);
  return called.allow.find(
    ({ rule }) =>
      holds(rule, request) &&
      (rule.ref.rule === effect.origin || rule.ref.rule.startsWith(`${effect.origin}__`)),
  )?.rule;
}

function personRule(effect: Effect, allowing: Allowing, mustBeNamed: boolean): Rule | undefined {
  const { request } = allowing;
  switch (effect.kind) {
    case "interact":
      return undefined;
    case "read":
    case "write":
      return pathRule(effect, request) ?? programRule(effect, allowing);
    case "execute": {
      const entry = allowing.runs.find((run) => run.effect === effect)?.entry;
      return isEnough(entry, mustBeNamed) ? entry.rule : undefined;
    }
    case "connect":
      if (mustBeNamed) {
        const named = request.rules.allow.connect.find(
          ({ rule, pattern }) =>
            holds(rule, request) && pattern.isNamed && matchesHost(pattern, effect.host),
        );
        return named?.rule ?? programRule(effect, allowing, true);
      }
      return plainRule(effect, request.rules.allow, request) ?? programRule(effect, allowing);
    case "delegate":
      return plainRule(effect, request.rules.allow, request);
    case "unknown":
      return programRule(effect, allowing, mustBeNamed);
  }
}

/** What a program does besides starting others. */
type ByEffect = Exclude<Effect, { readonly kind: "interact" | "execute" | "delegate" }>;

/**
 * A `Bash(...)` rule speaks for what its program does by itself: whatever cannot be foreseen, its
 * connections, and files inside the workspace; files outside only where the rule spells the whole command. For
 * what an option makes it write or run besides, only a rule that names the option speaks.
 * A redirection is the shell's doing and needs a path rule.
 */
function programRule(effect: ByEffect, allowing: Allowing, mustBeNamed = false): Rule | undefined {
  if (allowing.runs.length === 0) return undefined;
  const { by, through } = effect;
  const own = allowing.runs
    .filter(({ effect: run }) =>
      by === undefined
        ? effect.kind === "unknown" && effect.origin === programName(run)
        : isSameSpan(by, run.span),
    )
    .map((run) => (through === undefined ? run : answeredBy(run, through, allowing.request)));
  // Where it cannot be told which of several programs does it, each must be named.
  const isNamed = own.every((run) => speaksFor(run, effect, { allowing, mustBeNamed }));
  return isNamed ? own[0]?.entry?.rule : undefined;
}

/** The program with a rule that names what its option does besides, or spells the whole command. */
function answeredBy(run: AllowedRun, through: string, request: DecideRequest): AllowedRun {
  const suffices = ({ pattern }: RuleEntry): boolean =>
    !pattern.hasStar || namesWord(pattern, through);
  if (run.entry === undefined || suffices(run.entry)) return run;
  return { effect: run.effect, entry: commandEntry(run.effect, request, suffices) };
}

function speaksFor(
  { effect: run, entry }: AllowedRun,
  effect: ByEffect,
  { allowing, mustBeNamed }: { readonly allowing: Allowing; readonly mustBeNamed: boolean },
): boolean {
  if (!isEnough(entry, mustBeNamed)) return false;
  if (effect.kind !== "read" && effect.kind !== "write") return true;
  const isFind = programName(run) === "find";
  if (isFind && entry.pattern.hasStar && effect.kind === "write") return false;
  if (isInside(effect.path, allowing.request.boundary.roots)) return true;
  return !entry.pattern.hasStar && spells(run, effect.path, allowing.request);
}

/** Whether a rule of the user's allows the very command that names this path. */
export function isSpelled(
  effect: Extract<Effect, { readonly kind: "read" | "write" }>,
  { runs, request }: Allowing,
): boolean {
  const { by } = effect;
  if (by === undefined) return false;
  const own = runs.filter((run) => isSameSpan(by, run.effect.span));
  return (
    own.length > 0 &&
    own.every(
      ({ effect: run, entry }) =>
        entry !== undefined && !entry.pattern.hasStar && spells(run, effect.path, request),
    )
  );
}

/** Whether the words of a command name this path in full: a relative one is another path after `cd`. */
function spells({ argv }: ExecuteEffect, path: string, { requested }: DecideRequest): boolean {
  const names = [path, ...(requested?.get(path) ?? [])];
  return argv.some((word) => {
    if (typeof word !== "string") return false;
    const written = word.slice(word.indexOf("/"));
    if (!/^(?:|-\w|--[\w-]+=|[\w-]+=)\//u.test(word)) return false;
    const spelled = joinPath("/", written);
    return spelled !== "/" && names.some((name) => isWithin(spelled, name));
  });
}

/** The rule that names the program to which an effect belongs, if a person's rule does. */
export function ownProgramRule({ by }: WriteEffect, allowing: Allowing): Rule | undefined {
  if (by === undefined) return undefined;
  const run = allowing.runs.find(({ effect: each }) => isSameSpan(by, each.span));
  return run !== undefined && programName(run.effect) === "git" ? run.entry?.rule : undefined;
}

function isEnough(entry: RuleEntry | undefined, mustBeNamed: boolean): entry is RuleEntry {
  return entry !== undefined && (!mustBeNamed || entry.pattern.isNamed);
}
