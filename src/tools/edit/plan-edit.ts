/**
 * Plans the edits of one call: where each applies, whether they fit together, and the resulting text.
 *
 * The engine, from here down: `interpret` chooses the match of an edit; `candidate` and `undo/` are what the edit may
 * mean, `matchers` find that in the `views` of the file; `replacement`, `indentation` and `indent-maps` make the new
 * text, and `boundaries` checks it; `refuse` and `nearest-block` explain a refusal. `text` and `look-alikes` know lines
 * and characters, and nothing of edits.
 */
import { interpret } from "./interpret.ts";
import {
  ambiguous,
  conflicting,
  emptyText,
  notFound,
  overlapping,
  refusalOfAll,
  unchanged,
  unclearText,
  type EditRefusal,
  type EditStatus,
} from "./refuse.ts";
import { countNewlines, splice, type NewText } from "./text.ts";
import { ViewedText } from "./views.ts";

/** One requested replacement in a text. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every match. Default false: exactly one must match. */
  readonly replaceAll?: boolean | undefined;
  /** Line, from 1: of several matches, the one that starts nearest to it is replaced. */
  readonly nearLine?: number | undefined;
}

export interface PlanOptions {
  /** Apply the edits that can be applied and report the others. Default false: all of them or none. */
  readonly partial?: boolean | undefined;
}

/** A replacement with its range in the original text. */
export interface Splice extends NewText {
  /** Index of its edit, from 0. */
  readonly edit: number;
  /** First and last line affected, from 1, in the original. */
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface EditPlan {
  readonly kind: "plan";
  /** Text with every splice applied; characters outside them are unchanged. */
  readonly text: string;
  /** Splices in order of position, never overlapping. */
  readonly splices: readonly Splice[];
  /** Normalizations with which the edits matched; empty if all matched literally. */
  readonly interpretations: readonly string[];
  /** One for each edit. Only with `partial` may some be refused. */
  readonly statuses: readonly EditStatus[];
}

/**
 * Plans where edits apply and what the resulting text is, or why not. All edits are matched against the original text,
 * so their order does not matter, and without `partial` either all of them apply or none.
 */
export function planEdit(
  text: string,
  edits: readonly TextEdit[],
  options: PlanOptions = {},
): EditPlan | EditRefusal {
  const file = new ViewedText(text);
  const statuses: EditStatus[] = [];
  const splices: Splice[] = [];
  for (const [index, edit] of edits.entries()) {
    const resolved = resolve(file, edit, index);
    if (resolved.kind === "refusal") {
      statuses.push({ kind: "refused", refusal: resolved });
      continue;
    }
    const own = splicesOf(text, resolved.changes, index);
    const clash = firstOverlap(splices, own);
    if (clash !== undefined) {
      const refusal = overlapping(clash.one, clash.other);
      statuses.push({ kind: "refused", refusal });
      continue;
    }
    splices.push(...own);
    const lines = own.map(({ firstLine }) => firstLine);
    statuses.push({ kind: "applied", lines, interpretations: resolved.labels });
  }
  const refused = statuses.find((status) => status.kind === "refused");
  if (refused !== undefined && (options.partial !== true || splices.length === 0)) {
    return refusalOfAll(refused.refusal, statuses);
  }
  splices.sort((one, other) => one.start - other.start);
  const interpretations = new Set(
    statuses.flatMap((status) => (status.kind === "applied" ? status.interpretations : [])),
  );
  if (changesNothing(text, splices)) return unchanged(0);
  let result: string | undefined;
  return {
    kind: "plan",
    // Computed on demand: of a long text, often only the part around a change is needed.
    get text() {
      return (result ??= splice(text, splices));
    },
    splices,
    interpretations: [...interpretations],
    statuses,
  };
}

/** Whether several edits together change nothing; a single one that changes nothing was refused before. */
function changesNothing(text: string, splices: readonly Splice[]): boolean {
  if (splices.length === 1) return false;
  const growth = splices.reduce(
    (sum, { start, end, newText }) => sum + newText.length - (end - start),
    0,
  );
  return growth === 0 && splice(text, splices) === text;
}

interface Resolved {
  readonly kind: "resolved";
  readonly changes: readonly NewText[];
  readonly labels: readonly string[];
}

function resolve(file: ViewedText, edit: TextEdit, index: number): Resolved | EditRefusal {
  const { oldText, newText, replaceAll = false, nearLine } = edit;
  if (oldText === "") return emptyText(index);
  if (oldText === newText) return unchanged(index);
  const found = interpret(file, { pair: { oldText, newText }, replaceAll, nearLine });
  switch (found.kind) {
    case "found": {
      const { changes, labels } = found;
      const isSame = changes.every(
        ({ start, end, newText: changed }) => file.text.slice(start, end) === changed,
      );
      return isSame ? unchanged(index, labels) : { kind: "resolved", changes, labels };
    }
    case "none":
      return notFound(file.text, edit, { index, candidates: found.candidates });
    case "several":
      return ambiguous(file.text, { nearLine, index, found });
    case "unclear":
      return unclearText(file.text, { index, found });
    case "conflict":
      return conflicting(file.text, { index, found });
  }
}

function splicesOf(text: string, changes: readonly NewText[], edit: number): Splice[] {
  let line = 1;
  let counted = 0;
  return changes.map(({ start, end, newText }) => {
    line += countNewlines(text, counted, start);
    counted = start;
    const inside = countNewlines(text, start, end);
    // A match that ends with a line break does not affect the line after it.
    const lastLine = line + inside - (text[end - 1] === "\n" ? 1 : 0);
    return { edit, start, end, newText, firstLine: line, lastLine };
  });
}

interface Overlap {
  readonly one: Splice;
  readonly other: Splice;
}

/** The first of the other splices that overlaps an existing one. */
function firstOverlap(there: readonly Splice[], others: readonly Splice[]): Overlap | undefined {
  if (there.length === 0) return undefined;
  const byPlace = [...there, ...others].toSorted((one, other) => one.start - other.start);
  for (const [index, one] of byPlace.entries()) {
    const next = byPlace[index + 1];
    if (next === undefined || next.start >= one.end) continue;
    return one.edit < next.edit ? { one, other: next } : { one: next, other: one };
  }
  return undefined;
}
