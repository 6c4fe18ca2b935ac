/** Undoes line numbers in texts that were copied from a listing. */
import { chooseNewText, relaxationsOf, type Undone } from "../candidate.ts";

/** Separators between a line number and its line. Each is a candidate of its own, never an optional character. */
const separators = ["\t", "\u2192", ": ", ":", " | ", "| ", "|", " \u2502 ", "\u2502"] as const;

/**
 * Removes line numbers that were copied from a listing: every line has one, and they are consecutive. The new text has
 * them on every line as well, or on none.
 */
export function undoLineNumbers(oldText: string, newText: string): Undone[] {
  if (!/^\n?[ \t]*\d/u.test(oldText)) return [];
  const lines = oldText.split("\n");
  return separators.flatMap((separator) => {
    const old = numbered(lines, separator);
    if (old === undefined) return [];
    // If a longer separator also fits every line, this one leaves part of the separator in the text.
    const isShort = separators.some(
      (other) =>
        other !== separator && other.startsWith(separator) && numbered(lines, other) !== undefined,
    );
    const plain = newTextWithout(old, { oldText, newText, separator });
    // A no-break space after a number shows how all blanks were converted.
    const hidesBlanks =
      oldText.includes(noBreak) && !old.text.includes(noBreak) && plain?.includes(noBreak);
    return [
      {
        relaxations: isShort
          ? relaxationsOf("lineNumbers", "shortSeparator")
          : relaxationsOf("lineNumbers"),
        oldText: old.text,
        newText: hidesBlanks === true ? undefined : plain,
        label: "without line numbers",
        startsLine: true,
        firstNumber: old.first,
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
    // The new text may consist of lines that begin with numbers of their own, unless they have two each.
    const isThroughout = own.size === 0 || numbersIn(updated.text, separator).size > 0;
    return chooseNewText({
      oldText: old.text,
      written: newText,
      undone: updated.text,
      isThroughout,
    });
  }
  const known = new Set(old.text.split("\n"));
  // Both texts may have been indented together with their numbers; an unchanged line would show it.
  const stays = lines.some((line) => line.trim() !== "" && known.has(line));
  if (!stays && wideColumn.test(oldText)) return undefined;
  // A number counts as part of the text, unless it belongs to a line of the old text or continues that numbering.
  const sent = new Set(oldText.split("\n"));
  const isOwn = (line: string): boolean => {
    const number = known.has(line) ? undefined : numberOf(line, separator);
    if (number === undefined) return true;
    return (own.has(number) || own.has(number - 1)) && !sent.has(line);
  };
  return lines.every((line) => isOwn(line)) ? newText : undefined;
}

/** No listing pads its numbers to so wide a column. */
const wideColumn = /^\n?(?: {7}| *\t)[ \t]*\d/u;

function numbersIn(text: string, separator: string): ReadonlySet<number> {
  return new Set(text.split("\n").flatMap((line) => numberOf(line, separator) ?? []));
}

/**
 * Number that a listing may have put before a line. A colon without a blank is too common to count for another
 * separator.
 */
function numberOf(line: string, separator: string): number | undefined {
  const [, number, mark] =
    /^[ \t]*(\d{1,9})(?:[ \u00A0]?(: |[\t\u2192:|\u2502])|$)/u.exec(line) ?? [];
  if (number === undefined) return undefined;
  const isListed =
    mark === undefined ? separator === "\t" : mark !== ":" || separator.includes(":");
  return isListed ? Number(number) : undefined;
}

/** Removes the numbers from a text in which every line has one; empty lines at the edges need none. */
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
  // If all lines are empty, there is no number.
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
  // Trailing blanks of an empty line are easily lost.
  return rest === separator.trimEnd() ? { number, content: "" } : undefined;
}
