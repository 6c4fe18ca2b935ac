import { nearestName, type Json, type JsonSchema } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";

/** Path of a value in a settings file, as `["limits", "bash"]`. */
export type SettingPath = readonly (string | number)[];

/** A value that could not be taken as it is, and how it is handled. */
export interface SettingProblem {
  readonly path: SettingPath;
  readonly message: string;
  readonly hint: string;
}

/** Position of a value that is read, and the function that reports its problems. */
export interface SettingPlace {
  readonly path: SettingPath;
  readonly report: (problem: SettingProblem) => void;
}

/** A setting or a part of one: its published schema and the function that reads it. */
export interface Setting<T> {
  readonly json: JsonSchema;
  /** Reads a value; what cannot be read is reported and left out, or replaced by the strictest it could mean. */
  readonly read: (value: unknown, place: SettingPlace) => T | undefined;
}

export type ValueOf<S> = S extends Setting<infer T> ? T : never;

export interface SettingOptions<T> {
  /** A sentence for the documentation and the published schema. */
  readonly doc?: string;
  readonly default?: Json;
  /** Continuation of "`name` must be", as in "a string". */
  readonly is?: string;
  /** Value that a wrong one is taken as, because leaving it out would widen something. */
  readonly wrong?: { readonly value: T; readonly hint: string };
}

const ignored = "It is ignored.";

export function text(options: SettingOptions<string> & { readonly pattern?: RegExp } = {}) {
  const { pattern } = options;
  return leaf<string>(
    (value): value is string =>
      typeof value === "string" && (pattern === undefined || pattern.test(value)),
    { type: "string", ...(pattern === undefined ? {} : { pattern: pattern.source }) },
    { is: "a string", ...options },
  );
}

export function flag(options: SettingOptions<boolean> = {}): Setting<boolean> {
  return leaf(isFlag, { type: "boolean" }, { is: "true or false", ...options });
}

function isFlag(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/** A whole number above 0. */
export function count(options: SettingOptions<number> = {}): Setting<number> {
  const json = { type: "integer", minimum: 1 };
  return leaf(isCount, json, { is: "a whole number above 0", ...options });
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

/** A number of at least 0. */
export function amount(options: SettingOptions<number> = {}): Setting<number> {
  return leaf(
    isAmount,
    { type: "number", minimum: 0 },
    { is: "a number of at least 0", ...options },
  );
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

export function choice<const C extends string>(
  choices: readonly C[],
  options: SettingOptions<C> = {},
): Setting<C> {
  const fits = (value: unknown): value is C => choices.some((each) => each === value);
  const names = choices.map((each) => JSON.stringify(each)).join(", ");
  const is = choices.length === 1 ? names : `one of ${names}`;
  return leaf(fits, { type: "string", enum: [...choices] }, { is, ...options });
}

/** Data that another part of haft reads; here it must only be an object or a list. */
export function data(
  kind: "object" | "array",
  options: SettingOptions<unknown> & { readonly json?: JsonSchema } = {},
): Setting<unknown> {
  const fits = (value: unknown): value is unknown =>
    kind === "array" ? Array.isArray(value) : isRecord(value);
  const is = kind === "array" ? "a list" : "an object";
  return leaf(fits, { type: kind, ...options.json }, { is, ...options });
}

/** Handling of wrong entries of a list: they lose the whole list, are left out, or report themselves and are left out. */
type WrongEntries = "lose-list" | "left-out" | "reported";

/** A list. By default a wrong entry loses all of it, because the rest may mean something else without it. */
export function list<T>(
  entry: Setting<T>,
  options: SettingOptions<readonly T[]> & { readonly wrongEntries?: WrongEntries } = {},
): Setting<readonly T[]> {
  const { is = "a list of strings", wrongEntries = "lose-list" } = options;
  return {
    json: described({ type: "array", items: entry.json }, options),
    read(value, place) {
      if (!Array.isArray(value)) return wrong(place, { ...options, is });
      const found: T[] = [];
      let isWhole = true;
      const quiet = (): void => void (isWhole = false);
      value.forEach((each: unknown, index) => {
        const at = below(place, index);
        const read = entry.read(each, wrongEntries === "reported" ? at : { ...at, report: quiet });
        if (read !== undefined) found.push(read);
      });
      if (isWhole) return found;
      const replaced = wrong(place, { ...options, is });
      return wrongEntries === "lose-list" ? replaced : found;
    },
  };
}

/** An object whose names are free, such as those of tools. */
export function map<T>(
  entry: Setting<T>,
  options: SettingOptions<Readonly<Record<string, T>>> = {},
): Setting<Readonly<Record<string, T>>> {
  return {
    json: described({ type: "object", additionalProperties: entry.json }, options),
    read(value, place) {
      if (!isRecord(value)) return wrong(place, { is: "an object", ...options });
      const found: [string, T][] = [];
      for (const [name, each] of Object.entries(value)) {
        const read = entry.read(each, below(place, name));
        if (read !== undefined) found.push([name, read]);
      }
      return Object.fromEntries(found);
    },
  };
}

type Parts = Readonly<Record<string, Setting<unknown>>>;
type ObjectOf<P extends Parts, R extends keyof P> = {
  readonly [K in Exclude<keyof P, R>]?: ValueOf<P[K]>;
} & { readonly [K in R]: ValueOf<P[K]> };

export interface ObjectOptions<T, R extends string> extends SettingOptions<T> {
  /** Names that must be there; without one of them the whole object is left out. */
  readonly required?: readonly R[];
  /** Whether a wrong part loses the whole object, because half of it would mean something else. */
  readonly whole?: boolean;
}

/** An object of known names; another one is reported with the nearest. */
export function object<const P extends Parts, R extends keyof P & string = never>(
  parts: P,
  options: ObjectOptions<ObjectOf<P, R>, R> = {},
): Setting<ObjectOf<P, R>> {
  const { required = [], whole = false } = options;
  const names = Object.keys(parts);
  const json: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, parts[name]?.json ?? {}])),
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required: [...required] }),
  };
  return {
    json: described(json, options),
    read(value, place) {
      if (!isRecord(value)) return wrong(place, { is: "an object", ...options });
      const found: [string, unknown][] = [];
      let isWhole = true;
      const watched: SettingPlace = {
        ...place,
        report: (problem) => {
          isWhole = false;
          place.report(problem);
        },
      };
      for (const [name, each] of Object.entries(value)) {
        const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
        if (part === undefined) reportUnknown(name, names, place);
        else {
          const read = part.read(each, below(watched, name));
          if (read !== undefined) found.push([name, read]);
        }
      }
      for (const name of required) {
        if (found.some(([each]) => each === name)) continue;
        if (value[name] !== undefined) return undefined;
        const message = `\`${named(place.path)}\` needs ${required.map((each) => `\`${each}\``).join(" and ")}.`;
        watched.report({ path: place.path, message, hint: ignored });
        return undefined;
      }
      if (whole && !isWhole) return undefined;
      const made: unknown = Object.fromEntries(found);
      return isMadeOf<P, R>(made, parts) ? made : undefined;
    },
  };
}

/** Every value was read by the setting of its name, so the object has the type that the parts give it. */
function isMadeOf<P extends Parts, R extends keyof P>(
  value: unknown,
  parts: P,
): value is ObjectOf<P, R> {
  return isRecord(value) && Object.keys(value).every((name) => Object.hasOwn(parts, name));
}

/** The first of these forms that a value has. */
export function either<A, B>(
  one: Setting<A>,
  other: Setting<B>,
  options: SettingOptions<A | B> & { readonly is: string },
): Setting<A | B> {
  return {
    json: described({ anyOf: [one.json, other.json] }, options),
    read(value, place) {
      for (const form of [one, other]) {
        let fits = true;
        const read = form.read(value, { ...place, report: () => (fits = false) });
        if (fits && read !== undefined) return read;
      }
      return wrong(place, options);
    },
  };
}

function leaf<T>(
  fits: (value: unknown) => value is T,
  json: JsonSchema,
  options: SettingOptions<T> & { readonly is: string },
): Setting<T> {
  return {
    json: described(json, options),
    read: (value, place) => (fits(value) ? value : wrong(place, options)),
  };
}

function wrong<T>(
  { path, report }: SettingPlace,
  options: SettingOptions<T> & { readonly is: string },
): T | undefined {
  const hint = options.wrong?.hint ?? ignored;
  report({ path, message: `\`${named(path)}\` must be ${options.is}.`, hint });
  return options.wrong?.value;
}

function reportUnknown(
  name: string,
  known: readonly string[],
  { path, report }: SettingPlace,
): void {
  const nearest = nearestName(name.slice(0, maxNameChars), known) ?? extended(name, known);
  report({
    path: [...path, name],
    message: `There is no setting \`${named([...path, name])}\`.`,
    hint:
      nearest === undefined
        ? `${ignored} There ${known.length === 1 ? "is" : "are"} ${known.join(", ")}.`
        : `${ignored} Did you mean ${JSON.stringify(nearest)}?`,
  });
}

/** The only known name that contains the one given, as `passthrough` contains `through`. */
function extended(name: string, known: readonly string[]): string | undefined {
  if (name.length < minContained) return undefined;
  const longer = known.filter((each) => each.toLowerCase().includes(name.toLowerCase()));
  return longer.length === 1 ? longer[0] : undefined;
}

/** A shorter text occurs in names by chance. */
const minContained = 5;

function below({ path, report }: SettingPlace, name: string | number): SettingPlace {
  return { path: [...path, name], report };
}

/** Longest name that is compared with the known ones; a longer one is not a typing error. */
export const maxNameChars = 64;

/** A path as it is written in sentences: `hooks.PreToolUse[0].command`. */
export function named(path: SettingPath): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${plainName(part)}`,
    )
    .join("");
}

/** A name with every letter outside ASCII as its code, so that one that only looks like a known name shows. */
export function plainName(name: string): string {
  const shown = name.length > maxNameChars ? `${name.slice(0, maxNameChars)}…` : name;
  return shown.replaceAll(
    /[^\x20-\x7E…]/gu,
    (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}}`,
  );
}

function described<T>(json: JsonSchema, { doc, default: value }: SettingOptions<T>): JsonSchema {
  return {
    ...(doc === undefined ? {} : { description: doc }),
    ...json,
    ...(value === undefined ? {} : { default: value }),
  };
}

/** Reads a value with a setting. */
export function readSetting<T>(
  setting: Setting<T>,
  value: unknown,
  path: SettingPath = [],
): { readonly value: T | undefined; readonly problems: readonly SettingProblem[] } {
  const problems: SettingProblem[] = [];
  const report = (problem: SettingProblem): void => void problems.push(problem);
  return { value: setting.read(value, { path, report }), problems };
}
