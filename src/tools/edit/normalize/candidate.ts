const kinds = [
  "trailingSpace",
  "lookAlikes",
  "indentation",
  "lineNumbers",
  // Removing a shorter separator of a line number than could be one.
  "shortSeparator",
  "codeFence",
  // Removing only the first or the last line of a fence.
  "halfFence",
  "escapes",
  // Resolving some escapes is looser than resolving all of them.
  "someEscapes",
  "escapedQuotes",
  "escapedTemplate",
  "entities",
  "edgeLines",
] as const;

/**
 * Combines relaxations, with which an edit may be read differently than written, as a set of bits. A subset of another
 * set is stricter.
 */
export function waysOf(...taken: readonly (typeof kinds)[number][]): number {
  let ways = 0;
  for (const kind of taken) ways |= bits.get(kind) ?? 0;
  return ways;
}

/** Bit of each relaxation, computed once because it is needed often. */
const bits: ReadonlyMap<string, number> = new Map(
  kinds.map((kind, index) => [kind, 2 ** index] as const),
);

/** Reason for new text that contains an artifact only in part. */
export const partlyUndone = "new_string has only part of what was undone in old_string";

/** An edit after known artifacts of writing it were removed; as written, it has no relaxations. */
export interface Reading {
  readonly ways: number;
  readonly oldText: string;
  /** Undefined if the new text contains the artifact only in part, so that the intended text is unknown. */
  readonly newText: string | undefined;
  /** Descriptions of what was removed, for users and models. */
  readonly labels: readonly string[];
  /** Whether the old text was at the start or the end of a line, according to what was removed. */
  readonly startsLine: boolean;
  readonly endsLine: boolean;
  /**
   * Whether the match must have no blank line before or after it, because what was removed says nothing about blank
   * lines of the file.
   */
  readonly noBlankBefore: boolean;
  readonly noBlankAfter: boolean;
  /** Kinds of artifacts that only the old text contained, as bits. */
  readonly oldOnly: number;
}

/** Result of removing one kind of artifact from a pair of texts. */
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

/** Removes one kind of artifact: returns the candidates for a pair that contains it, none for any other pair. */
export type Undoing = (oldText: string, newText: string) => readonly Undone[];

interface NewTextChoice {
  /** Old text after the removal. */
  readonly oldText: string;
  readonly raw: string;
  readonly undone: string;
  /** Whether the new text contains the artifact wherever it could. */
  readonly isThroughout: boolean;
}

/**
 * Selects the new text as written or as normalized. Lines that it shares with the normalized old text decide; without
 * such lines, it is normalized if it contains the artifact throughout. Undefined if that is unclear.
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
