const plainCharacters = new Map<string, string>();
for (const [plain, alike] of [
  ["'", "\u2018\u2019\u201A\u201B\u02BC\u2032"],
  ['"', "\u201C\u201D\u201E\u201F\u2033"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFE58\uFE63"],
  [
    " ",
    "\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000",
  ],
  ["...", "\u2026"],
  // Invisible characters.
  ["", "\u00AD\u200B\u200C\u200D\u2060\uFEFF"],
] as const) {
  for (const character of alike) plainCharacters.set(character, plain);
}
// Full-width forms of the printable ASCII characters.
for (let code = 0xff_01; code <= 0xff_5e; code++) {
  plainCharacters.set(String.fromCodePoint(code), String.fromCodePoint(code - 0xfe_e0));
}

/** Plain character, or "", as which a character is compared; undefined if it is compared as itself. */
export function readsAs(character: string): string | undefined {
  return plainCharacters.get(character);
}

const alike = new RegExp(`[${[...plainCharacters.keys()].join("")}]`, "g");

/** Whether every character of a text is compared in its own form. */
export function isPlain(text: string): boolean {
  return !hasSpecial(text) || (text.search(alike) === -1 && isComposed(text));
}

function isComposed(text: string): boolean {
  return text.normalize("NFC") === text;
}

/**
 * A character outside ASCII with its combining marks, a Korean syllable in its letters, or a plain character with such
 * marks; marks do not extend across a line break.
 */
const token =
  /[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?|[^\0-\u007F]\p{M}*|(?!\n)[\0-\u007F]\p{M}+/uy;
const foreign = /[\u0080-\uFFFF]/g;
const mark = /\p{M}/uy;

/** A character of a text that is compared in another form than its own. */
export interface Token {
  readonly at: number;
  readonly end: number;
  readonly folded: string;
}

/** Finds the first such character at or after an offset. */
export function tokenFinder(text: string): (from: number) => Token | undefined {
  // In composed text, only look-alikes have another form.
  const next = isComposed(text) ? nextAlike : startOfToken;
  return (from) => {
    for (let at = next(text, from); at !== -1;) {
      token.lastIndex = at;
      const [own = ""] = token.exec(text) ?? [];
      const folded = foldToken(own);
      if (folded !== own) return { at, end: at + own.length, folded };
      at = next(text, at + own.length);
    }
    return undefined;
  };
}

function nextAlike(text: string, from: number): number {
  alike.lastIndex = from;
  return alike.exec(text)?.index ?? -1;
}

/** Start of the first character outside ASCII, or of the character whose combining mark it is. */
function startOfToken(text: string, from: number): number {
  foreign.lastIndex = from;
  const at = foreign.exec(text)?.index ?? -1;
  if (at <= from || text[at - 1] === "\n") return at;
  mark.lastIndex = at;
  return mark.test(text) ? at - 1 : at;
}

/** Form in which a character is compared: composed, and plain if it only looks different. */
export function foldToken(text: string): string {
  // No character with a plain form is composed of others.
  return plainCharacters.get(text) ?? composed(text);
}

function composed(text: string): string {
  let folded = "";
  for (const character of text.normalize("NFC")) {
    folded += plainCharacters.get(character) ?? character;
  }
  return folded;
}

/** Whether a character is the full-width form of a printable ASCII character. */
export function isFullWidth(character: string): boolean {
  return character >= "\uFF01" && character <= "\uFF5E";
}

/** A complete text in the form in which it is compared. */
export function foldLookAlikes(text: string): string {
  if (isPlain(text)) return text;
  const nextToken = tokenFinder(text);
  let folded = "";
  let settled = 0;
  for (let next = nextToken(0); next !== undefined; next = nextToken(next.end)) {
    folded += text.slice(settled, next.at) + next.folded;
    settled = next.end;
  }
  return folded + text.slice(settled);
}

/** Characters of a text with their counterparts in the other text, if these are not ASCII or differ. */
export type CharacterMap = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Learns the counterparts of characters from two texts that are equal when folded. Blanks at both ends of a line may
 * differ. Undefined if the texts cannot be aligned.
 */
export function learnCharacters(
  from: readonly string[],
  to: readonly string[],
): CharacterMap | undefined {
  const map = new Map<string, Set<string>>();
  for (const [index, line] of from.entries()) {
    const other = to[index];
    if (other === undefined) return undefined;
    const learned =
      learnLine(map, tokens(line.trimEnd()), tokens(other.trimEnd())) ||
      learnLine(map, tokens(line.trim()), tokens(other.trim()));
    if (!learned) return undefined;
    // An unusual blank that is not in the file represents a plain one, wherever it is.
    for (const blank of line.match(/[^\S \t\r\n\v\f]/gu) ?? []) {
      if (!map.has(blank) && !other.includes(blank)) map.set(blank, new Set([" "]));
    }
  }
  return map;
}

function learnLine(
  map: Map<string, Set<string>>,
  from: readonly string[],
  to: readonly string[],
): boolean {
  let at = 0;
  const mines = from.values();
  for (const first of mines) {
    let mine = first;
    let theirs = "";
    let folded = foldToken(mine);
    let other = "";
    // One character may correspond to several, such as the ellipsis to three dots, on either side.
    while (folded !== other) {
      if (other.length < folded.length) {
        const next = to[at++];
        if (next === undefined) return false;
        theirs += next;
        other += foldToken(next);
      } else {
        const { value: next } = mines.next();
        if (next === undefined) return false;
        mine += next;
        folded += foldToken(next);
      }
    }
    if (!hasSpecial(mine)) continue;
    const known = map.get(mine);
    if (known === undefined) map.set(mine, new Set([theirs]));
    else known.add(theirs);
  }
  // Invisible characters may remain at the end.
  return to.slice(at).every((each) => foldToken(each) === "");
}

/**
 * Converts new text to the characters used at its match; undefined if those cannot be determined. If the old text had
 * typographic quotes or full-width forms in place of plain ones, those in the new text are converted too, even if the
 * old text does not contain them; another dash may represent one plain dash or two.
 */
export function applyCharacters(map: CharacterMap, lines: readonly string[]): string[] | undefined {
  const changes = new Map<string, string>();
  const present = new Set(lines.flatMap((line) => tokens(line)));
  const flattened = [...map].flatMap(([mine, targets]) => flattenedBy(mine, targets) ?? []);
  for (const mine of present) {
    const [target, another] = map.get(mine) ?? [];
    if (another !== undefined) return undefined;
    const kind = kindOf(mine);
    const isFlat = kind !== undefined && flattened.includes(kind);
    if (isFlat && target === undefined && kind === "dash") return undefined;
    const plain = target ?? (isFlat ? readsAs(mine) : undefined);
    if (plain === undefined || plain === mine) continue;
    // New text that contains the plain character as well does not have the artifact throughout. Blanks are never
    // replaced throughout, because their kind is invisible.
    if (plain.trim() !== "" && present.has(plain)) return undefined;
    changes.set(mine, plain);
  }
  return lines.map((line) =>
    tokens(line)
      .map((each) => changes.get(each) ?? each)
      .join(""),
  );
}

/**
 * Whether plain quotes as sent correspond to both plain and typographic ones within a line that changes: the new text
 * would put one kind in place of the other, which ends a string of code in its middle.
 */
export function mixesQuotes(
  sent: readonly string[],
  file: readonly string[],
  updated: readonly string[],
): boolean {
  const kept = new Set(updated);
  const changed = updated.filter((line) => !sent.includes(line));
  return ["'", '"'].some(
    (plain) =>
      changed.some((line) => line.includes(plain)) &&
      sent.some((line, index) => {
        const there = file[index] ?? "";
        if (kept.has(line) || !there.includes(plain) || !line.includes(plain)) return false;
        return tokens(there).some((each) => readsAs(each) === plain && !line.includes(each));
      }),
  );
}

/**
 * Whether new text has lines in the characters of the file and none in those sent, among lines that differ between the
 * two.
 */
export function isWrittenAs(
  file: readonly string[],
  sent: readonly string[],
  newText: string,
): boolean {
  const updated = new Set(newText.split("\n").map((line) => line.trim()));
  const differing = sent.flatMap((line, index) => {
    const [own, there] = [line.trim(), (file[index] ?? "").trim()];
    return own === there ? [] : [{ own, there }];
  });
  return (
    differing.some(({ there }) => updated.has(there)) &&
    !differing.some(({ own }) => updated.has(own))
  );
}

/** A kind of characters that are replaced by plain ones together, all of them or none. */
type Kind = "quote" | "dash" | "full-width" | undefined;

function kindOf(character: string): Kind {
  if (isFullWidth(character)) return "full-width";
  const plain = readsAs(character);
  if (plain === "-") return "dash";
  return plain === "'" || plain === '"' ? "quote" : undefined;
}

function flattenedBy(mine: string, targets: ReadonlySet<string>): Kind {
  const [target, another] = targets;
  return another === undefined && target === readsAs(mine) ? kindOf(mine) : undefined;
}

function tokens(line: string): string[] {
  return (
    line.match(
      /[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?|[^\0-\u007F]\p{M}*|[\0-\u007F]\p{M}*/gu,
    ) ?? []
  );
}

/** Whether a text has a character that may be treated as another one. */
export function hasSpecial(text: string): boolean {
  return /[\u0080-\uFFFF]/.test(text);
}

/** Whether any of the lines has such a character. */
export function hasLookAlikes(lines: readonly string[]): boolean {
  return lines.some((line) => hasSpecial(line));
}
