import { isObject } from "../../text/index.ts";

/** Maximum characters of a call's title, summary and error message, for users and user interfaces. */
export const factChars = { title: 1000, summary: 4000, message: 16_000 } as const;

/** Maximum total characters of an outcome's metadata, or of its error's data. */
export const maxFactsChars = 262_144;
const maxDepth = 400;

/** Returns the beginning of a text with the number of omitted characters; never cuts inside a character. */
export function shortText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const unit = text.charCodeAt(limit - 1);
  const end = unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/**
 * Returns facts within the limit unchanged; otherwise the largest are omitted, each replaced by a note. Only whole
 * values are omitted, because half a secret is not recognized.
 */
export function shortFacts(
  facts: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (sizeOf(facts, maxFactsChars) <= maxFactsChars) return facts;
  const sizes = Object.entries(facts).map(([key, value]) => ({
    key,
    value,
    size: key.length + sizeOf(value, maxFactsChars),
  }));
  const kept = new Set<string>();
  let left = maxFactsChars;
  for (const { key, size } of sizes.toSorted((one, other) => one.size - other.size)) {
    left -= size;
    if (left >= 0) kept.add(key);
  }
  const shown: Record<string, unknown> = {};
  for (const { key, value } of sizes.slice(0, maxNamed)) {
    shown[key] = kept.has(key) ? value : "(too large)";
  }
  return shown;
}

/** More keys than any tool's metadata has. */
const maxNamed = 1000;

/** Counts the characters of strings and keys in a value, and a few for anything else; stops beyond `limit`. */
function sizeOf(value: unknown, limit: number, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (!isObject(value) || depth > maxDepth) return few;
  let size = few;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    size += key.length + sizeOf(value[key], limit - size, depth + 1);
    if (size > limit) break;
  }
  return size;
}

const few = 4;
