import { nearestName } from "./nearest-name.ts";

/**
 * Describes the values that a program may pass. The check, its messages and the copy that is used instead of the value
 * are all derived from it. A value that `fits` is used unchanged; any other is checked member by member with the first
 * of `items`, `fields` and `values` that applies.
 */
export interface Form {
  /** In words, after "must be". */
  readonly is: string;
  readonly fits?: (value: unknown) => boolean;
  /** Of a list. */
  readonly items?: Form;
  /** Of an object: its names. A name that is not among them is an error. */
  readonly fields?: Fields;
  /** Of an object whose names are the caller's own. */
  readonly values?: Form;
  /** The texts to choose from, where there are. */
  readonly choices?: readonly string[];
  /** Default: it may be left out. */
  readonly isRequired?: boolean;
}

export type Fields = Readonly<Record<string, Form>>;

export const aText: Form = { is: "a text", fits: (value) => typeof value === "string" };
export const aFlag: Form = { is: "true or false", fits: (value) => typeof value === "boolean" };
export const aFunction: Form = { is: "a function", fits: (value) => typeof value === "function" };
/** Used as it is, whatever it holds. */
export const anObject: Form = { is: "an object", fits: isRecord };
export const aCount: Form = {
  is: "a whole number above 0",
  fits: (value) => typeof value === "number" && Number.isSafeInteger(value) && value > 0,
};
/** An amount that may be nothing or without limit. */
export const anAmount: Form = {
  is: "a number, 0 or more",
  fits: (value) => typeof value === "number" && value >= 0,
};
/** Used as it is: it may change later, as the environment of this process does. */
export const variables: Form = {
  is: "an object of texts by name",
  fits: (value) =>
    isRecord(value) &&
    Object.values(value).every((text) => text === undefined || typeof text === "string"),
};
export const aSignal: Form = {
  is: "an AbortSignal",
  fits: (value) => value instanceof AbortSignal,
};

export function oneOf(choices: readonly string[]): Form {
  return {
    is: `one of ${choices.join(", ")}`,
    choices,
    fits: (value) => choices.some((choice) => choice === value),
  };
}

export function aListOf(items: Form, is: string): Form {
  return { is, items };
}

export const texts: Form = aListOf(aText, "a list of texts");

/** An object with these functions, its own or inherited; used as it is. */
export function objectWith(names: readonly string[], is: string): Form {
  return {
    is,
    fits: (value) =>
      isRecord(value) && names.every((name) => typeof Reflect.get(value, name) === "function"),
  };
}

/** Data as JSON has it; copied, so that it is what was checked whatever becomes of the caller's. */
export const plainData: Form = { is: "plain data, nested at most 100 deep" };

/**
 * A copy of options in which every field is read once, own or inherited. Throws a TypeError that names the field, what
 * it must be and what it is; for a name that does not exist it names the nearest one. `undefined` counts as left out.
 */
export function checkedOptions<T extends object>(what: string, given: T, fields: Fields): T;
export function checkedOptions(what: string, given: unknown, fields: Fields): unknown {
  return guarded(what, () => {
    if (!isRecord(given)) {
      throw argumentError(`${what} takes an object of options, not ${described(given)}.`);
    }
    return fieldsOf(what, "", { given, fields });
  });
}

/**
 * A copy of an object that may have fields of its own as well, a tool for one. Known fields are read once and may be
 * inherited, as the methods of a class are: those stay bound to their object. In a plain object a name close to a known
 * one that is missing is an error, for it would do nothing.
 */
export function checkedObject<T extends object>(what: string, given: T, fields: Fields): T;
export function checkedObject(what: string, given: unknown, fields: Fields): unknown {
  return guarded(what, () => {
    if (!isRecord(given))
      throw argumentError(`${what} must be an object, not ${described(given)}.`);
    const own: Record<string, unknown> = { ...given };
    if (isPlain(given)) refuseSlips(what, own, fields);
    const copy = new Map(Object.entries(own));
    for (const [name, form] of Object.entries(fields)) {
      const isOwn = Object.hasOwn(own, name);
      const value: unknown = isOwn ? own[name] : Reflect.get(given, name);
      if (value === undefined && form.isRequired !== true) continue;
      const checked = taken(what, name, { given: value, form });
      copy.set(name, !isOwn && typeof checked === "function" ? checked.bind(given) : checked);
    }
    return Object.fromEntries(copy);
  });
}

function refuseSlips(what: string, own: Readonly<Record<string, unknown>>, fields: Fields): void {
  const absent = Object.keys(fields).filter((name) => own[name] === undefined);
  for (const name of Object.keys(own)) {
    if (Object.hasOwn(fields, name) || !/^[a-z]/iu.test(name) || name.length > maxNameChars)
      continue;
    if (nearestName(name, absent) !== undefined) throw unknownName(what, "", { name, fields });
  }
}

/** Made by a literal, in whatever realm, and of no class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return !isRecord(prototype) || Object.getPrototypeOf(prototype) === null;
}

/** One argument that is not an object of options. */
export function checkedArgument<T>(path: string, given: T, form: Form): T;
export function checkedArgument(path: string, given: unknown, form: Form): unknown {
  return guarded(path, () => taken("", path, { given, form }));
}

/** A TypeError for what a program did wrong, as an answer of this system has it: a code, a sentence and what to do. */
export function argumentError(
  message: string,
  { hint, cause }: { readonly hint?: string; readonly cause?: unknown } = {},
): TypeError {
  const text = hint === undefined ? message : `${message} ${hint}`;
  const error = new TypeError(text, cause === undefined ? undefined : { cause });
  // Not enumerable: the message says it all where the error is printed.
  return Object.defineProperties(error, {
    code: { value: "INVALID_INPUT" },
    hint: { value: hint ?? message },
  });
}

/** Describes a value in a few words. */
export function described(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value.length > maxShownChars
        ? `${JSON.stringify(value.slice(0, maxShownChars))}…`
        : JSON.stringify(value);
    case "object":
      if (value === null) return "null";
      return isList(value) ? "a list" : "an object";
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    case "bigint":
      return "a BigInt";
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
  }
}

/** More items than any list of options has; walking a longer or a sparse list could take minutes. */
const maxItems = 100_000;
const maxDepth = 100;
const maxShownChars = 60;
/** Maximum characters of a misspelled name; a longer one is not compared with the existing names. */
const maxNameChars = 100;

/** Reads a value that a program passed: an exception of a getter or proxy trap becomes an argument error. */
export function guarded<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isArgumentError(cause)) throw cause;
    throw argumentError(`${what} cannot be read: a getter or a proxy of it throws.`, {
      hint: "Pass an object that can be read.",
      cause,
    });
  }
}

function isArgumentError(error: unknown): boolean {
  return error instanceof TypeError && Object.hasOwn(error, "hint");
}

interface Given {
  readonly given: unknown;
  readonly form: Form;
}

function taken(what: string, path: string, { given, form }: Given): unknown {
  if (form === plainData) return plainCopy(what, path, { given, depth: 0 });
  if (form.fits?.(given) === true) return given;
  if (form.items !== undefined && isList(given)) {
    if (given.length > maxItems) throw tooLong(what, path);
    const { items } = form;
    return Array.from(given, (item: unknown, index) =>
      taken(what, `${path}[${index}]`, { given: item, form: items }),
    );
  }
  if (isRecord(given)) {
    if (form.fields !== undefined) return fieldsOf(what, path, { given, fields: form.fields });
    const { values } = form;
    if (values !== undefined) {
      return Object.fromEntries(
        namesOf(given).map((name) => [
          name,
          taken(what, join(path, name), { given: Reflect.get(given, name), form: values }),
        ]),
      );
    }
  }
  throw wrong(what, path, { given, form });
}

function fieldsOf(
  what: string,
  path: string,
  { given, fields }: { readonly given: object; readonly fields: Fields },
): unknown {
  for (const name in given) {
    if (!Object.hasOwn(fields, name)) throw unknownName(what, path, { name, fields });
  }
  const found: [string, unknown][] = [];
  for (const [name, form] of Object.entries(fields)) {
    const value: unknown = Reflect.get(given, name);
    if (value === undefined && form.isRequired !== true) continue;
    found.push([name, taken(what, join(path, name), { given: value, form })]);
  }
  return Object.fromEntries(found);
}

function plainCopy(
  what: string,
  path: string,
  { given, depth }: { readonly given: unknown; readonly depth: number },
): unknown {
  if (depth > maxDepth) throw wrong(what, path, { given, form: plainData });
  const copy = (name: string, value: unknown): unknown =>
    plainCopy(what, name, { given: value, depth: depth + 1 });
  if (isList(given)) {
    if (given.length > maxItems) throw tooLong(what, path);
    return Array.from(given, (item: unknown, index) => copy(`${path}[${index}]`, item));
  }
  if (isRecord(given) && Object.prototype.toString.call(given) === "[object Object]") {
    return Object.fromEntries(
      namesOf(given).map((name) => [name, copy(join(path, name), Reflect.get(given, name))]),
    );
  }
  const isData =
    given === null || ["string", "number", "boolean", "undefined"].includes(typeof given);
  if (!isData) throw wrong(what, path, { given, form: plainData });
  return given;
}

/** Names of fields, own and inherited, with the getters of a class: what an object inherits must not get lost. */
function namesOf(given: object): readonly string[] {
  const names = new Set<string>();
  for (const name in given) names.add(name);
  let prototype: unknown = Object.getPrototypeOf(given);
  while (isRecord(prototype) && Object.getPrototypeOf(prototype) !== null) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (property.get !== undefined) names.add(name);
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return [...names];
}

function wrong(what: string, path: string, { given, form }: Given): TypeError {
  const near =
    typeof given === "string" && form.choices !== undefined
      ? nearestName(given.slice(0, maxNameChars), form.choices)
      : undefined;
  return argumentError(
    `${named(what, path)} must be ${form.is}, not ${described(given)}.`,
    near === undefined ? {} : { hint: `Did you mean ${JSON.stringify(near)}?` },
  );
}

function unknownName(
  what: string,
  path: string,
  { name, fields }: { readonly name: string; readonly fields: Fields },
): TypeError {
  const known = Object.keys(fields);
  const near = nearestName(name.slice(0, maxNameChars), known);
  return argumentError(`${named(what, path)} has no option ${described(name)}.`, {
    hint:
      near === undefined
        ? `There are: ${known.join(", ")}.`
        : `Did you mean ${JSON.stringify(near)}?`,
  });
}

function tooLong(what: string, path: string): TypeError {
  return argumentError(`${named(what, path)} must be a list of at most ${maxItems} entries.`);
}

function named(what: string, path: string): string {
  if (what === "" || path === "") return `${what}${path}`;
  return `${what}: ${path}`;
}

function join(path: string, name: string): string {
  const short = name.length > maxShownChars ? `${name.slice(0, maxShownChars)}…` : name;
  return path === "" ? short : `${path}.${short}`;
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
