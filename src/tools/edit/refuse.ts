/** Refusals: each names the difference or the places that were found, so that the next call can be right. */
import type { Candidate, Pair } from "./candidate.ts";
import { candidatesOf, type Interpretation } from "./interpret.ts";
import { nearestBlock } from "./nearest-block.ts";
import { countNewlines, startOfLine, type Place } from "./text.ts";

/** Reason why an edit was not applied. */
export interface EditRefusal {
  readonly kind: "refusal";
  readonly code: "NO_MATCH" | "AMBIGUOUS_MATCH" | "NO_CHANGE" | "INVALID_INPUT";
  /** Index of the refused edit, from 0. */
  readonly edit: number;
  readonly message: string;
  readonly hint: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Result of one edit, in the order in which they were given. */
export type EditStatus =
  | {
      readonly kind: "applied";
      /** First line of each match, from 1, in the original. */
      readonly lines: readonly number[];
      /** Normalizations with which the edit matched; empty if it matched literally. */
      readonly interpretations: readonly string[];
    }
  | { readonly kind: "refused"; readonly refusal: EditRefusal };

/** Maximum number of matches named in a refusal. */
const maxPlaces = 20;
const maxShownChars = 160;

export function emptyText(edit: number): EditRefusal {
  return {
    kind: "refusal",
    code: "INVALID_INPUT",
    edit,
    message: "old_string is empty, which matches everywhere.",
    hint: "Give the text to replace; to add text, repeat a neighboring line in both strings. Write makes a new file.",
  };
}

export function unchanged(edit: number, labels: readonly string[] = []): EditRefusal {
  const message =
    labels.length === 0
      ? "The edit would change nothing: old and new text are the same."
      : `The edit would change nothing: the file has the new text already (${labels.join("; ")}).`;
  return {
    kind: "refusal",
    code: "NO_CHANGE",
    edit,
    message,
    hint: "Leave this edit out, or check that new_string holds what you want.",
  };
}

export function overlapping(one: EditedLines, other: EditedLines): EditRefusal {
  return {
    kind: "refusal",
    code: "INVALID_INPUT",
    edit: other.edit,
    message: `Edits ${one.edit + 1} and ${other.edit + 1} overlap at line ${Math.max(one.firstLine, other.firstLine)}.`,
    hint: "Join them into one edit.",
  };
}

interface EditedLines {
  /** Index of the edit, from 0. */
  readonly edit: number;
  readonly firstLine: number;
}

interface Refused<Kind extends Interpretation["kind"]> {
  readonly index: number;
  readonly found: Extract<Interpretation, { readonly kind: Kind }>;
}

/** Refusal if several matches exist: all are named, so that the next call can choose. */
export function ambiguous(
  text: string,
  { nearLine, index, found }: Refused<"several"> & { readonly nearLine: number | undefined },
): EditRefusal {
  const { places, labels } = found;
  const lines = linesOf(text, places);
  const how = labels.length === 0 ? "" : ` (${labels.join("; ")})`;
  const tie = nearLine === undefined ? "" : ` Two are equally near to line ${nearLine}.`;
  return {
    kind: "refusal",
    code: "AMBIGUOUS_MATCH",
    edit: index,
    message: `old_string occurs ${places.length} times${how}.${tie} Places:\n${shown(text, places)}`,
    hint: "Add lines around it until old_string is unique, give near_line with the line of the place you mean, or set replace_all to change every place.",
    data: { lines },
  };
}

/** Refusal if the match is known but the new text is not. */
export function unclearText(text: string, { index, found }: Refused<"unclear">): EditRefusal {
  const { place, because, labels } = found;
  const block = text.slice(place.start, place.end).split("\n").length;
  const line = lineOf(text, place);
  return {
    kind: "refusal",
    code: "NO_MATCH",
    edit: index,
    message: `old_string matches only when read differently (${labels.join("; ")}), and then ${because}. The place is:\n${blockAt(text, place)}`,
    hint: "Send old_string and new_string again as the file has them, with its own indentation and characters and nothing around them.",
    data: { nearest: { firstLine: line, lastLine: line + block - 1 } },
  };
}

/** Refusal if two candidates lead to different results. */
export function conflicting(text: string, { index, found }: Refused<"conflict">): EditRefusal {
  const ways = found.readings.map(({ place, labels }) => {
    return `at line ${lineOf(text, place)}: ${labels.join("; ")}`;
  });
  const blocks = new Set(found.readings.map(({ place }) => blockAt(text, place)));
  return {
    kind: "refusal",
    code: "AMBIGUOUS_MATCH",
    edit: index,
    message: `old_string is not in the file as it stands, and can be read in ${ways.length} ways that give different results:\n${ways.join("\n")}\nThe file has there:\n${[...blocks].join("\n")}`,
    hint: "Send old_string exactly as the file has it; Read shows it.",
    data: {
      lines: linesOf(
        text,
        found.readings.map(({ place }) => place),
      ),
    },
  };
}

interface LookedFor {
  /** Index of the edit in its call. Default 0. */
  readonly index?: number;
  /** Candidates that were searched for, the one as written first. Default: all candidates of the edit. */
  readonly candidates?: readonly Candidate[];
}

/** Refusal if nothing matches: shows the nearest block with its lines, and names the difference. */
export function notFound(text: string, edit: Pair, lookedFor: LookedFor = {}): EditRefusal {
  const { index = 0, candidates = candidatesOf(edit) } = lookedFor;
  const block = nearestBlock(text, candidates);
  const refusal = { kind: "refusal", code: "NO_MATCH", edit: index } as const;
  if (block === undefined) {
    return {
      ...refusal,
      message: "old_string does not occur in the file, and no line of it does.",
      hint: "Read the file again and copy the text exactly as it stands.",
    };
  }
  const { firstLine, lines, difference } = block;
  const lastLine = firstLine + lines.length - 1;
  const numbered = lines.map((line, at) => numberedLine(firstLine + at, line));
  const range = lines.length === 1 ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  return {
    ...refusal,
    message: `old_string does not occur in the file. The nearest block is ${range}:\n${numbered.join("\n")}\n${difference}`,
    hint: "Copy the block exactly as it is in the file into old_string and call again.",
    data: { nearest: { firstLine, lastLine } },
  };
}

/** One refusal for a call that applied no edit: the edit's own if it is the only one. */
export function refusalOfAll(first: EditRefusal, statuses: readonly EditStatus[]): EditRefusal {
  if (statuses.length === 1) return first;
  const reports = statuses.map((status, index) =>
    status.kind === "applied"
      ? `Edit ${index + 1}: matches at line ${status.lines.join(", ")}.`
      : `Edit ${index + 1}: refused. ${status.refusal.message}`,
  );
  const refused = statuses.filter(({ kind }) => kind === "refused").length;
  const count = `${refused} of ${statuses.length} edits cannot be applied, so none was.`;
  return {
    ...first,
    message: `${count}\n${reports.join("\n")}`,
    hint: `Edit ${first.edit + 1}: ${first.hint}`,
    data: {
      edits: statuses.map((status) =>
        status.kind === "applied"
          ? { status: "matches", lines: status.lines }
          : { status: "refused", code: status.refusal.code, ...status.refusal.data },
      ),
    },
  };
}

function lineOf(text: string, { start }: Place): number {
  return countNewlines(text, 0, start) + 1;
}

function linesOf(text: string, places: readonly Place[]): number[] {
  let line = 1;
  let counted = 0;
  return places.map(({ start }) => {
    const between = countNewlines(text, Math.min(start, counted), Math.max(start, counted));
    line += Math.sign(start - counted) * between;
    counted = start;
    return line;
  });
}

function shown(text: string, places: readonly Place[]): string {
  const first = places.slice(0, maxPlaces).map((place) => withoutBlankLines(text, place));
  const list = first.map((place) =>
    numberedLine(lineOf(text, place), lineAround(text, place.start)),
  );
  const more = places.length > maxPlaces ? `\n(${places.length - maxPlaces} more places)` : "";
  return list.join("\n") + more;
}

/** Range from its first line with content, which distinguishes it from others. */
function withoutBlankLines(text: string, { start, end }: Place): Place {
  const blank = /^(?:[ \t]*\r?\n)*/u.exec(text.slice(start, end))?.[0].length ?? 0;
  return { start: start + blank < end ? start + blank : start, end };
}

function blockAt(text: string, { start, end }: Place): string {
  const first = lineOf(text, { start, end });
  const lines = text.slice(startOfLine(text, start), end).split("\n");
  const list = lines
    .slice(0, maxPlaces)
    .map((line, at) => numberedLine(first + at, line.replace(/\r$/u, "")));
  return list.join("\n") + (lines.length > maxPlaces ? "\n…" : "");
}

function numberedLine(number: number, line: string): string {
  return `${String(number).padStart(6)}\t${clip(line)}`;
}

function lineAround(text: string, offset: number): string {
  const start = startOfLine(text, offset);
  const end = text.indexOf("\n", offset);
  return text.slice(start, end === -1 ? text.length : end).replace(/\r$/u, "");
}

function clip(line: string): string {
  return line.length <= maxShownChars ? line : `${line.slice(0, maxShownChars)}…`;
}
