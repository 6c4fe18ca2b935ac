/** Characters of what a call was, of what came of it, and of what went wrong; for people and interfaces. */
export const factChars = { title: 1000, summary: 4000, message: 16_000 } as const;

/** Characters of everything an outcome's metadata, or the data of its error, holds. */
export const maxFactsChars = 262_144;
const maxDepth = 400;

/** The beginning of a text, with a count of what is left out, never inside a character. */
export function shortText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const unit = text.charCodeAt(limit - 1);
  const end = unit >= 0xd800 && unit <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

/**
 * Facts that are few enough as they are; of others the largest are left out, each named in its place. Whole values
 * only: half a secret could not be told from any other word.
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

/** More names than any tool has for its facts. */
const maxNamed = 1000;

/** Characters of texts and names in a value, and a few for anything else; stops counting beyond `limit`. */
function sizeOf(value: unknown, limit: number, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > maxDepth) return few;
  let size = few;
  if (!isRecord(value)) return size;
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    size += key.length + sizeOf(value[key], limit - size, depth + 1);
    if (size > limit) break;
  }
  return size;
}

const few = 4;

function isRecord(value: object): value is Readonly<Record<string, unknown>> {
  return typeof value === "object";
}
