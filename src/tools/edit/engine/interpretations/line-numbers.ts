import { chooseNewText, waysOf, type Undone } from "../reading.ts";

/** What may stand between a line number and its line. Each is a reading of its own, never an optional character. */
const separators = ["\t", "\u2192", ": ", ":", " | ", "| ", "|", " \u2502 ", "\u2502"] as const;

/**
 * Undoes line numbers that were copied from a listing: every line has one, each greater by one than that
 * before. The new text has them on every line as well, or on none.
 */
export function undoLineNumbers(oldText: string, newText: string): Undone[] {
  if (!/^\n?[ \t]*\d/u.test(oldText)) return [];
  const lines = oldText.split("\n");
  return separators.flatMap((separator) => {
    const old = numbered(lines, separator);
    if (old === undefined) return [];
    // Where a longer separator fits every line as well, this one leaves part of it to the text.
    const isShort = separators.some(
      (other) =>
        other !== separator && other.startsWith(separator) && numbered(lines, other) !== undefined,
    );
    const plain = newTextWithout(old, { oldText, newText, separator });
    // A blank behind a number that does not break shows what was done to all of them.
    const hidesBlanks =
      oldText.includes(noBreak) && !old.text.includes(noBreak) && plain?.includes(noBreak);
    return [
      {
        ways: isShort ? waysOf("lineNumbers", "shortSeparator") : waysOf("lineNumbers"),
        oldText: old.text,
        newText: hidesBlanks === true ? undefined : plain,
        label: "without line numbers",
        startsLine: true,
      },
    ];
  });
}

const noBreak = "\u00A0";

interface Numbered {
  readonly text: string;
  readonly first: number;
  readonly last: number;
}

interface Texts {
  readonly oldText: string;
  readonly newText: string;
  readonly separator: string;
}

function newTextWithout(old: Numbered, { oldText, newText, separator }: Texts): string | undefined {
  const lines = newText.split("\n");
  const updated = numbered(lines, separator);
  const own = numbersIn(old.text, separator);
  if (updated !== undefined && updated.first >= old.first && updated.first <= old.last + 1) {
    // Lines that begin with numbers of their own may be what the new text consists of, unless they have two each.
    const isThroughout = own.size === 0 || numbersIn(updated.text, separator).size > 0;
    return chooseNewText({ oldText: old.text, raw: newText, undone: updated.text, isThroughout });
  }
  const known = new Set(old.text.split("\n"));
  // Both texts may have been indented when the numbers were there already: a line that stays would show it.
  const stays = lines.some((line) => line.trim() !== "" && known.has(line));
  if (!stays && wideColumn.test(oldText)) return undefined;
  // A number counts, unless it is that of a line of the old text itself or goes on to count such lines.
  const sent = new Set(oldText.split("\n"));
  const isOwn = (line: string): boolean => {
    const number = known.has(line) ? undefined : numberOf(line, separator);
    if (number === undefined) return true;
    return (own.has(number) || own.has(number - 1)) && !sent.has(line);
  };
  return lines.every((line) => isOwn(line)) ? newText : undefined;
}

/** No listing sets its numbers in so wide a column. */
const wideColumn = /^\n?(?: {7}| *\t)[ \t]*\d/u;

function numbersIn(text: string, separator: string): ReadonlySet<number> {
  return new Set(text.split("\n").flatMap((line) => numberOf(line, separator) ?? []));
}

/** The number before a line that a listing may have put there: a colon without a blank is too common to be another one's. */
function numberOf(line: string, separator: string): number | undefined {
  const [, number, mark] =
    /^[ \t]*(\d{1,9})(?:[ \u00A0]?(: |[\t\u2192:|\u2502])|$)/u.exec(line) ?? [];
  if (number === undefined) return undefined;
  const isListed =
    mark === undefined ? separator === "\t" : mark !== ":" || separator.includes(":");
  return isListed ? Number(number) : undefined;
}

/** A text of which every line has a number, without them; empty lines at the edges need none. */
function numbered(lines: readonly string[], separator: string): Numbered | undefined {
  const result: string[] = [];
  const numbers: number[] = [];
  for (const [index, line] of lines.entries()) {
    const isEdge = index === 0 || index === lines.length - 1;
    if (line === "" && isEdge) {
      result.push("");
      continue;
    }
    const found = prefix(line, separator);
    if (found === undefined) return undefined;
    const previous = numbers.at(-1) ?? found.number - 1;
    if (found.number !== previous + 1) return undefined;
    numbers.push(found.number);
    result.push(found.content);
  }
  // Where all lines are empty no number is among them.
  const [first = Number.NaN] = numbers;
  return { text: result.join("\n"), first, last: numbers.at(-1) ?? first };
}

interface Prefix {
  readonly number: number;
  readonly content: string;
}

function prefix(line: string, separator: string): Prefix | undefined {
  const digits = /^[ \t]*(\d{1,9})/u.exec(line);
  if (digits === null) return undefined;
  const number = Number(digits[1]);
  const rest = line.slice(digits[0].length);
  if (rest.slice(0, separator.length).replaceAll(noBreak, " ") === separator) {
    return { number, content: rest.slice(separator.length) };
  }
  // Blanks at the end of an empty line are easily lost.
  return rest === separator.trimEnd() ? { number, content: "" } : undefined;
}
