/** Candidates for what an edit means: the edit as written, or after mistakes of writing it were undone. */

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
  "escapedQuotes",
  "entities",
  "edgeLines",
] as const;

/** Bit of each relaxation. */
const bits: ReadonlyMap<string, number> = new Map(
  kinds.map((kind, index) => [kind, 2 ** index] as const),
);

/**
 * Combines relaxations, with which an edit is taken otherwise than written, as a set of bits. A subset of another set is
 * stricter.
 */
export function relaxationsOf(...chosen: readonly (typeof kinds)[number][]): number {
  let relaxations = 0;
  for (const kind of chosen) relaxations |= bits.get(kind) ?? 0;
  return relaxations;
}

/** Old and new text of an edit. */
export interface Pair {
  readonly oldText: string;
  readonly newText: string;
}

/** An edit after mistakes of writing it were undone; as written, it has no relaxations. */
export interface Candidate {
  readonly relaxations: number;
  readonly oldText: string;
  /** Undefined if the new text has the mistakes only in part, so that the intended text is unknown. */
  readonly newText: string | undefined;
  /** Descriptions of what was undone, for users and models. */
  readonly labels: readonly string[];
  /** Whether the old text was at the start or the end of a line, according to what was undone. */
  readonly startsLine: boolean;
  readonly endsLine: boolean;
  /**
   * Whether the match must have no blank line before or after it, because what was undone says nothing about blank
   * lines of the file.
   */
  readonly noBlankBefore: boolean;
  readonly noBlankAfter: boolean;
  /** Number that a listing gave the first line of the old text, from 1. */
  readonly firstNumber?: number | undefined;
  /** Relaxations of mistakes that only the old text had. */
  readonly oldOnly: number;
}

/** Result of undoing one mistake in both texts. */
export interface Undone {
  readonly relaxations: number;
  readonly oldText: string;
  readonly newText: string | undefined;
  readonly label: string;
  readonly startsLine?: boolean;
  readonly endsLine?: boolean;
  readonly noBlankBefore?: boolean;
  readonly noBlankAfter?: boolean;
  readonly firstNumber?: number;
}

/** Undoes one kind of mistake: returns the results for a pair that may have it, none for any other pair. */
export type Undo = (oldText: string, newText: string) => readonly Undone[];

/** Candidate for the edit as written. */
export function writtenCandidate({ oldText, newText }: Pair): Candidate {
  return {
    relaxations: 0,
    oldText,
    newText,
    labels: [],
    startsLine: false,
    endsLine: false,
    noBlankBefore: false,
    noBlankAfter: false,
    oldOnly: 0,
  };
}

/** Candidate in which one more mistake is undone. */
export function alsoUndone(candidate: Candidate, undone: Undone): Candidate {
  const { newText } = candidate;
  const isOldOnly = undone.newText === newText;
  return {
    relaxations: candidate.relaxations | undone.relaxations,
    oldText: undone.oldText,
    newText: newText === undefined ? undefined : undone.newText,
    labels: [...candidate.labels, undone.label],
    startsLine: candidate.startsLine || undone.startsLine === true,
    endsLine: candidate.endsLine || undone.endsLine === true,
    noBlankBefore: candidate.noBlankBefore || undone.noBlankBefore === true,
    noBlankAfter: candidate.noBlankAfter || undone.noBlankAfter === true,
    firstNumber: candidate.firstNumber ?? undone.firstNumber,
    oldOnly: candidate.oldOnly | (isOldOnly ? undone.relaxations : 0),
  };
}

interface NewTextChoice {
  /** Old text after the mistake was undone. */
  readonly oldText: string;
  /** New text as written. */
  readonly written: string;
  /** New text after the mistake was undone. */
  readonly undone: string;
  /** Whether the new text has the mistake wherever it could. */
  readonly isThroughout: boolean;
  /** Whether what was undone may be text of the file, so that only a line that both texts share decides. Default false. */
  readonly mayBeWritten?: boolean;
}

/**
 * Selects the new text as written or as undone. Lines that it shares with the undone old text decide; without such
 * lines, it is undone if it has the mistake throughout. Undefined if that is unclear.
 */
export function chooseNewText(choice: NewTextChoice): string | undefined {
  const { oldText, written, undone, isThroughout, mayBeWritten = false } = choice;
  if (written === undone) return written;
  const known = new Set(oldText.split("\n").filter((line) => line.trim() !== ""));
  const writtenLines = written.split("\n");
  const undoneLines = undone.split("\n");
  const provesWritten = writtenLines.some((line) => known.has(line) && !undoneLines.includes(line));
  const provesUndone = undoneLines.some((line) => known.has(line) && !writtenLines.includes(line));
  if (provesWritten) return provesUndone ? undefined : written;
  return isThroughout && (provesUndone || !mayBeWritten) ? undone : undefined;
}

/** Reason for new text that has a mistake only in part. */
export const partlyUndone = "new_string has only part of what was undone in old_string";
