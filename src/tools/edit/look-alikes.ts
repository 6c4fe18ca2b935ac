/** Characters that look alike: which are compared as the same, and which of them new text needs at its match. */

/** Kinds of characters that are replaced by plain ones together, all of them or none. */
type Kind = "quote" | "dash" | "full-width" | "blank" | "ellipsis" | "invisible";

interface Alike {
  readonly kind: Kind;
  /** Character as which the others are compared; empty for those that are not seen. */
  readonly plain: string;
}

const table: readonly (Alike & { readonly others: string })[] = [
  { kind: "quote", plain: "'", others: "\u2018\u2019\u201A\u201B\u02BC\u2032" },
  { kind: "quote", plain: '"', others: "\u201C\u201D\u201E\u201F\u2033" },
  { kind: "dash", plain: "-", others: "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\uFE58\uFE63" },
  {
    kind: "blank",
    plain: " ",
    others:
      "\u00A0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000",
  },
  { kind: "ellipsis", plain: "...", others: "\u2026" },
  { kind: "invisible", plain: "", others: "\u00AD\u200B\u200C\u200D\u2060\uFEFF" },
  // Full-width forms of the printable ASCII characters.
  ...Array.from({ length: 0x5e }, (_, index) => ({
    kind: "full-width" as const,
    plain: String.fromCodePoint(0x21 + index),
    others: String.fromCodePoint(0xff_01 + index),
  })),
];

const alikes: ReadonlyMap<string, Alike> = new Map(
  table.flatMap((row) => Array.from(row.others, (character) => [character, row] as const)),
);
const anyAlike = new RegExp(`[${[...alikes.keys()].join("")}]`, "gu");

/**
 * A character with the marks that combine with it, or a Korean syllable in its letters. Marks do not combine across a
 * line break.
 */
const anyCharacter =
  /[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?|[^\0-\u007F]\p{M}*|(?!\n)[\0-\u007F]\p{M}*/gu;
/** The same, without plain characters that no mark follows: only these may be compared in another form. */
const specialCharacter =
  /[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?|[^\0-\u007F]\p{M}*|(?!\n)[\0-\u007F]\p{M}+/gu;

/** Whether a text has a character that may be compared in another form. */
export function hasSpecial(text: string): boolean {
  return /[\u0080-\uFFFF]/.test(text);
}

/** Form in which a character is compared: composed, and plain if it only looks different. */
function plainCharacter(character: string): string {
  if (character.length === 1 && character <= "~") return character;
  const known = alikes.get(character);
  if (known !== undefined) return known.plain;
  let plain = "";
  for (const each of character.normalize("NFC")) plain += alikes.get(each)?.plain ?? each;
  return plain;
}

/** A text in the form in which it is compared. */
export function foldLookAlikes(text: string): string {
  if (!hasSpecial(text)) return text;
  // In composed text, only characters of the table have another form.
  if (text.normalize("NFC") === text) return text.replaceAll(anyAlike, plainCharacter);
  const lines = text
    .split("\n")
    .map((line) => (hasSpecial(line) ? line.replaceAll(specialCharacter, plainCharacter) : line));
  return lines.join("\n");
}

/**
 * Offset in a line that belongs to one in its folded form: where the character there starts, or where the one before
 * it ends. Undefined inside a character.
 */
export function unfoldedOffset(
  line: string,
  folded: number,
  edge: "start" | "end",
): number | undefined {
  // Difference between both offsets, up to the character.
  let shift = 0;
  for (const { 0: own, index } of line.matchAll(specialCharacter)) {
    const plain = plainCharacter(own);
    const start = index - shift;
    const end = start + plain.length;
    if (folded < start) break;
    if (edge === "start" ? folded < end : folded <= end) {
      if (folded === start) return index;
      if (folded === end || plain.length === own.length) return index + own.length - end + folded;
      return undefined;
    }
    shift += own.length - plain.length;
  }
  return folded + shift;
}

/** Whether a character looks like a blank or is invisible. */
export function isSeenAsBlank(character: string): boolean {
  // A form feed or a lone carriage return does not count: it has another effect.
  if (character <= "~") return character === " " || character === "\t";
  return (alikes.get(character)?.plain ?? character).trim() === "";
}

/** Blanks at the end of a line, including characters that look like one. */
export function blanksAfter(line: string): string {
  let start = line.length;
  while (isSeenAsBlank(line[start - 1] ?? "")) start--;
  return line.slice(start);
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
      learnLine(map, characters(line.trimEnd()), characters(other.trimEnd())) ||
      learnLine(map, characters(line.trim()), characters(other.trim()));
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
  const rest = from.values();
  for (const first of rest) {
    let mine = first;
    let theirs = "";
    let folded = plainCharacter(mine);
    let other = "";
    // One character may correspond to several, such as the ellipsis to three dots, on either side.
    while (folded !== other) {
      if (other.length < folded.length) {
        const next = to[at++];
        if (next === undefined) return false;
        theirs += next;
        other += plainCharacter(next);
      } else {
        const { value: next } = rest.next();
        if (next === undefined) return false;
        mine += next;
        folded += plainCharacter(next);
      }
    }
    if (!hasSpecial(mine)) continue;
    const known = map.get(mine);
    if (known === undefined) map.set(mine, new Set([theirs]));
    else known.add(theirs);
  }
  // Invisible characters may remain at the end.
  return to.slice(at).every((each) => plainCharacter(each) === "");
}

/**
 * Converts new text to the characters used at its match; undefined if those cannot be determined. If the old text had
 * typographic quotes or full-width forms in place of plain ones, those in the new text are converted too, even if the
 * old text does not contain them; another dash may represent one plain dash or two.
 */
export function applyCharacters(map: CharacterMap, lines: readonly string[]): string[] | undefined {
  const changes = new Map<string, string>();
  const present = new Set(lines.flatMap((line) => characters(line)));
  const flattened = new Set([...map].flatMap(([mine, targets]) => flattenedBy(mine, targets)));
  for (const mine of present) {
    const [target, another] = map.get(mine) ?? [];
    if (another !== undefined) return undefined;
    const kind = flattenedKind(mine);
    const isFlat = kind !== undefined && flattened.has(kind);
    if (isFlat && target === undefined && kind === "dash") return undefined;
    const plain = target ?? (isFlat ? alikes.get(mine)?.plain : undefined);
    if (plain === undefined || plain === mine) continue;
    // New text that contains the plain character as well does not have the artifact throughout. Blanks are never
    // replaced throughout, because their kind is invisible.
    if (plain.trim() !== "" && present.has(plain)) return undefined;
    changes.set(mine, plain);
  }
  return lines.map((line) =>
    characters(line)
      .map((each) => changes.get(each) ?? each)
      .join(""),
  );
}

/** Kind of a character that is replaced together with others of its kind. */
function flattenedKind(character: string): Kind | undefined {
  const kind = alikes.get(character)?.kind;
  return kind === "quote" || kind === "dash" || kind === "full-width" ? kind : undefined;
}

/** Kind of a character that the file has in its plain form wherever it was sent. */
function flattenedBy(mine: string, targets: ReadonlySet<string>): readonly Kind[] {
  const kind = flattenedKind(mine);
  const [target, another] = targets;
  const isFlat = another === undefined && target === alikes.get(mine)?.plain;
  return isFlat && kind !== undefined ? [kind] : [];
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
        return characters(there).some(
          (each) => alikes.get(each)?.plain === plain && !line.includes(each),
        );
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

/** Characters of a line, with their combining marks. */
function characters(line: string): string[] {
  return line.match(anyCharacter) ?? [];
}
