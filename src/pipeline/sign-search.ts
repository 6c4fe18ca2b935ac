/** All signs have at least so many characters. */
const shortest = 3;
const letters = 128;

export interface FoundSign {
  readonly at: number;
  readonly sign: string;
}

/** The first of some signs that stands in a text, from a place on. */
export type SignSearch = (text: string, from: number) => FoundSign | undefined;

/**
 * Makes a search for many short texts at once, several times as fast as a pattern that lists them: every call's output
 * comes by here. It looks at the last two of each three characters and skips what no sign could hold (Wu and Manber).
 */
export function signSearch(signs: readonly string[]): SignSearch {
  const skips = new Uint8Array(letters * letters).fill(shortest - 1);
  const byStart = new Map<number, string[]>();
  for (const sign of signs) {
    if (sign.length < shortest || /[^\0-\u007F]/u.test(sign)) {
      throw new TypeError(`A sign is at least ${shortest} characters of ASCII: ${sign}.`);
    }
    skips[pairAt(sign, 0)] = 1;
    const start = startAt(sign, 0);
    byStart.set(start, [...(byStart.get(start) ?? []), sign]);
  }
  for (const sign of signs) skips[pairAt(sign, 1)] = 0;
  return (text, from) => {
    const end = text.length;
    let at = from + shortest - 1;
    while (at < end) {
      const one = text.charCodeAt(at - 1);
      const two = text.charCodeAt(at);
      const skip = (one | two) < letters ? (skips[one * letters + two] ?? 0) : 1;
      if (skip === 0) {
        const start = at - shortest + 1;
        const possible = byStart.get(startAt(text, start));
        const sign = possible?.find((each) => text.startsWith(each, start));
        if (sign !== undefined) return { at: start, sign };
        at += 1;
      } else at += skip;
    }
    return undefined;
  };
}

function pairAt(text: string, at: number): number {
  return text.charCodeAt(at) * letters + text.charCodeAt(at + 1);
}

function startAt(text: string, at: number): number {
  return pairAt(text, at) * letters + text.charCodeAt(at + 2);
}
