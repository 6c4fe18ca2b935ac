/**
 * The gitignore pattern grammar on canonical paths, without regular expressions: matching costs at
 * most pattern length times path length, whatever a settings file contains.
 */
export interface Glob {
  /** The first element is `deep` where the pattern applies at any depth. */
  readonly segments: readonly GlobSegment[];
  /** Written with a `/` that is not the last character, so it starts at its directory. */
  readonly anchored: boolean;
  /** Written with a `/` at the end: the path itself matches only if it is a directory. */
  readonly directoryOnly: boolean;
}

export type GlobSegment =
  | { readonly kind: "deep" }
  | { readonly kind: "any" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "wild"; readonly tokens: readonly GlobToken[] };

type GlobToken =
  | { readonly kind: "star" }
  | { readonly kind: "one" }
  | { readonly kind: "char"; readonly text: string }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly Range[] };

type Range = readonly [first: string, last: string];

const deep: GlobSegment = { kind: "deep" };
const any: GlobSegment = { kind: "any" };

/** Compiles a pattern, or returns a sentence saying why it is invalid. */
export function compileGlob(pattern: string): Glob | string {
  const text = withoutTrailingSpaces(pattern);
  if (text === "") return "The pattern is empty.";
  if (text.startsWith("!")) return "A pattern cannot take something back with `!`.";
  const directoryOnly = endsWithSlash(text);
  const pieces = text.split("/");
  if (directoryOnly) pieces.pop();
  if (pieces[0] === "") pieces.shift();
  const anchored = text.slice(0, directoryOnly ? -1 : undefined).includes("/");
  const segments: GlobSegment[] = [];
  for (const piece of pieces) {
    if (piece === "" || piece === ".") continue;
    if (piece === "..") return "`..` may only be at the start of a pattern.";
    const segment = compileSegment(piece);
    if (typeof segment === "string") return segment;
    if (segment.kind === "deep" && segments.at(-1)?.kind === "deep") continue;
    segments.push(segment);
  }
  // `a/**` matches everything inside `a`: at least one more component.
  if (segments.at(-1)?.kind === "deep") segments.push(any);
  return { segments, anchored, directoryOnly };
}

/**
 * Returns the end of the shortest match as an index into `path`, or -1. `start` is the index of the first component
 * to check. A match that ends before the path does matches an ancestor, which covers the path.
 */
export function matchEnd(segments: readonly GlobSegment[], path: string, start: number): number {
  let index = 0;
  let at = start;
  let retryIndex = -1;
  let retryAt = 0;
  for (;;) {
    const segment = segments[index];
    if (segment === undefined) return Math.min(at - 1, path.length);
    if (segment.kind === "deep") {
      index += 1;
      retryIndex = index;
      retryAt = at;
      continue;
    }
    if (at < path.length) {
      const end = componentEnd(path, at);
      if (matchesComponent(segment, path.slice(at, end))) {
        index += 1;
        at = end + 1;
        continue;
      }
    }
    if (retryIndex === -1 || retryAt >= path.length) return -1;
    retryAt = componentEnd(path, retryAt) + 1;
    index = retryIndex;
    at = retryAt;
  }
}

/** Whether the pattern could match something strictly below `path`, which it does not match itself. */
export function mayMatchBelow(
  segments: readonly GlobSegment[],
  path: string,
  start: number,
): boolean {
  let states = closure(new Set([0]), segments);
  for (let at = start; at < path.length;) {
    const end = componentEnd(path, at);
    const name = path.slice(at, end);
    const next = new Set<number>();
    for (const state of states) {
      const segment = segments[state];
      if (segment === undefined) continue;
      if (segment.kind === "deep") next.add(state);
      else if (matchesComponent(segment, name)) next.add(state + 1);
    }
    states = closure(next, segments);
    at = end + 1;
  }
  return states.size > 0;
}

/** Escapes a component so that it matches only itself. */
export function escapeGlob(name: string): string {
  return name.replaceAll(/[\\*?[\]]/gu, String.raw`\$&`).replace(/^[!#]/u, String.raw`\$&`);
}

/** Returns the pattern as it could have been written, without a slash at either end. */
export function globText(segments: readonly GlobSegment[]): string {
  return segments.map(segmentText).join("/");
}

function segmentText(segment: GlobSegment): string {
  switch (segment.kind) {
    case "deep":
      return "**";
    case "any":
      return "*";
    case "literal":
      return escapeGlob(segment.text);
    case "wild":
      return segment.tokens.map(tokenText).join("");
  }
}

function tokenText(token: GlobToken): string {
  switch (token.kind) {
    case "star":
      return "*";
    case "one":
      return "?";
    case "char":
      return escapeGlob(token.text);
    case "class": {
      const ranges = token.ranges.map(([first, last]) => `\\${first}-\\${last}`);
      return `[${token.negated ? "!" : ""}${ranges.join("")}]`;
    }
  }
}

function closure(states: Set<number>, segments: readonly GlobSegment[]): Set<number> {
  for (const state of states) {
    if (segments[state]?.kind === "deep") states.add(state + 1);
  }
  return states;
}

function componentEnd(path: string, at: number): number {
  const slash = path.indexOf("/", at);
  return slash === -1 ? path.length : slash;
}

function matchesComponent(segment: GlobSegment, name: string): boolean {
  switch (segment.kind) {
    case "literal":
      return segment.text === name;
    case "any":
    case "deep":
      return true;
    case "wild":
      return matchesTokens(segment.tokens, name);
  }
}

function matchesTokens(tokens: readonly GlobToken[], name: string): boolean {
  let index = 0;
  let at = 0;
  let retryIndex = -1;
  let retryAt = 0;
  while (at < name.length || index < tokens.length) {
    const token = tokens[index];
    if (token?.kind === "star") {
      index += 1;
      retryIndex = index;
      retryAt = at;
      continue;
    }
    if (token !== undefined && at < name.length && matchesOne(token, name.charAt(at))) {
      index += 1;
      at += 1;
      continue;
    }
    if (retryIndex === -1 || retryAt >= name.length) return false;
    retryAt += 1;
    index = retryIndex;
    at = retryAt;
  }
  return true;
}

function matchesOne(token: GlobToken, character: string): boolean {
  switch (token.kind) {
    case "star":
    case "one":
      return true;
    case "char":
      return token.text === character;
    case "class":
      return (
        token.ranges.some(([first, last]) => first <= character && character <= last) !==
        token.negated
      );
  }
}

function compileSegment(piece: string): GlobSegment | string {
  if (piece === "**") return deep;
  if (/^\*+$/u.test(piece)) return any;
  const tokens: GlobToken[] = [];
  for (let at = 0; at < piece.length; at += 1) {
    const character = piece.charAt(at);
    if (character === "\\") {
      at += 1;
      if (at >= piece.length) return "A backslash at the end escapes nothing.";
      tokens.push({ kind: "char", text: piece.charAt(at) });
    } else if (character === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (character === "?") {
      tokens.push({ kind: "one" });
    } else if (character === "[") {
      const read = readClass(piece, at);
      if (read === undefined) return "`[` is not closed; write `\\[` for the character itself.";
      tokens.push(read.token);
      at = read.end;
    } else {
      tokens.push({ kind: "char", text: character });
    }
  }
  const literal = tokens.every((token) => token.kind === "char");
  return literal
    ? { kind: "literal", text: tokens.map((token) => token.text).join("") }
    : { kind: "wild", tokens };
}

const named: Readonly<Record<string, readonly Range[]>> = {
  alnum: [
    ["0", "9"],
    ["A", "Z"],
    ["a", "z"],
  ],
  alpha: [
    ["A", "Z"],
    ["a", "z"],
  ],
  blank: [
    [" ", " "],
    ["\t", "\t"],
  ],
  digit: [["0", "9"]],
  lower: [["a", "z"]],
  space: [
    [" ", " "],
    ["\t", "\r"],
  ],
  upper: [["A", "Z"]],
  xdigit: [
    ["0", "9"],
    ["A", "F"],
    ["a", "f"],
  ],
};

function readClass(
  piece: string,
  open: number,
): { readonly token: GlobToken; readonly end: number } | undefined {
  const ranges: Range[] = [];
  let at = open + 1;
  const negated = piece[at] === "!" || piece[at] === "^";
  if (negated) at += 1;
  for (let isFirst = true; at < piece.length; isFirst = false) {
    if (piece[at] === "]" && !isFirst) {
      return { token: { kind: "class", negated, ranges }, end: at };
    }
    const name = /^\[:([a-z]+):\]/u.exec(piece.slice(at));
    if (name !== null) {
      const members = named[name[1] ?? ""];
      if (members === undefined) return undefined;
      ranges.push(...members);
      at += name[0].length;
      continue;
    }
    const first = readMember(piece, at);
    if (first === undefined) return undefined;
    at = first.end;
    if (piece[at] === "-" && at + 1 < piece.length && piece[at + 1] !== "]") {
      const last = readMember(piece, at + 1);
      if (last === undefined) return undefined;
      at = last.end;
      ranges.push([first.text, last.text]);
    } else {
      ranges.push([first.text, first.text]);
    }
  }
  return undefined;
}

function readMember(
  piece: string,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  const character = piece[at];
  if (character === undefined) return undefined;
  if (character !== "\\") return { text: character, end: at + 1 };
  const escaped = piece[at + 1];
  return escaped === undefined ? undefined : { text: escaped, end: at + 2 };
}

function withoutTrailingSpaces(pattern: string): string {
  let end = pattern.length;
  while (end > 0 && pattern[end - 1] === " " && !isEscapedAt(pattern, end - 1)) end -= 1;
  return pattern.slice(0, end);
}

function endsWithSlash(text: string): boolean {
  return text.endsWith("/") && text.length > 1;
}

function isEscapedAt(text: string, index: number): boolean {
  let backslashes = 0;
  for (let at = index - 1; at >= 0 && text[at] === "\\"; at -= 1) backslashes += 1;
  return backslashes % 2 === 1;
}
