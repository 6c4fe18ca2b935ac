import { defaultLimits, nearestName, type LimitOptions } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

export interface LimitProblem {
  /** Path below `limits`. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

/** Limits by `group.name`, so that sources can be compared value by value. */
export type LimitValues = ReadonlyMap<string, number>;

export interface ReadLimits {
  readonly values: LimitValues;
  readonly problems: readonly LimitProblem[];
}

const groups: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(defaultLimits).map(([group, names]) => [group, Object.keys(names)]),
);

/** Default of a limit; undefined for limits of what a tool shows, because each tool has its own default. */
export function defaultLimit(key: string): number | undefined {
  return defaults.get(key);
}

/** Validates limits. A value that is not a positive integer, or a name that is not a limit, is reported and ignored. */
export function readLimits(given: unknown): ReadLimits {
  const values = new Map<string, number>();
  const problems: LimitProblem[] = [];
  const ignored = (path: readonly string[], message: string): void => {
    problems.push({ path, message, hint: "It is ignored." });
  };
  const unknown = (path: readonly string[], known: readonly string[]): void => {
    const nearest = nearestName(path.at(-1) ?? "", known);
    problems.push({
      path,
      message: `There is no limit \`limits.${path.join(".")}\`.`,
      hint:
        nearest === undefined
          ? `It is ignored. There are ${known.join(", ")}.`
          : `It is ignored. Did you mean ${JSON.stringify(nearest)}?`,
    });
  };
  if (!isRecord(given)) ignored([], "`limits` is an object of groups.");
  for (const [group, written] of isRecord(given) ? Object.entries(given) : []) {
    const known = groups.get(group);
    if (known === undefined) {
      unknown([group], [...groups.keys()]);
    } else if (!isRecord(written)) {
      ignored([group], `\`limits.${group}\` is an object of numbers.`);
    } else {
      for (const [name, value] of Object.entries(written)) {
        const path = [group, name];
        if (group !== byTool && !known.includes(name)) unknown(path, known);
        else if (isLimit(value)) values.set(path.join("."), value);
        else ignored(path, `\`limits.${path.join(".")}\` is a whole number above 0.`);
      }
    }
  }
  return { values, problems };
}

/** Converts limits by `group.name` back to one object. */
export function limitOptions(values: LimitValues): LimitOptions {
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

/** Merges two sets of limits; the upper one takes precedence. */
export function overLimits(lower: LimitOptions, upper: LimitOptions | undefined): LimitOptions {
  if (upper === undefined) return lower;
  return limitOptions(new Map([...readLimits(lower).values, ...readLimits(upper).values]));
}

/** Group whose names are tool names. */
const byTool = "shownChars";

const defaults: ReadonlyMap<string, number> = new Map(
  Object.entries(defaultLimits).flatMap(([group, names]) =>
    Object.entries<number>(names).map(([name, value]) => [`${group}.${name}`, value] as const),
  ),
);

function areLimits(options: unknown): options is LimitOptions {
  return readLimits(options).problems.length === 0;
}

function isLimit(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
