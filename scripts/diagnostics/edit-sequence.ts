import type { Language } from "./languages.ts";

/** An edit of a file, and what is known about that file before and after it. */
export interface PlannedEdit {
  /** Name without its ending. */
  readonly file: "main" | "lib";
  readonly old: string;
  readonly next: string;
  /** Name of the error that the edit makes in its file; undefined: it makes none. */
  readonly makes: string | undefined;
  /** Name of the error that it makes in the other file; a program may report it or not. */
  readonly makesElsewhere: string | undefined;
  /** Names of the errors that are in the file before the edit and after it. */
  readonly keeps: ReadonlySet<string>;
}

/** The text of the first file, and edits of it and of the one that it uses. */
export interface EditSequence {
  readonly text: string;
  readonly edits: readonly PlannedEdit[];
}

/** Lines of the file that are edited. */
const slots = 12;

/** Name of the error that a text of `lib` makes in the file that uses a number of it. */
const sharedError = "shared";

/** The same edits for the same language and number, so that two programs can be compared. */
export function editSequence(language: Language, count: number): EditSequence {
  const lines = Array.from({ length: slots }, (_, slot) => ({
    text: language.right(slot),
    error: undefined as string | undefined,
  }));
  const text = `${language.use}${lines.map((line) => line.text).join("\n")}\n`;
  let isBroken = false;
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  /** Changes the type of what `lib` exports, so that the other file has an error, or has it no longer. */
  const editLib = (): PlannedEdit => {
    const [old, next] = isBroken
      ? [language.broken, language.shared]
      : [language.shared, language.broken];
    isBroken = !isBroken;
    const makesElsewhere = isBroken ? sharedError : undefined;
    return { file: "lib", old, next, makes: undefined, makesElsewhere, keeps: new Set() };
  };
  const editMain = (edit: number): PlannedEdit => {
    const slot = random(lines.length);
    const old = lines[slot]?.text ?? "";
    // Half of the edits make an error; others remove one, keep one and move it, or have none.
    const isWrong = random(2) === 0;
    const above = random(3) === 0 ? `${language.comment} ${edit}\n` : "";
    const number = edit + 100;
    const next = `${above}${isWrong ? language.wrong(number) : language.right(number)}`;
    const others = lines.flatMap(({ error }, at) =>
      at === slot || error === undefined ? [] : [error],
    );
    const keeps = new Set(isBroken ? [...others, sharedError] : others);
    const makes = isWrong ? `missing${number}` : undefined;
    lines[slot] = { text: next, error: makes };
    const edited = { old: `${old}\n`, next: `${next}\n` };
    return { file: "main", ...edited, makes, makesElsewhere: undefined, keeps };
  };
  const edits = Array.from({ length: count }, (_, edit) =>
    edit > 0 && random(5) === 0 ? editLib() : editMain(edit),
  );
  return { text, edits };
}

/** Counts of the reports of a program. */
export interface ReportCounts {
  edits: number;
  /** Reports of errors that are no longer in the file, which the edit or one before it has fixed. */
  stale: number;
  /** Reports of errors that were in the file before the edit. */
  earlier: number;
  /** Reports of the error that the edit made. */
  right: number;
  /** Errors that an edit made, and that its answer does not report. */
  missed: number;
  /** Edits with a stale report. */
  withStale: number;
}

export function noReports(): ReportCounts {
  return { edits: 0, stale: 0, earlier: 0, right: 0, missed: 0, withStale: 0 };
}

/** Adds the errors that the answer to an edit reports, each by its message. */
export function countReports(
  counts: ReportCounts,
  { makes, makesElsewhere, keeps }: PlannedEdit,
  messages: readonly string[],
): void {
  const before = counts.stale;
  let isReported = false;
  for (const message of messages) {
    const error = errorIn(message);
    if (error !== undefined && error === makes) {
      isReported = true;
      counts.right += 1;
    } else if (error !== undefined && error === makesElsewhere) counts.right += 1;
    else if (error !== undefined && keeps.has(error)) counts.earlier += 1;
    else counts.stale += 1;
  }
  counts.edits += 1;
  if (counts.stale > before) counts.withStale += 1;
  if (makes !== undefined && !isReported) counts.missed += 1;
}

/** Name of the error that a message is about. */
function errorIn(message: string): string | undefined {
  return /\bassignable\b/u.test(message) ? sharedError : /\bmissing\d+\b/u.exec(message)?.[0];
}
