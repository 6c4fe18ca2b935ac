import { joinPath, isWithin } from "../../text/index.ts";
import {
  type ConnectEffect,
  type Effect,
  type ExecuteEffect,
  type RuleRef,
  type WriteEffect,
} from "../../core/index.ts";
import { classOf, isInside, placesBeyond, type EffectClass } from "../decide/boundary.ts";
import {
  namedRuns,
  runOf,
  runsAt,
  runsNamed,
  type AllowedRun,
  type RuleEntry,
} from "./allowed-runs.ts";
import { namesWord, programName, spellsPath, type CommandPattern } from "./command-pattern.ts";
import { families } from "../rules/tool-families.ts";
import { matchesHost, matchesPort } from "./host-pattern.ts";
import type { CompiledLayer } from "../rules/layers.ts";
import { callRule, commandEntry, holds, pathRule, plainRule } from "./match-rules.ts";
import type { DecideRequest } from "../decide/request.ts";
import type { Rule } from "../rules/rule.ts";
import type { ToolRules } from "../rules/rule-set.ts";

/** Rules and layers that may allow an effect, collected once per call. */
export interface Allowing {
  readonly request: DecideRequest;
  readonly called: ToolRules;
  readonly runs: readonly AllowedRun[];
  readonly builtIn: CompiledLayer;
  readonly mode: CompiledLayer;
  /** The session has seen untrusted content and private data: effects that could leak data need a rule naming them. */
  readonly isTainted: boolean;
}

export interface Allowance {
  readonly ref: RuleRef;
  /** Reason given by a layer, in a sentence; undefined for a rule of the user, which needs no explanation. */
  readonly says: string | undefined;
}

const nobody: readonly AllowedRun[] = Object.freeze([]);

/** Returns the programs of a call, each with the rule that names it. */
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

/** Whether the run's rule, which may be that of its launcher, applies where the program works. */
function isThere({ effect, entry }: AllowedRun, request: DecideRequest): boolean {
  return entry === undefined || holdsThere(entry.pattern, effect, request);
}

/**
 * Whether a rule applies where the program works. A program with open consequences acts on the files it finds there,
 * so a rule applies to it in the workspace, and elsewhere only if the rule names the directory.
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

/** Returns what allows the effect: a rule of the user, the built-in layer or the mode, in this order. */
export function allowanceFor(effect: Effect, allowing: Allowing): Allowance | undefined {
  const { request, isTainted } = allowing;
  const kind = classOf(effect, request.boundary);
  const mustBeNamed = isTainted && carriesOut.has(kind);
  const rule =
    wholeCallRule(effect, allowing, mustBeNamed) ?? userRule(effect, allowing, mustBeNamed);
  if (rule !== undefined) return { ref: rule.ref, says: undefined };
  if (mustBeNamed) return undefined;
  const isHeld = kind === "connect-public" && mayBeTainted(request);
  return (isHeld ? undefined : allowing.builtIn.get(kind)) ?? allowing.mode.get(kind);
}

/**
 * Whether the session may have read private files and content from outside. The built-in layer then allows no
 * connections; rules and modes apply as they are.
 */
export function mayBeTainted({ taint, effects }: DecideRequest): boolean {
  if (taint === undefined) return false;
  const { untrustedSeen, mayBeUntrusted = false, privateRead, mayBePrivate = false } = taint;
  if (!untrustedSeen && !mayBeUntrusted) return false;
  return privateRead || mayBePrivate || effects.some(({ kind }) => kind === "read");
}

/** Effect classes through which data can leak. */
export const carriesOut: ReadonlySet<EffectClass> = new Set([
  "connect",
  "connect-public",
  "execute-open",
  "unknown",
]);

/** Returns a bare allow rule for the tool, which covers every effect that its calls have by themselves. */
function wholeCallRule(effect: Effect, allowing: Allowing, mustBeNamed: boolean): Rule | undefined {
  const { called, request } = allowing;
  if (mustBeNamed && families.get(request.tool.name)?.isHead === true) return undefined;
  const isForeign = effect.kind === "unknown" && effect.origin.startsWith("mcp__");
  if (!isForeign) return callRule(called.allow, request);
  return called.allow.find(
    ({ rule }) =>
      holds(rule, request) &&
      (rule.ref.rule === effect.origin ||
        rule.ref.rule.startsWith(`${effect.origin}__`) ||
        isOfServer(rule, effect.origin, request.tool.name)),
  )?.rule;
}

/** Whether a rule with a pattern of names of MCP tools, which only a ceiling may have, covers what a server does. */
function isOfServer({ ref }: Rule, origin: string, tool: string): boolean {
  return /^mcp__.*\*/u.test(ref.rule) && tool.startsWith(`${origin}__`);
}

function userRule(effect: Effect, allowing: Allowing, mustBeNamed: boolean): Rule | undefined {
  const { request } = allowing;
  switch (effect.kind) {
    case "interact":
      return undefined;
    case "read":
    case "write":
      return pathRule(effect, request) ?? programRule(effect, allowing);
    case "execute": {
      const entry = runOf(effect, allowing.runs)?.entry;
      return isEnough(entry, mustBeNamed) ? entry.rule : undefined;
    }
    case "connect":
      if (mustBeNamed) {
        return namedHostRule(effect, request) ?? programRule(effect, allowing, true);
      }
      return plainRule(effect, request.rules.allow, request) ?? programRule(effect, allowing);
    case "delegate":
      // A rule for agents does not name another session, which is not limited by the one that starts it.
      if (effect.target === "session") return undefined;
      return plainRule(effect, request.rules.allow, request);
    case "unknown":
      return serverRule(effect, allowing) ?? programRule(effect, allowing, mustBeNamed);
  }
}

/** Returns the allow rule of the user that names this host, not merely every host. */
export function namedHostRule(effect: ConnectEffect, request: DecideRequest): Rule | undefined {
  return request.rules.allow.connect.find(
    ({ rule, pattern }) =>
      holds(rule, request) &&
      pattern.isNamed &&
      matchesHost(pattern, effect.host, "allow") &&
      matchesPort(pattern, effect, "allow"),
  )?.rule;
}

/** Returns the rule for a whole server, which also covers its resources; no rule for a program with such a name. */
function serverRule(
  effect: Extract<Effect, { readonly kind: "unknown" }>,
  { request, runs }: Allowing,
): Rule | undefined {
  const isServer = effect.origin.startsWith("mcp__") && runs.length === 0;
  return isServer ? plainRule(effect, request.rules.allow, request) : undefined;
}

/** Effects of a program other than starting programs. */
type ByEffect = Exclude<Effect, { readonly kind: "interact" | "execute" | "delegate" }>;

/**
 * Returns the `Bash(...)` rule that covers an effect. Such a rule covers the program's own effects: unknown ones,
 * connections, and files inside the workspace; files outside only if the rule spells the whole command. Additional
 * writes or programs caused by an option are covered only by a rule that names the option.
 * A redirection is an effect of the shell and needs a path rule.
 */
function programRule(effect: ByEffect, allowing: Allowing, mustBeNamed = false): Rule | undefined {
  if (allowing.runs.length === 0) return undefined;
  const { through } = effect;
  const own = programsOf(effect, allowing.runs).map((run) =>
    through === undefined ? run : answeredBy(run, through, allowing.request),
  );
  // Where the effect may belong to any of several programs, each of them must be named.
  const isNamed = own.every((run) => speaksFor(run, effect, { allowing, mustBeNamed }));
  return isNamed ? own[0]?.entry?.rule : undefined;
}

/** Returns the programs to which an effect may belong. */
function programsOf(effect: ByEffect, runs: readonly AllowedRun[]): readonly AllowedRun[] {
  if (effect.by !== undefined) return runsAt(effect.by, runs);
  return effect.kind === "unknown" ? runsNamed(effect.origin, runs) : [];
}

/** Returns the program with a rule that names the option causing the effect, or spells the whole command. */
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

/** Whether a rule of the user allows the exact command that names this path. */
export function isSpelled(
  effect: Extract<Effect, { readonly kind: "read" | "write" }>,
  { runs, request }: Allowing,
): boolean {
  const { by } = effect;
  if (by === undefined) return false;
  const own = runsAt(by, runs);
  return (
    own.length > 0 &&
    own.every(
      ({ effect: run, entry }) =>
        entry !== undefined && !entry.pattern.hasStar && spells(run, effect.path, request),
    )
  );
}

/** Whether a command's arguments contain this path in absolute form: a relative path changes meaning after `cd`. */
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

/** Returns the user's rule that names the git program to which a write belongs, if there is one. */
export function ownProgramRule({ by }: WriteEffect, allowing: Allowing): Rule | undefined {
  if (by === undefined) return undefined;
  const run = runsAt(by, allowing.runs)[0];
  return run !== undefined && programName(run.effect) === "git" ? run.entry?.rule : undefined;
}

function isEnough(entry: RuleEntry | undefined, mustBeNamed: boolean): entry is RuleEntry {
  return entry !== undefined && (!mustBeNamed || entry.pattern.isNamed);
}
