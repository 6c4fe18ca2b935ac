/** Undoes escapes of texts that were escaped once too often, all of them or those of quotes. */
import { chooseNewText, relaxationsOf, type Undone } from "../candidate.ts";
import { foldLookAlikes } from "../look-alikes.ts";
import { withPlainEndings } from "../text.ts";

const layout: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Quotes that were made typographic after they were escaped. */
const typographic: Readonly<Record<string, string>> = {
  "\u2018": "\u2018",
  "\u2019": "\u2019",
  "\u201C": "\u201C",
  "\u201D": "\u201D",
};

const anySequence = /\\(.?)/gsu;

interface Variant {
  readonly relaxations: number;
  readonly label: string;
  /** Characters represented by a backslash and the given character. */
  readonly characters: Readonly<Record<string, string>>;
  /** An escape: in a text that was escaped completely, two backslashes represent one, even before a quote. */
  readonly sequence: RegExp;
  /** Whether a backslash before any other character proves that the text was not escaped in this way. */
  readonly isComplete: boolean;
}

const variants: readonly Variant[] = [
  {
    relaxations: relaxationsOf("escapes"),
    label: "unescaped once",
    characters: { ...layout, ...typographic, '"': '"', "'": "'", "\\": "\\", "/": "/" },
    sequence: anySequence,
    isComplete: true,
  },
  {
    relaxations: relaxationsOf("escapedQuotes"),
    label: "quotes unescaped",
    characters: { '"': '"', "'": "'", ...typographic },
    sequence: /\\(["'\u2018\u2019\u201C\u201D])/gu,
    isComplete: false,
  },
];

/** Resolves escapes of a text that was escaped once too often: all of them, or only those of one kind. */
export function undoEscapes(oldText: string, newText: string): Undone[] {
  if (!oldText.includes("\\")) return [];
  return variants.flatMap((variant) => {
    const old = unescaped(oldText, variant);
    if (old === undefined || old === oldText) return [];
    // A text that was escaped completely has no line break, and no backslash that escapes nothing.
    if (variant.isComplete && oldText.includes("\n")) return [];
    const isPlain = variant.isComplete && isPlainBesideEscaped({ oldText, newText });
    const undone = isPlain ? newText : unescaped(newText, variant);
    if (undone === undefined) return [];
    return [
      {
        relaxations: variant.relaxations,
        oldText: withPlainEndings(old),
        newText: isPlain
          ? besideEscaped(old, newText)
          : newTextWithout(variant, { oldText, newText, undone }),
        label: variant.label,
      },
    ];
  });
}

interface Texts {
  readonly oldText: string;
  readonly newText: string;
}

interface UndoneTexts extends Texts {
  /** New text with its escapes resolved. */
  readonly undone: string;
}

/** New text if it was not escaped; undefined if it shows that it was escaped in part. */
function besideEscaped(old: string, newText: string): string | undefined {
  return hasBareBreak(newText) || escapesQuotesOf(old, newText) ? undefined : newText;
}

function newTextWithout(
  variant: Variant,
  { oldText, newText, undone }: UndoneTexts,
): string | undefined {
  // New text has only line feeds, although the line breaks of the old text were escaped with their carriage returns.
  const hasReturns = oldText.includes("\\r\\n") && !loneFeed.test(oldText);
  if (variant.isComplete && hasReturns && loneFeed.test(newText)) return undefined;
  if (undone === newText) return newText;
  // Two backslashes may be one that was escaped, or one before an escaped line break, or two: the old text must
  // determine which.
  const doubled = [...backslashRuns(newText)].filter((run) => run.startsWith("\\\\"));
  const known = backslashRuns(oldText);
  const isTold = variant.isComplete
    ? doubled.length === 0 || tellsBackslashes(oldText)
    : doubled.every((run) => known.has(run));
  if (!isTold) return undefined;
  const old = withPlainEndings(unescaped(oldText, variant) ?? oldText);
  // Nobody writes a lone carriage return, so this is a pair of characters that was not escaped.
  if (loneReturn.test(undone) && !loneReturn.test(old)) return undefined;
  const isDoubtful = hasDrivePath(newText) || movesIntoQuotes(variant, { oldText: old, newText });
  if (!doublesBackslashes(oldText) && isDoubtful) return undefined;
  if (variant.isComplete && mayBePlain({ oldText: old, newText }, oldText)) return undefined;
  return chooseNewText({
    oldText: old,
    written: newText,
    undone: withPlainEndings(undone),
    isThroughout: !mixesQuotes(variant, newText),
  });
}

const loneFeed = /(?<!\\r)\\n/u;

function unescaped(
  text: string,
  { characters, sequence, isComplete }: Variant,
): string | undefined {
  let isKnown = true;
  const result = text.replaceAll(sequence, (all, character: string) => {
    const plain = characters[character];
    if (plain === undefined) isKnown = false;
    return plain ?? all;
  });
  return isKnown || !isComplete ? result : undefined;
}

/** New text with real line breaks, although those of the old text are all escaped. */
function isPlainBesideEscaped({ oldText, newText }: Texts): boolean {
  return newText.includes("\n") && oldText.includes("\\n") && !oldText.includes("\n");
}

/** Whether a line equals one of the old text except for backslashes before its quotes. */
function escapesQuotesOf(oldText: string, newText: string): boolean {
  const known = new Set(withPlainEndings(oldText).split("\n"));
  return newText
    .split("\n")
    .some((line) => !known.has(line) && known.has(line.replaceAll(/\\(["'])/gu, "$1")));
}

/** Whether there is an escaped line break outside quotes, which may represent a real one. */
function hasBareBreak(text: string): boolean {
  return text
    .split("\n")
    .some((line) =>
      Array.from(line.matchAll(/\\n/gu)).some(({ index }) => !isInQuotes(line.slice(0, index))),
    );
}

/** Whether escaped and unescaped quotes of the same kind occur. */
function mixesQuotes({ characters, sequence }: Variant, text: string): boolean {
  const escaped = new Set(Array.from(text.matchAll(sequence), (match) => match[1]));
  const plain = text.replaceAll(sequence, "");
  return ['"', "'"].some(
    (quote) => quote in characters && escaped.has(quote) && plain.includes(quote),
  );
}

/**
 * Whether a text shows that backslashes were doubled when it was escaped. A single one before a letter is then a line
 * break or a tab, wherever it occurs.
 */
function doublesBackslashes(text: string): boolean {
  return text.includes("\\\\");
}

/**
 * Whether new text may not have been escaped at all: it has unescaped quotes of a kind that the old text escapes, or it
 * doubles no backslash and has a sequence that also occurs in the unescaped old text of one line.
 */
function mayBePlain({ oldText, newText }: Texts, sent: string): boolean {
  if (['"', "'"].some((quote) => isEscapedIn(sent, quote) && isPlainIn(newText, quote)))
    return true;
  const runs = backslashRuns(oldText);
  // Backslashes as in the file, and not as sent, were not doubled.
  const isAsInFile = (run: string): boolean => runs.has(run) && !backslashRuns(sent).has(run);
  const own = [...backslashRuns(newText)].filter((run) => run.startsWith("\\\\"));
  if (own.some((run) => isAsInFile(run))) return true;
  if (oldText.includes("\n") || doublesBackslashes(newText)) return false;
  return ["\\n", "\\r", "\\t"].some((each) => oldText.includes(each) && newText.includes(each));
}

function isEscapedIn(text: string, quote: string): boolean {
  return backslashRuns(text).has(`\\${quote}`);
}

function isPlainIn(text: string, quote: string): boolean {
  return text.replaceAll(/\\./gsu, "").includes(quote);
}

/** Consecutive backslashes with the character after them. */
function backslashRuns(text: string): ReadonlySet<string> {
  return new Set(text.match(/\\+[^\\]?/gu));
}

/** Whether an escaped quote or backslash shows that more than line breaks and tabs was escaped. */
function tellsBackslashes(oldText: string): boolean {
  return /\\["'\\]/u.test(oldText);
}

/** Whether there is a path such as `C:\new`, which contains no line break. */
function hasDrivePath(text: string): boolean {
  return /(?<!\w)[A-Za-z]:\\[nrt]\w/u.test(text);
}

/**
 * Whether a line break, tab or carriage return would end up inside a quoted string that was written on one line, on a
 * line that the old text does not have: the escape may belong to the string itself.
 */
function movesIntoQuotes(variant: Variant, { oldText, newText }: Texts): boolean {
  if (!variant.isComplete) return false;
  const known = new Set(oldText.split("\n"));
  const lines = withPlainEndings(unescaped(newText, variant) ?? newText).split("\n");
  return lines.some((line, index) => {
    if (known.has(line)) return false;
    // A line without the quote is inside a string only if the old text does not have the line.
    const below = lines.slice(index + 1);
    const isMoved = quotes.some(
      (quote) =>
        isTorn(line, quote) &&
        isTorn(below.find((each) => hasQuote(each, quote) || known.has(each)) ?? "", quote),
    );
    if (isMoved) return true;
    return Array.from(line.matchAll(/[\t\r]/gu)).some(({ index: at }) =>
      isInQuotes(foldLookAlikes(line.slice(0, at))),
    );
  });
}

const loneReturn = /\r(?!\n)/u;

const quotes = ['"', "'", "`"] as const;

function hasQuote(line: string, quote: string): boolean {
  return foldLookAlikes(line).includes(quote);
}

function isTorn(line: string, quote: string): boolean {
  const plain = foldLookAlikes(line)
    .replaceAll(/\\./gu, "")
    .replaceAll(quote.repeat(3), "")
    .replaceAll(/(?<=\w)'(?=\w)/gu, "");
  return (plain.split(quote).length - 1) % 2 === 1;
}

/** Whether a quote is still open at the end of a text; an apostrophe inside a word does not count. */
export function isInQuotes(before: string): boolean {
  const plain = before.replaceAll(/\\./gu, "").replaceAll(/(?<=\w)'(?=\w)/gu, "");
  return ['"', "'", "`"].some((quote) => (plain.split(quote).length - 1) % 2 === 1);
}
