import { defaultLimits, type LimitOptions } from "../../../core/index.ts";
import { limitSettings } from "../schema/named-settings.ts";
import { readSetting } from "../schema/setting.ts";

type LimitValues = ReadonlyMap<string, number>;

/** Limits of one source, applied over those of the sources below it. */
export interface LimitLayer {
  readonly limits: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined;
  /** Whether it may raise a limit; otherwise it may only lower one. */
  readonly mayWiden: boolean;
  /** Called with each limit that the source may not set. */
  readonly withhold: (what: string) => void;
}

/**
 * Merges limits, the most specific source last; it decides. An untrusted one may only lower a value: a higher one would
 * cost the user money and memory, or let a command run longer than the user is willing to wait. An untrusted source
 * cannot change how long artifacts are stored and what undo retains, because other workspaces depend on those too.
 */
export function mergeLimits(layers: readonly LimitLayer[]): LimitOptions {
  const merged = new Map<string, number>();
  for (const { limits = {}, mayWiden, withhold } of layers) {
    for (const [key, value] of valuesOf(limits)) {
      const now = merged.get(key) ?? defaults.get(key);
      const isLower = now !== undefined && value <= now && !/^(?:artifacts|undo)\./u.test(key);
      if (isLower || mayWiden) merged.set(key, value);
      else withhold(`limit ${key} ${value}`);
    }
  }
  return limitOptions(merged);
}

/** Merges two sets of limits; the upper one takes precedence. */
export function overLimits(lower: LimitOptions, upper: LimitOptions | undefined): LimitOptions {
  if (upper === undefined) return lower;
  return limitOptions(new Map([...valuesOf(lower), ...valuesOf(upper)]));
}

function valuesOf(limits: object): LimitValues {
  return new Map(
    Object.entries(limits).flatMap(([group, names]: [string, object]) =>
      Object.entries(names).map(([name, value]: [string, number]) => [`${group}.${name}`, value]),
    ),
  );
}

/** Converts limits by `group.name` back to one object. */
function limitOptions(values: LimitValues): LimitOptions {
  const made = new Map<string, Map<string, number>>();
  for (const [key, value] of values) {
    const dot = key.indexOf(".");
    const group = made.get(key.slice(0, dot)) ?? new Map<string, number>();
    made.set(key.slice(0, dot), group.set(key.slice(dot + 1), value));
  }
  const options: unknown = Object.fromEntries(
    Array.from(made, ([group, names]) => [group, Object.fromEntries(names)]),
  );
  return areLimits(options) ? options : {};
}

const defaults = valuesOf(defaultLimits);

function areLimits(options: unknown): options is LimitOptions {
  return readSetting(limitSettings, options).problems.length === 0;
}
