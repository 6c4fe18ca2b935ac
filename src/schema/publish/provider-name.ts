import { argumentError, type DefinitionFormat } from "../../core/index.ts";

/**
 * Converts a name to one that the provider accepts: invalid characters become `_`, and a name that is too long keeps
 * its head and tail with a hash of the full name between them. A valid name is unchanged. An unknown format is a
 * TypeError.
 */
export function sanitizeName(name: string, format: DefinitionFormat): string {
  if (typeof format !== "string" || !Object.hasOwn(rules, format)) {
    throw argumentError(`The format must be one of ${Object.keys(rules).join(", ")}.`);
  }
  const { other, start, maxLength } = rules[format];
  const clean = name.replaceAll(other, "_");
  const started = start.test(clean) ? clean : `_${clean}`;
  return started.length <= maxLength ? started : shorten(name, started, maxLength);
}

/** Names of a set of tools at a provider, in both directions. */
export interface NameMap {
  /** Provider's names, by our name. */
  readonly theirs: ReadonlyMap<string, string>;
  /** Our names, by the provider's name. */
  readonly ours: ReadonlyMap<string, string>;
}

/** Gives each tool a unique name at a provider. If two would share one, those that had to change get a hash. */
export function mapNames(names: readonly string[], format: DefinitionFormat): NameMap {
  const takers = new Map<string, number>();
  for (const name of new Set(names)) {
    const theirs = sanitizeName(name, format);
    takers.set(theirs, (takers.get(theirs) ?? 0) + 1);
  }
  const theirs = new Map<string, string>();
  for (const name of names) {
    const wanted = sanitizeName(name, format);
    const isShared = wanted !== name && (takers.get(wanted) ?? 0) > 1;
    theirs.set(name, isShared ? shorten(name, wanted, rules[format].maxLength) : wanted);
  }
  return { theirs, ours: new Map([...theirs].map(([ours, other]) => [other, ours])) };
}

const openai = { other: /[^\w-]/gu, start: /^./u, maxLength: 64 };

const rules = {
  openai,
  "openai-chat": openai,
  "openai-responses": openai,
  anthropic: { other: /[^\w-]/gu, start: /^./u, maxLength: 64 },
  gemini: { other: /[^\w.:-]/gu, start: /^[A-Za-z_]/u, maxLength: 64 },
  mcp: { other: /[^\w.-]/gu, start: /^./u, maxLength: 128 },
} as const satisfies Record<DefinitionFormat, { other: RegExp; start: RegExp; maxLength: number }>;

function shorten(name: string, clean: string, maxLength: number): string {
  const mark = `_${hash(name)}_`;
  const room = maxLength - mark.length;
  if (clean.length < room) return `${clean}_${hash(name)}`;
  const head = Math.ceil(room / 2);
  return `${clean.slice(0, head)}${mark}${clean.slice(clean.length - (room - head))}`;
}

/** FNV-1a in 32 bits, as eight hexadecimal digits: the same on every machine. */
function hash(text: string): string {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    state = Math.imul(state ^ byte, 0x01000193) >>> 0;
  }
  return state.toString(16).padStart(8, "0");
}
