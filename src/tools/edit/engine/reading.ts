const kinds = [
  "trailingSpace",
  "lookAlikes",
  "indentation",
  "lineNumbers",
  // Taking less for the separator of a line number than could be one.
  "shortSeparator",
  "codeFence",
  // Only the first or the last line of a fence.
  "halfFence",
  "escapes",
  // Undoing some escapes and not all is looser than undoing all of them.
  "someEscapes",
  "escapedQuotes",
  "escapedTemplate",
  "entities",
  "edgeLines",
] as const;

/**
 * Ways in which an edit may be read other than it was written, as a set of bits. A set that is part of
 * another is the stricter reading.
 */
export function waysOf(...taken: readonly (typeof kinds)[number][]): number {
  let ways = 0;
  for (const kind of taken) ways |= bits.get(kind) ?? 0;
  return ways;
}

/** Asked for again and again. */
const bits: ReadonlyMap<string, number> = new Map(
  kinds.map((kind, index) => [kind, 2 ** index] as const),
);

/** Why new text is not clear that carries an artefact only in part. */
export const partlyUndone = "new_string has only part of what was undone in old_string";

/** An edit after known artefacts of how it was written were undone; as it was written, it has no ways. */
export interface Reading {
  readonly ways: number;
  readonly oldText: string;
  /** Undefined where the new text carries the artefact only in part, so that it cannot be told what it is. */
  readonly newText: string | undefined;
  /** What was undone, for people and models. */
  readonly labels: readonly string[];
  /** The old text stood at the start or the end of a line, by what was undone. */
  readonly startsLine: boolean;
  readonly endsLine: boolean;
  /** What was undone says nothing about blank lines of the file, so there may be none before or after the place. */
  readonly noBlankBefore: boolean;
  readonly noBlankAfter: boolean;
  /** Kinds of artefacts that only the old text carried, as bits. */
  readonly oldOnly: number;
}

/** What one undoing makes of a pair of texts. */
export interface Undone {
  readonly ways: number;
  readonly oldText: string;
  readonly newText: string | undefined;
  readonly label: string;
  readonly startsLine?: boolean;
  readonly endsLine?: boolean;
  readonly noBlankBefore?: boolean;
  readonly noBlankAfter?: boolean;
}

/** Undoes one kind of artefact: the readings of a pair that carries it, none for one that does not. */
export type Undoing = (oldText: string, newText: string) => readonly Undone[];

interface NewTextChoice {
  /** The old text after undoing. */
  readonly oldText: string;
  readonly raw: string;
  readonly undone: string;
  /** Whether the new text carries the artefact wherever it could. */
  readonly isThroughout: boolean;
}

/**
 * New text as it was written or undone. Lines that it shares with the undone old text tell which; without
 * such lines it is undone when it carries the artefact throughout. Undefined where that is not clear.
 */
export function chooseNewText(choice: NewTextChoice): string | undefined {
  const { raw, undone } = choice;
  if (raw === undone) return raw;
  const known = new Set(choice.oldText.split("\n").filter((line) => line.trim() !== ""));
  const rawLines = raw.split("\n");
  const undoneLines = undone.split("\n");
  const speaksForRaw = rawLines.some((line) => known.has(line) && !undoneLines.includes(line));
  const speaksForUndone = undoneLines.some((line) => known.has(line) && !rawLines.includes(line));
  if (speaksForRaw) return speaksForUndone ? undefined : raw;
  return choice.isThroughout ? undone : undefined;
}
