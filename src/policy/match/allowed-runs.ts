import type { ExecuteEffect, Span } from "../../core/index.ts";
import {
  isNeverByPrefix,
  namesStarted,
  programName,
  type CommandPattern,
} from "./command-pattern.ts";
import type { Rule } from "../rules/rule.ts";

export interface RuleEntry {
  readonly rule: Rule;
  readonly pattern: CommandPattern;
}

/** A program of the call and the allow rule that names it, by itself or with what starts it. */
export interface NamedRun<E> {
  readonly effect: ExecuteEffect;
  readonly entry: E | undefined;
}

export type AllowedRun = NamedRun<RuleEntry>;

/** The programs of a call with their rules. What a named launcher starts is named with it. */
export function namedRuns<E extends Pick<RuleEntry, "pattern">>(
  effects: readonly ExecuteEffect[],
  entryOf: (effect: ExecuteEffect) => E | undefined,
): readonly NamedRun<E>[] {
  const runs: NamedRun<E>[] = [];
  const byLaunchers = new Map<string, NamedRun<E>[]>();
  for (const effect of effects) {
    const entry = entryOf(effect) ?? fromLauncher(effect, byLaunchers);
    const run = { effect, entry };
    runs.push(run);
    const launchers = effect.via.join("\0");
    const siblings = byLaunchers.get(launchers);
    if (siblings === undefined) byLaunchers.set(launchers, [run]);
    else siblings.push(run);
  }
  return runs;
}

/** Launchers come before what they start. */
function fromLauncher<E extends Pick<RuleEntry, "pattern">>(
  effect: ExecuteEffect,
  before: ReadonlyMap<string, readonly NamedRun<E>[]>,
): E | undefined {
  if (effect.via.length === 0) return undefined;
  let launcher: NamedRun<E> | undefined;
  for (const run of before.get(effect.via.slice(0, -1).join("\0")) ?? []) {
    if (!starts(run.effect, effect)) continue;
    if (launcher === undefined || holds(launcher.effect.span, run.effect.span)) launcher = run;
  }
  const entry = launcher?.entry;
  if (launcher === undefined || entry === undefined) return undefined;
  const isNever = isNeverByPrefix(programName(launcher.effect));
  if (entry.pattern.hasStar && (isNever || !namesStarted(entry.pattern, effect))) return undefined;
  return entry;
}

/** Whether one program starts the other: it stands around it, and is what the other came through. */
export function starts(launcher: ExecuteEffect, effect: ExecuteEffect): boolean {
  if (launcher.via.length !== effect.via.length - 1) return false;
  if (!launcher.via.every((name, index) => name === effect.via[index])) return false;
  return holds(launcher.span, effect.span) && !isSameSpan(launcher.span, effect.span);
}

function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** The programs of a call by where they are in its text, and by their names. */
interface RunIndex {
  readonly byEffect: ReadonlyMap<ExecuteEffect, AllowedRun>;
  readonly bySpan: ReadonlyMap<string, readonly AllowedRun[]>;
  readonly byName: ReadonlyMap<string, readonly AllowedRun[]>;
}

const indexes = new WeakMap<readonly AllowedRun[], RunIndex>();

/** The programs at this place of the text. */
export function runsAt({ start, end }: Span, runs: readonly AllowedRun[]): readonly AllowedRun[] {
  return indexOf(runs).bySpan.get(`${start} ${end}`) ?? [];
}

/** The program of this effect. */
export function runOf(effect: ExecuteEffect, runs: readonly AllowedRun[]): AllowedRun | undefined {
  return indexOf(runs).byEffect.get(effect);
}

/** The programs of this name, without a directory. */
export function runsNamed(name: string, runs: readonly AllowedRun[]): readonly AllowedRun[] {
  return indexOf(runs).byName.get(name) ?? [];
}

/** A long command has thousands of effects, each of which asks for its programs. */
function indexOf(runs: readonly AllowedRun[]): RunIndex {
  const found = indexes.get(runs);
  if (found !== undefined) return found;
  const made = {
    byEffect: new Map(runs.map((run) => [run.effect, run])),
    bySpan: Map.groupBy(runs, ({ effect: { span } }) => `${span.start} ${span.end}`),
    byName: Map.groupBy(runs, ({ effect }) => programName(effect)),
  };
  indexes.set(runs, made);
  return made;
}

function isSameSpan(left: Span, right: Span): boolean {
  return left === right || (left.start === right.start && left.end === right.end);
}
