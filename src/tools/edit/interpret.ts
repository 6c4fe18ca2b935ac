/**
 * Finds the only match that an edit can mean. The edit may be relaxed in several ways: in how it is compared with the
 * file (matchers: literally except for line endings; blanks at line ends; look-alike characters; a uniform shift of the
 * indentation), and in which known mistakes of writing it are undone (candidates: code fence, line numbers, escapes,
 * HTML entities, blank lines around it).
 *
 * Candidates are ordered by inclusion: one with a subset of the relaxations is stricter.
 * 1. The text as written is final if it occurs, once or several times.
 * 2. Of all other candidates that match anywhere, those count for which no stricter one matches.
 * 3. Each of them must have exactly one match and a determined new text there, and all of them must give the same
 *    result.
 * Otherwise the edit is refused. No measure of similarity is involved.
 */
import {
  edgeTrouble,
  foreignIndentation,
  leavesOutBlankLines,
  mayBeDedented,
  shiftsAll,
} from "./boundaries.ts";
import {
  alsoUndone,
  partlyUndone,
  relaxationsOf,
  writtenCandidate,
  type Candidate,
  type Pair,
  type Undo,
} from "./candidate.ts";
import { literalMatcher, matchersFor, withNumberedLine, type MatchResult } from "./matchers.ts";
import { unclear, type Replacement } from "./replacement.ts";
import {
  nearestPlace,
  splice,
  withoutOverlap,
  withPlainEndings,
  type NewText,
  type Place,
} from "./text.ts";
import { undoEntities } from "./undo/entities.ts";
import { undoEscapes } from "./undo/escapes.ts";
import { undoLineNumbers } from "./undo/line-numbers.ts";
import { undoCodeFence, undoEdgeLines } from "./undo/wrapping.ts";
import type { ViewedText } from "./views.ts";

/** Outcome of an edit; labels describe how it was relaxed, and are empty if it was used as written. */
export type Interpretation =
  | {
      readonly kind: "found";
      readonly changes: readonly NewText[];
      readonly labels: readonly string[];
    }
  | {
      readonly kind: "none";
      /** Candidates that were searched for. */
      readonly candidates: readonly Candidate[];
    }
  | {
      readonly kind: "several";
      readonly places: readonly Place[];
      readonly labels: readonly string[];
    }
  | {
      readonly kind: "unclear";
      readonly place: Place;
      readonly because: string;
      readonly labels: readonly string[];
    }
  | {
      readonly kind: "conflict";
      readonly readings: readonly { readonly place: Place; readonly labels: readonly string[] }[];
    };

export interface EditRequest {
  readonly pair: Pair;
  readonly replaceAll: boolean;
  readonly nearLine: number | undefined;
}

const undos: readonly Undo[] = [
  undoCodeFence,
  undoLineNumbers,
  undoEscapes,
  undoEntities,
  undoEdgeLines,
];

/** Maximum number of mistakes undone together. Three can still be distinguished. */
const maxUndone = 3;

/** Maximum number of relaxations combined. */
const maxRelaxations = 4;

/** Candidates for the edit as written, and for every combination of mistakes undone, in whatever order they arose. */
export function candidatesOf(pair: Pair): Candidate[] {
  const all = [writtenCandidate(pair)];
  const { oldText, newText } = pair;
  const plain = { oldText: withPlainEndings(oldText), newText: withPlainEndings(newText) };
  const seen = new Set<string>();
  let latest = [writtenCandidate(plain)];
  for (let round = 0; round < maxUndone; round++) {
    latest = latest
      .flatMap((candidate) => undoneOnce(candidate))
      .filter((each) => {
        const key = JSON.stringify([each.relaxations, each.oldText, each.newText]);
        const isNew = !seen.has(key);
        seen.add(key);
        return isNew;
      });
    all.push(...latest);
  }
  return all;
}

function undoneOnce(candidate: Candidate): Candidate[] {
  const { relaxations, oldText, newText = "" } = candidate;
  return undos
    .flatMap((undo) => undo(oldText, newText))
    .filter(
      // Nothing is undone twice, and an empty text would match everywhere.
      (undone) => (undone.relaxations & relaxations) === 0 && undone.oldText.trim() !== "",
    )
    .map((undone) => alsoUndone(candidate, undone));
}

export function interpret(file: ViewedText, request: EditRequest): Interpretation {
  return asWritten(file, request) ?? relaxed(file, request);
}

/** Matches the edit as written. Most edits equal the file, and no other candidate is considered for them. */
function asWritten(file: ViewedText, request: EditRequest): Interpretation | undefined {
  const candidate = writtenCandidate(request.pair);
  const result = literalMatcher.match(file, candidate);
  if (result.places.length === 0) return undefined;
  return outcomeOf(file.text, request, { result, labels: [], candidate, relaxations: 0 });
}

function relaxed(file: ViewedText, request: EditRequest): Interpretation {
  const candidates = candidatesOf(request.pair);
  const attempts = candidates
    .flatMap((candidate) =>
      matchersFor(file, candidate).map((matcher) => {
        const relaxations = candidate.relaxations | matcher.relaxations;
        return { candidate, matcher, relaxations, count: countBits(relaxations) };
      }),
    )
    .filter(({ count }) => count > 0 && count <= maxRelaxations)
    .toSorted((one, other) => one.count - other.count);
  const matched: number[] = [];
  const outcomes: Interpretation[] = [];
  for (const { candidate, matcher, relaxations } of attempts) {
    const isLooser = matched.some(
      (stricter) => stricter !== relaxations && (stricter & relaxations) === stricter,
    );
    if (isLooser) continue;
    const result = matcher.match(file, candidate);
    if (result.places.length === 0) continue;
    matched.push(relaxations);
    const labels = [...candidate.labels, ...matcher.labels];
    const isShifted = (matcher.relaxations & relaxationsOf("indentation")) !== 0;
    const all =
      isShifted || request.replaceAll
        ? result
        : withNumberedLine(file, candidate, { result, relaxations });
    outcomes.push(outcomeOf(file.text, request, { result: all, labels, candidate, relaxations }));
  }
  return agreedOutcome(file.text, outcomes) ?? { kind: "none", candidates };
}

interface Attempt {
  readonly result: MatchResult;
  readonly labels: readonly string[];
  readonly candidate: Candidate;
  /** Relaxations of the candidate and of the matcher. */
  readonly relaxations: number;
}

function outcomeOf(text: string, request: EditRequest, attempt: Attempt): Interpretation {
  const { replaceAll, nearLine } = request;
  const { places, label } = attempt.result;
  const labels = label === undefined ? attempt.labels : [...attempt.labels, label];
  let chosen: readonly Place[] = places;
  if (replaceAll) chosen = withoutOverlap(places);
  else if (places.length > 1) {
    const nearest = nearLine === undefined ? undefined : nearestPlace(text, places, nearLine);
    if (nearest === undefined) return { kind: "several", places, labels };
    chosen = [nearest];
  }
  const changes: NewText[] = [];
  for (const place of chosen) {
    const replacement = checkedReplacement(text, place, attempt);
    if (replacement.kind === "unclear") {
      return { kind: "unclear", place, because: replacement.because, labels };
    }
    changes.push({ ...place, newText: replacement.text });
  }
  return { kind: "found", changes, labels };
}

/** Replacement for a match, unless the result shows that the match cannot be the intended one. */
function checkedReplacement(
  text: string,
  place: Place,
  { result, candidate, relaxations }: Attempt,
): Replacement {
  if (leavesOutBlankLines(text, place, candidate)) return unclear(partlyUndone);
  const replacement = result.replacement(place);
  if (replacement.kind === "unclear" || result.isLiteral === true) return replacement;
  const isOldOnly = (relaxation: number): boolean => (candidate.oldOnly & relaxation) !== 0;
  const newLines = { newText: replacement.text, sent: candidate.newText ?? "" };
  if (
    (isOldOnly(relaxationsOf("lineNumbers", "escapes", "codeFence")) &&
      shiftsAll(text, place, newLines)) ||
    (isOldOnly(relaxationsOf("escapes")) && mayBeDedented(text, place, replacement.text))
  ) {
    return unclear("all lines of new_string are indented otherwise than those of the file");
  }
  const trouble =
    edgeTrouble(text, place, replacement.text) ??
    // A candidate that differs from the file in line endings only shows no other mistake.
    (relaxations === 0 ? undefined : foreignIndentation(text, place, replacement.text));
  return trouble === undefined ? replacement : unclear(trouble);
}

/** Combines the outcomes of candidates of which none is stricter than another; undefined if there are none. */
function agreedOutcome(
  text: string,
  outcomes: readonly Interpretation[],
): Interpretation | undefined {
  const found = outcomes.filter((outcome) => outcome.kind === "found");
  const [first, ...others] = found;
  if (first === undefined || found.length < outcomes.length) {
    return outcomes.find(({ kind }) => kind !== "found");
  }
  if (others.every((other) => givesTheSame(text, first.changes, other.changes))) return first;
  return {
    kind: "conflict",
    readings: found.flatMap(({ changes, labels }) =>
      changes.slice(0, 1).map((place) => ({ place, labels })),
    ),
  };
}

/** Whether two sets of changes give the same text, compared over the range that either of them affects. */
function givesTheSame(text: string, one: readonly NewText[], other: readonly NewText[]): boolean {
  const all = [...one, ...other];
  const start = Math.min(...all.map((change) => change.start));
  const end = Math.max(...all.map((change) => change.end));
  const part = { start, end };
  return splice(text, one, part) === splice(text, other, part);
}

function countBits(relaxations: number): number {
  let count = 0;
  for (let left = relaxations; left !== 0; left &= left - 1) count++;
  return count;
}
