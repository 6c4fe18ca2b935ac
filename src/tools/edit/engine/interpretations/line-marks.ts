import { chooseNewText, waysOf, type Undone } from "../reading.ts";
import { isInQuotes } from "../suspicion.ts";

/** Undoes `> ` before every line, as a quotation has it. One line alone may well be one. */
export function undoQuotation(oldText: string, newText: string): Undone[] {
  if (!oldText.startsWith(">") || countFull(oldText) < 2) return [];
  const old = withoutMarks(oldText, quoted);
  if (old === undefined) return [];
  const undone = withoutMarks(newText, quoted);
  const isMixed = undone === undefined ? /^>/mu.test(newText) : losesOwn(old, undone);
  return [
    {
      ways: waysOf("quotation"),
      oldText: old,
      newText: isMixed ? undefined : (undone ?? newText),
      label: "without the marks of a quotation",
      startsLine: true,
    },
  ];
}

/** Whether a line of the file that is a quotation itself is in the new text no more: its mark may be the only one left. */
function losesOwn(old: string, undone: string): boolean {
  const kept = new Set(undone.split("\n"));
  return old.split("\n").some((line) => line.startsWith(">") && !kept.has(line));
}

function quoted(line: string): string | undefined {
  if (line.startsWith("> ")) return line.slice(2);
  return line === ">" ? "" : undefined;
}

/**
 * Undoes the marks of a diff: a minus or a blank before every line of the old text, a plus or a blank before every
 * one of the new text, and the same lines behind the blanks of both.
 */
export function undoDiff(oldText: string, newText: string): Undone[] {
  if (!isDiff({ oldText, newText })) return [];
  return [
    {
      ways: waysOf("diffMarks"),
      oldText: withoutMarks(oldText, afterMark) ?? oldText,
      newText:
        setsApart(oldText, newText) || isSigned(oldText, newText)
          ? undefined
          : withoutMarks(newText, afterMark),
      label: "without the marks of a diff",
      startsLine: true,
    },
  ];
}

function afterMark(line: string): string {
  return line.slice(1);
}

/**
 * Whether a blank may stand between each plus and its line: the lines are behind an odd number of blanks there, and
 * none of the old text is.
 */
function setsApart(oldText: string, newText: string): boolean {
  const added = newText.split("\n").filter((line) => /^\+.*\S/u.test(line));
  if (added.length === 0 || !added.every((line) => isOddlyIndented(line))) return false;
  return !oldText.split("\n").some((line) => isOddlyIndented(line));
}

/** Whether what may be marks of a diff are signs before numbers. */
function isSigned(oldText: string, newText: string): boolean {
  return !/^[+-](?!\.?\d)/mu.test(`${oldText}\n${newText}`);
}

function isOddlyIndented(line: string): boolean {
  return /^.(?: {2})* (?! )/u.test(line);
}

/** Whether two texts are the two sides of a diff. */
export function isDiff({
  oldText,
  newText = "",
}: {
  readonly oldText: string;
  readonly newText: string | undefined;
}): boolean {
  if (!newText.startsWith("+") && !newText.includes("\n+")) return false;
  if (/^[^ \n-]/mu.test(oldText) || /^[^ \n+]/mu.test(newText)) return false;
  return contextOf(oldText) === contextOf(newText);
}

function contextOf(text: string): string {
  const context = text.split("\n").filter((line) => line.startsWith(" "));
  return context.join("\n");
}

/** Undoes `^M` at the end of every line, as a carriage return is shown. */
export function undoShownReturns(oldText: string, newText: string): Undone[] {
  if (!/\^M(?:\n|$)/u.test(oldText)) return [];
  const old = withoutReturns(oldText);
  if (old === undefined) return [];
  const undone = withoutReturns(newText);
  const isMixed = undone === undefined && /\^M(?:\n|$)/u.test(newText);
  return [
    {
      ways: waysOf("shownReturns"),
      oldText: old,
      newText: isMixed ? undefined : (undone ?? newText),
      label: "without ^M at line ends",
      endsLine: true,
    },
  ];
}

/** The last line may have been cut off before its end. */
function withoutReturns(text: string): string | undefined {
  const lines = text.split("\n");
  const last = lines.length - 1;
  if (lines.some((line, index) => index < last && !line.endsWith("^M"))) return undefined;
  return lines.map((line) => (line.endsWith("^M") ? line.slice(0, -2) : line)).join("\n");
}

const unicode = /\\u([0-9a-fA-F]{4})/gu;

/** Undoes `\u00e9` for characters outside ASCII. */
export function undoUnicodeEscapes(oldText: string, newText: string): Undone[] {
  const old = decoded(oldText);
  if (old === oldText) return [];
  const undone = decoded(newText);
  const isThroughout = !/[^\0-\u007F]/u.test(newText);
  return [
    {
      ways: waysOf("unicodeEscapes"),
      oldText: old,
      newText: isMeantAsCode(newText, old)
        ? undefined
        : chooseNewText({ oldText: old, raw: newText, undone, isThroughout }),
      label: "with the characters for their codes",
    },
  ];
}

/** Whether some code may well be what was meant: behind a second backslash, or of what nobody sees or types. */
function isMeantAsCode(newText: string, old: string): boolean {
  if (/\\\\u[\da-f]{4}/iu.test(newText)) return true;
  return Array.from(decoded(newText)).some(
    (character) => /[\p{C}\p{Z}]/u.test(character) && character > "~" && !old.includes(character),
  );
}

function decoded(text: string): string {
  return text.replaceAll(unicode, (all, code: string) => {
    const character = String.fromCodePoint(Number.parseInt(code, 16));
    return character > "\u007F" ? character : all;
  });
}

const markdown = /\\([_*#`])/gu;

/** Undoes backslashes before characters that mean something in Markdown. */
export function undoMarkdownEscapes(oldText: string, newText: string): Undone[] {
  if (!/\\[_*#]/u.test(oldText)) return [];
  const old = oldText.replaceAll(markdown, "$1");
  const undone = newText.replaceAll(markdown, "$1");
  const escaped = new Set(Array.from(oldText.matchAll(markdown), ([all]) => all));
  const others = Array.from(newText.matchAll(markdown)).filter(([all]) => !escaped.has(all));
  const all = new Set([...escaped, ...others.map(([other]) => other)]);
  const rest = oldText.replaceAll(markdown, "") + newText.replaceAll(markdown, "");
  const isThroughout = [...all].every((each) => !rest.includes(each.slice(1)));
  // Where others are escaped than in the old text, or some of its own are not, the backslashes may be meant.
  const isOther =
    others.length > 0 &&
    (!isThroughout || others.some((other) => !isOfMarkdown(newText, other, escaped.size)));
  return [
    {
      ways: waysOf("markdownEscapes"),
      oldText: old,
      newText: isOther
        ? undefined
        : chooseNewText({ oldText: old, raw: newText, undone, isThroughout }),
      label: "without the backslashes of Markdown",
    },
  ];
}

/**
 * Whether a backslash that the old text has before no such character is likely one of Markdown: before an underscore,
 * or a hash that begins a line, or outside of quotes beside two kinds that the old text has.
 */
function isOfMarkdown(text: string, { 0: found, index }: RegExpMatchArray, kinds: number): boolean {
  const before = text.slice(text.lastIndexOf("\n", index) + 1, index);
  if (before.endsWith("\\")) return false;
  if (found === "\\_" || (found === "\\#" && before.trim() === "")) return true;
  return kinds > 1 && !isInQuotes(before);
}

/** Undoes a byte order mark before a text. */
export function undoByteOrderMark(oldText: string, newText: string): Undone[] {
  if (!oldText.startsWith("\uFEFF")) return [];
  return [
    {
      ways: waysOf("lookAlikes"),
      oldText: oldText.slice(1),
      newText: newText.startsWith("\uFEFF") ? newText.slice(1) : newText,
      label: "without the byte order mark",
    },
  ];
}

/** A text without the mark of every line; an empty part at its end is a line break alone. */
function withoutMarks(
  text: string,
  strip: (line: string) => string | undefined,
): string | undefined {
  const lines = text.split("\n");
  const stripped: string[] = [];
  for (const [index, line] of lines.entries()) {
    const isEnd = line === "" && index === lines.length - 1;
    const rest = isEnd ? "" : strip(line);
    if (rest === undefined) return undefined;
    stripped.push(rest);
  }
  return stripped.join("\n");
}

function countFull(text: string): number {
  return text.split("\n").filter((line) => line.trim().length > 1).length;
}
