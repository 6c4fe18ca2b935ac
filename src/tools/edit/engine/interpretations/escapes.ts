import { foldLookAlikes } from "../look-alikes.ts";
import { isInQuotes } from "../suspicion.ts";
import { chooseNewText, waysOf, type Undone } from "../reading.ts";

const layout: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const anySequence = /\\(.?)/gsu;

interface Variant {
  readonly ways: number;
  readonly label: string;
  /** What a backslash and this character stand for. */
  readonly characters: Readonly<Record<string, string>>;
  /** An escape: in a text that was escaped whole, two backslashes are one even before a quote. */
  readonly sequence: RegExp;
  /** Whether a backslash before any other character shows that the text was not escaped in this way. */
  readonly isComplete: boolean;
}

const variants: readonly Variant[] = [
  {
    ways: waysOf("escapes"),
    label: "unescaped once",
    characters: { ...layout, '"': '"', "'": "'", "\\": "\\", "/": "/" },
    sequence: anySequence,
    isComplete: true,
  },
  {
    ways: waysOf("escapes", "someEscapes"),
    label: "line breaks and tabs unescaped",
    characters: layout,
    sequence: anySequence,
    isComplete: false,
  },
  {
    ways: waysOf("escapedQuotes"),
    label: "quotes unescaped",
    characters: { '"': '"', "'": "'" },
    sequence: /\\(["'])/gu,
    isComplete: false,
  },
  {
    ways: waysOf("escapedTemplate"),
    label: "backticks and dollar signs unescaped",
    characters: { "`": "`", $: "$" },
    sequence: /\\([`$])/gu,
    isComplete: false,
  },
];

/** Undoes escapes that were written once too often: all of them, or only those of one kind. */
export function undoEscapes(oldText: string, newText: string): Undone[] {
  if (!oldText.includes("\\")) return [];
  return variants.flatMap((variant) => {
    const old = unescaped(oldText, variant);
    if (old === undefined || old === oldText) return [];
    // What was escaped whole has no line break left.
    if (variant.isComplete && oldText.includes("\n")) return [];
    return [
      {
        ways: variant.ways,
        oldText: withFeeds(old),
        newText: newTextWithout(variant, { oldText, newText }),
        label: variant.label,
      },
    ];
  });
}

interface Texts {
  readonly oldText: string;
  readonly newText: string;
}

function newTextWithout(variant: Variant, { oldText, newText }: Texts): string | undefined {
  const undone = unescaped(newText, variant);
  if (undone === newText) return newText;
  if (variant.characters["n"] !== undefined && isPlainBesideEscaped({ oldText, newText })) {
    return hasBareBreak(newText) ? undefined : newText;
  }
  const old = withFeeds(unescaped(oldText, variant) ?? oldText);
  const isThroughout =
    undone !== undefined &&
    !mixesQuotes(variant, newText) &&
    (showsMore(oldText) || !breaksQuotes(old, withFeeds(undone)));
  return chooseNewText({
    oldText: old,
    raw: newText,
    undone: withFeeds(undone ?? newText),
    isThroughout,
  });
}

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

/** New text with line breaks of its own, where those of the old text are all escaped. */
function isPlainBesideEscaped({ oldText, newText }: Texts): boolean {
  return newText.includes("\n") && oldText.includes("\\n") && !oldText.includes("\n");
}

/** An escaped line break outside of quotes, which may stand for a real one. */
function hasBareBreak(text: string): boolean {
  return text
    .split("\n")
    .some((line) =>
      Array.from(line.matchAll(/\\n/gu)).some(({ index }) => !isInQuotes(line.slice(0, index))),
    );
}

/** Escaped quotes, backticks or dollar signs beside plain ones. */
function mixesQuotes({ characters, sequence }: Variant, text: string): boolean {
  const escaped = new Set(Array.from(text.matchAll(sequence), (match) => match[1]));
  const plain = text.replaceAll(sequence, "");
  return ['"', "'", "`", "$"].some(
    (quote) => quote in characters && escaped.has(quote) && plain.includes(quote),
  );
}

/** Whether escapes other than those of line breaks and tabs show that the text was escaped whole. */
function showsMore(oldText: string): boolean {
  return /\\["'\\]/u.test(oldText);
}

/** Whether undoing tears a quoted string apart that is not torn in the old text: it was meant to hold `\n`. */
function breaksQuotes(old: string, updated: string): boolean {
  const known = new Set(old.split("\n"));
  return updated
    .split("\n")
    .some((line) => !known.has(line) && (isTorn(line, '"') || isTorn(line, "'")));
}

function isTorn(line: string, quote: string): boolean {
  const plain = foldLookAlikes(line)
    .replaceAll(/\\./gu, "")
    .replaceAll(quote.repeat(3), "")
    .replaceAll(/(?<=\w)'(?=\w)/gu, "");
  return (plain.split(quote).length - 1) % 2 === 1;
}

function withFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
