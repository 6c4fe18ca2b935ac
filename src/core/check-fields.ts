/** What a field of options must be: in words, and as a test that never has to guard itself against the value. */
export interface Form {
  readonly is: string;
  readonly fits: (value: unknown) => boolean;
}

/** More than any list of options has; a longer one, or a sparse one, would be walked for minutes. */
const maxItems = 100_000;
const maxNamedChars = 100;

export const aText: Form = { is: "a text", fits: (value) => typeof value === "string" };
export const aFlag: Form = { is: "true or false", fits: (value) => typeof value === "boolean" };
export const aFunction: Form = { is: "a function", fits: (value) => typeof value === "function" };
export const anObject: Form = { is: "an object", fits: isPlainRecord };
export const aSignal: Form = {
  is: "an AbortSignal",
  fits: (value) => value instanceof AbortSignal,
};

export function aListOf(item: Form, is: string): Form {
  return { is, fits: (value) => isListOf(value, item.fits) };
}

export function isListOf(value: unknown, fits: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= maxItems && Array.from(value).every(fits);
}

/**
 * A copy of the options with each field read once. Throws a TypeError for what is not an object, cannot be read, or has
 * a field of the wrong form; `undefined` counts as left out.
 */
export function checkedFields<T extends object>(
  what: string,
  given: T,
  forms: Readonly<Record<string, Form>>,
): T {
  const fields = fieldsOf(what, given);
  for (const [name, { is, fits }] of Object.entries(forms)) {
    const value: unknown = Reflect.get(fields, name);
    if (value !== undefined && !safely(fits, value)) {
      throw new TypeError(`${what}: ${name} must be ${is}.`);
    }
  }
  return fields;
}

/** The same where no field is looked at. */
export function fieldsOf<T extends object>(what: string, given: T): T {
  let fields: T | undefined;
  try {
    if (isPlainRecord(given)) fields = { ...given };
  } catch (cause) {
    throw new TypeError(`The options of ${what} cannot be read. Pass a plain object.`, { cause });
  }
  if (fields === undefined) throw new TypeError(`${what} takes an object of options.`);
  return fields;
}

/** A name that came from outside, short enough for a message. */
export function namedBriefly(value: unknown): string {
  if (typeof value !== "string") return typeof value;
  const text = JSON.stringify(value);
  return text.length > maxNamedChars ? `${text.slice(0, maxNamedChars)}…` : text;
}

/** A value that cannot even be looked at, such as a revoked proxy, does not fit. */
export function safely(fits: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return fits(value);
  } catch {
    return false;
  }
}

function isPlainRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
