import { findPlaces, type Place } from "./find-places.ts";
import { countNewlines } from "./lines.ts";
import { ambiguous, notFound, type EditRefusal } from "./refusals.ts";

/** One replacement wanted in a text. */
export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
  /** Replace every place. Default false: exactly one place may match. */
  readonly replaceAll?: boolean | undefined;
  /** Of several places, the one that starts nearest to this line, from 1. */
  readonly nearLine?: number | undefined;
}

/** A replacement with its place in the original text. */
export interface Splice {
  /** Which edit it belongs to, from 0. */
  readonly edit: number;
  /** UTF-16 offsets in the original, half open. */
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** First and last line touched, from 1, in the original. */
  readonly firstLine: number;
  readonly lastLine: number;
}

export interface EditPlan {
  readonly kind: "plan";
  /** The text with every splice made; characters outside them are those of the original. */
  readonly text: string;
  /** In order of their place, never overlapping. */
  readonly splices: readonly Splice[];
  /** How the edits were read where they did not match literally; empty when all did. */
  readonly interpretations: readonly string[];
}

/**
 * Decides where edits go and what the text is afterwards, or why not. All edits are matched against the
 * original text, so their order does not matter, and either all of them apply or none.
 */
export function planEdit(text: string, edits: readonly TextEdit[]): EditPlan | EditRefusal {
  const splices: Splice[] = [];
  const interpretations = new Set<string>();
  for (const [index, edit] of edits.entries()) {
    const chosen = choosePlaces(text, edit, index);
    if (chosen.kind === "refusal") return chosen;
    if (chosen.interpretation !== undefined) interpretations.add(chosen.interpretation);
    splices.push(...splicesOf(text, { edit, index, places: chosen.places }));
  }
  splices.sort((one, other) => one.start - other.start || one.end - other.end);
  for (const [index, splice] of splices.entries()) {
    const next = splices[index + 1];
    if (next !== undefined && next.start < splice.end) return overlapping(splice, next);
  }
  const result = applySplices(text, splices);
  if (result === text) return unchanged(edits.length === 1 ? 0 : undefined);
  return { kind: "plan", text: result, splices, interpretations: [...interpretations] };
}

interface ChosenPlaces {
  readonly kind: "places";
  readonly places: readonly Place[];
  readonly interpretation: string | undefined;
}

function choosePlaces(text: string, edit: TextEdit, index: number): ChosenPlaces | EditRefusal {
  const { oldText, newText, replaceAll = false, nearLine } = edit;
  if (oldText === "") {
    return {
      kind: "refusal",
      code: "INVALID_INPUT",
      edit: index,
      message: "old_string is empty, which matches everywhere.",
      hint: "Give the text to replace; to add text, repeat a neighbouring line in both strings. Write makes a new file.",
    };
  }
  if (oldText === newText) return unchanged(index);
  const found = findPlaces(text, oldText, replaceAll);
  const [first] = found.places;
  if (first === undefined) return notFound(text, edit, index);
  const chosen: ChosenPlaces = {
    kind: "places",
    places: found.places,
    interpretation: found.interpretation,
  };
  if (replaceAll || found.places.length === 1) return chosen;
  const nearest = nearLine === undefined ? undefined : nearestPlace(text, found.places, nearLine);
  if (nearest === undefined) return ambiguous(text, { edit, index, places: found.places });
  return { ...chosen, places: [nearest] };
}

/** The one place nearest to a line; undefined where two are equally near. */
function nearestPlace(text: string, places: readonly Place[], line: number): Place | undefined {
  const distances = places.map((place) =>
    Math.abs(countNewlines(text, 0, place.start) + 1 - Math.max(1, line)),
  );
  const least = distances.reduce((low, each) => Math.min(low, each), Number.POSITIVE_INFINITY);
  const at = distances.indexOf(least);
  return distances.lastIndexOf(least) === at ? places[at] : undefined;
}

interface ChosenEdit {
  readonly edit: TextEdit;
  readonly index: number;
  readonly places: readonly Place[];
}

function splicesOf(text: string, { edit, index, places }: ChosenEdit): Splice[] {
  let line = 1;
  let counted = 0;
  return places.map(({ start, end }) => {
    line += countNewlines(text, counted, start);
    counted = start;
    const inside = countNewlines(text, start, end);
    // A match that ends with a line break does not touch the line after it.
    const lastLine = line + inside - (inside > 0 && text.charCodeAt(end - 1) === 10 ? 1 : 0);
    const newText = withLineEndings(edit, lineEndingAt(text, start, end));
    return { edit: index, start, end, newText, firstLine: line, lastLine };
  });
}

/** New text takes the line ending of its place, unless the edit itself speaks about carriage returns. */
function withLineEndings({ oldText, newText }: TextEdit, ending: string | undefined): string {
  if (ending === undefined || oldText.includes("\r")) return newText;
  const plain = newText.replaceAll("\r\n", "\n");
  return ending === "\n" ? plain : plain.replaceAll("\n", ending);
}

/** The line ending inside a match, else after it, else before it; undefined in a text of one line. */
function lineEndingAt(text: string, start: number, end: number): string | undefined {
  let at = text.indexOf("\n", start);
  if (at === -1 || at >= end) {
    const after = text.indexOf("\n", end);
    at = after === -1 ? (start === 0 ? -1 : text.lastIndexOf("\n", start - 1)) : after;
  }
  if (at === -1) return undefined;
  return text.charCodeAt(at - 1) === 13 ? "\r\n" : "\n";
}

function applySplices(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, newText } of splices) {
    parts.push(text.slice(at, start), newText);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

function unchanged(edit: number | undefined): EditRefusal {
  return {
    kind: "refusal",
    code: "NO_CHANGE",
    edit: edit ?? 0,
    message: "The edit would change nothing: old and new text are the same.",
    hint: "Leave this edit out, or check that new_string holds what you want.",
  };
}

function overlapping(one: Splice, other: Splice): EditRefusal {
  return {
    kind: "refusal",
    code: "INVALID_INPUT",
    edit: other.edit,
    message: `Edits ${one.edit + 1} and ${other.edit + 1} overlap at line ${other.firstLine}.`,
    hint: "Join them into one edit.",
  };
}
