import { countNewlines } from "./match/lines.ts";
import { interpret, type PlacedText } from "./choose-candidate.ts";
import {
  ambiguous,
  conflicting,
  emptyText,
  notFound,
  overlapping,
  refusalOfAll,
  unchanged,
  unclearText,
} from "./refuse/refusals.ts";
import type {
  EditPlan,
  EditRefusal,
  EditStatus,
  PlanOptions,
  Splice,
  TextEdit,
} from "./edit-plan.ts";
import { Source } from "./match/indexed-text.ts";

/**
 * Plans where edits apply and what the resulting text is, or why not. All edits are matched against the original text,
 * so their order does not matter, and without `partial` either all of them apply or none.
 */
export function planEdit(
  text: string,
  edits: readonly TextEdit[],
  options: PlanOptions = {},
): EditPlan | EditRefusal {
  const source = new Source(text);
  const statuses: EditStatus[] = [];
  const splices: Splice[] = [];
  for (const [index, edit] of edits.entries()) {
    const resolved = resolve(source, edit, index);
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
      return (result ??= applySplices(text, splices));
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
  return growth === 0 && applySplices(text, splices) === text;
}

interface Resolved {
  readonly kind: "resolved";
  readonly changes: readonly PlacedText[];
  readonly labels: readonly string[];
}

function resolve(source: Source, edit: TextEdit, index: number): Resolved | EditRefusal {
  const { oldText, newText, replaceAll = false, nearLine } = edit;
  if (oldText === "") return emptyText(index);
  if (oldText === newText) return unchanged(index);
  const found = interpret(source, { pair: { oldText, newText }, replaceAll, nearLine });
  switch (found.kind) {
    case "found": {
      const { changes, labels } = found;
      const isSame = changes.every(
        ({ start, end, newText: changed }) => source.text.slice(start, end) === changed,
      );
      return isSame ? unchanged(index, labels) : { kind: "resolved", changes, labels };
    }
    case "none":
      return notFound(source.text, edit, { index, readings: found.readings });
    case "several":
      return ambiguous(source.text, { edit, index, found });
    case "unclear":
      return unclearText(source.text, { index, found });
    case "conflict":
      return conflicting(source.text, { index, found });
  }
}

function splicesOf(text: string, changes: readonly PlacedText[], edit: number): Splice[] {
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

/** Applies splices to a text; they must not overlap, and must be in order of position. */
export function applySplices(
  text: string,
  splices: readonly Pick<Splice, "start" | "end" | "newText">[],
): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, newText } of splices) {
    parts.push(text.slice(at, start), newText);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
