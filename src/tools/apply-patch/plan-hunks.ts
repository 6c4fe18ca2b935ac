import { planEdit, type Splice } from "../edit/plan-edit.ts";
import { notFound, type EditRefusal } from "../edit/refuse.ts";
import { countNewlines, splice } from "../edit/text.ts";
import type { Hunk } from "./parse-patch.ts";

/** Result of planning one hunk. */
export type HunkStatus =
  | { readonly kind: "applied"; readonly line: number; readonly interpretations: readonly string[] }
  | { readonly kind: "refused"; readonly code: EditRefusal["code"]; readonly because: string };

export interface HunkPlan {
  /** Resulting text; undefined if a hunk was refused. */
  readonly text: string | undefined;
  /** Statuses in order of the patch. */
  readonly statuses: readonly HunkStatus[];
  /** Lines of the original that change, from 1. */
  readonly changes: readonly {
    readonly first: number;
    readonly last: number;
    readonly lines: number;
  }[];
}

const mark = "\uFEFF";

/**
 * Finds the match of every hunk in the present text, by the rules of Edit, on whole lines. If its lines match more than
 * once, `@@` lines decide: the first match below them is used, provided that each of them is found exactly once.
 */
export function planHunks(text: string, hunks: readonly Hunk[]): HunkPlan {
  const framed = frame(text);
  const statuses: HunkStatus[] = [];
  const parts: Splice[] = [];
  for (const hunk of hunks) {
    const placed = placeOf(framed, hunk);
    if (placed.kind === "refused") {
      statuses.push(placed);
      continue;
    }
    const clash = parts.some((part) => placed.start < part.end && part.start < placed.end);
    if (clash || parts.some((part) => part.start === placed.start && part.end === placed.end)) {
      statuses.push({
        kind: "refused",
        code: "INVALID_INPUT",
        because: `it changes the same lines as another hunk, at line ${placed.firstLine}.`,
      });
      continue;
    }
    parts.push(placed);
    const { firstLine: line, interpretations } = placed;
    statuses.push({ kind: "applied", line, interpretations });
  }
  const sorted = parts.toSorted((one, other) => one.start - other.start);
  const changes = sorted.map(({ start, end, newText, firstLine }) => ({
    first: firstLine,
    last: firstLine + linesOf(framed.text.slice(start, end)) - 1,
    lines: linesOf(newText),
  }));
  const isWhole = statuses.every(({ kind }) => kind === "applied");
  return {
    text: isWhole ? unframe(framed, splice(framed.text, sorted)) : undefined,
    statuses,
    changes,
  };
}

/** Text framed so that every line is between two line breaks, which allows a search for whole lines. */
interface Framed {
  readonly text: string;
  readonly before: string;
  readonly ending: string;
  readonly after: string;
}

function frame(text: string): Framed {
  const before = text.startsWith(mark) ? mark : "";
  const content = text.slice(before.length);
  const feed = content.indexOf("\n");
  const ending = feed > 0 && content[feed - 1] === "\r" ? "\r\n" : "\n";
  const after = content === "" || content.endsWith("\n") ? "" : ending;
  return { text: ending + content + after, before, ending, after };
}

/** Removes the frame. A file without a final line break stays one. */
function unframe({ text: framed, before, ending, after }: Framed, text: string): string {
  const content = text.slice(ending.length);
  if (after === "") return before + content;
  // In a file with both kinds of line endings, a hunk may have changed the kind of the frame's line break.
  const isOwnReturn = after === "\n" && framed.endsWith("\r\n");
  return before + content.replace(isOwnReturn ? /\n$/u : /\r?\n$/u, "");
}

type Placed =
  | (Splice & { readonly kind: "placed"; readonly interpretations: readonly string[] })
  | Extract<HunkStatus, { readonly kind: "refused" }>;

function placeOf(framed: Framed, hunk: Hunk): Placed {
  if (hunk.oldLines.length === 0) return appended(framed, hunk);
  const headers = findHeaders(framed.text, hunk.headers);
  if (typeof headers === "string") return refused("NO_MATCH", headers);
  const edit = { oldText: inLines(hunk.oldLines), newText: inLines(hunk.newLines) };
  if (edit.oldText === edit.newText) return refused("NO_CHANGE", "it changes nothing.");
  let plan = planEdit(framed.text, [edit]);
  if (plan.kind === "refusal" && plan.code === "AMBIGUOUS_MATCH" && (headers > 0 || hunk.isAtEnd)) {
    const chosen = chosenLine(framed.text, { plan, hunk, headers });
    plan = planEdit(framed.text, [{ ...edit, nearLine: chosen }]);
  }
  if (plan.kind === "refusal") return refused(plan.code, reasonOf(framed, hunk, plan));
  const [found] = plan.splices;
  if (found === undefined) return refused("NO_CHANGE", "it changes nothing.");
  const own = withoutFrame(framed.text, found);
  if (own.firstLine <= headers) {
    return refused(
      "NO_MATCH",
      `its lines are at line ${own.firstLine}, above what its @@ line names.`,
    );
  }
  if (hunk.isAtEnd && own.end < framed.text.length) {
    return refused(
      "NO_MATCH",
      `its lines are at line ${own.firstLine}, which is not the end of the file.`,
    );
  }
  return { kind: "placed", ...own, interpretations: plan.interpretations };
}

/** Hunk without context or removed lines: its lines are appended to the file, as the format specifies. */
function appended({ text, ending }: Framed, { headers, newLines }: Hunk): Placed {
  if (headers.length > 0) {
    return refused(
      "INVALID_INPUT",
      "it only adds lines; give a line that is there, so that their place is known.",
    );
  }
  const newText = newLines.map((line) => line + ending).join("");
  const firstLine = countNewlines(text, 0, text.length);
  const end = text.length;
  return {
    kind: "placed",
    edit: 0,
    start: end,
    end,
    newText,
    firstLine,
    lastLine: firstLine,
    interpretations: [],
  };
}

function refused(
  code: EditRefusal["code"],
  because: string,
): Extract<HunkStatus, { readonly kind: "refused" }> {
  return { kind: "refused", code, because };
}

/** Words the refusal of an edit for a hunk, with the lines of the file as they are without the frame. */
function reasonOf(framed: Framed, { oldLines, newLines }: Hunk, refusal: EditRefusal): string {
  const lines = refusal.data?.["lines"];
  if (refusal.code === "AMBIGUOUS_MATCH" && Array.isArray(lines)) {
    return `its lines may be at lines ${lines.join(", ")}. Add unchanged lines around them, or an @@ line with a line that occurs once above.`;
  }
  const isElsewhere = refusal.message.startsWith("old_string matches only");
  const [message = ""] = isElsewhere
    ? refusal.message.split(" The place is:")
    : [
        notFound(unframe(framed, framed.text), {
          oldText: oldLines.join("\n"),
          newText: newLines.join("\n"),
        }).message,
      ];
  return message.replaceAll("old_string", "its old text").replaceAll("new_string", "its new text");
}

/**
 * Line of the file below which the match must be; 0 without headers. Returns a string with the problem if a header is
 * not found or ambiguous.
 */
function findHeaders(text: string, headers: readonly string[]): number | string {
  const lines = text.split("\n").map((line) => line.trim());
  let below = 0;
  for (const header of headers) {
    const found = lines.flatMap((line, at) => (at > below && line === header ? [at] : []));
    const loose =
      found.length > 0
        ? found
        : lines.flatMap((line, at) => (at > below && line.includes(header) ? [at] : []));
    const [first, second] = loose;
    if (first === undefined)
      return `the file has no line ${JSON.stringify(header)}, which its @@ line names.`;
    if (second !== undefined)
      return `the line ${JSON.stringify(header)} of its @@ line is at lines ${loose.join(", ")}.`;
    below = first;
  }
  return below;
}

interface Choice {
  readonly plan: EditRefusal;
  readonly hunk: Hunk;
  readonly headers: number;
}

/** Selects, from the lines at which a hunk may begin, the one that its headers determine. */
function chosenLine(text: string, { plan, hunk, headers }: Choice): number | undefined {
  const lines = plan.data?.["lines"];
  if (!Array.isArray(lines)) return undefined;
  // A match begins with the line break before its first line, so its line number is that of the line in the file.
  const below = lines.filter((line): line is number => typeof line === "number" && line > headers);
  if (!hunk.isAtEnd) return below[0];
  const last = countNewlines(text, 0, text.length) - hunk.oldLines.length;
  return below.find((line) => line === last);
}

function inLines(lines: readonly string[]): string {
  return `\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** Splice without the leading line break, which both sides have. */
function withoutFrame(text: string, found: Splice): Splice {
  const skipped = breakAt(text, found.start);
  const start = found.start + skipped;
  // For a match that was found without the frame, the new text has none either; a line break there is an empty line.
  const newText = found.newText.slice(skipped > 0 ? breakAt(found.newText, 0) : 0);
  // The frame adds one line before the first line of the file.
  return { ...found, start, newText, firstLine: countNewlines(text, 0, start) };
}

function breakAt(text: string, at: number): number {
  if (text.startsWith("\r\n", at)) return 2;
  return text[at] === "\n" ? 1 : 0;
}

/** Number of lines in a text; an unfinished last line counts. */
function linesOf(text: string): number {
  return countNewlines(text, 0, text.length) + (text === "" || text.endsWith("\n") ? 0 : 1);
}
