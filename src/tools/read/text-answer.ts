import type { ToolResult } from "../../core/index.ts";
import { byteSize, counted, grouped } from "../files/paths/display-path.ts";
import { estimateTokens } from "../files/estimate-tokens.ts";
import type { LineRange, Page, PageRequest } from "./page.ts";

export interface PagedText {
  readonly page: Page;
  readonly request: PageRequest;
  readonly shown: string;
  readonly path: string;
  /** Size of the file in bytes. */
  readonly size: number;
  /** Notes about the text as a whole, in sentences. */
  readonly notes?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Minimum estimated tokens of a page for the estimate to be reported; a smaller page costs a model little. */
const toldTokens = 1000;

/** Builds the result of a Read of text: the page, then in parentheses what it omits and how to read that. */
export function textAnswer(paged: PagedText): ToolResult {
  const { page, shown, path, size, metadata = {} } = paged;
  const tokens = estimateTokens(page.text);
  const notes = notesOf(paged, tokens);
  const footer = notes.length === 0 ? "" : `(${notes.join(" ")})`;
  return {
    content: contentOf(page, footer),
    title: `Read ${shown}`,
    summary: summaryOf(page, size),
    metadata: { path, size, ...factsOf(page, tokens), ...metadata },
  };
}

function factsOf(page: Page, estimatedTokens: number): Readonly<Record<string, unknown>> {
  const { shown, shownLines, totalLines, next, lineEndings, lossy } = page;
  const facts: Record<string, unknown> = { shownLines };
  const [first] = shown;
  const last = shown.at(-1);
  if (first !== undefined) facts["firstLine"] = first.first;
  if (last !== undefined) facts["lastLine"] = last.last;
  if (shown.length > 1) facts["ranges"] = shown.map((range) => [range.first, range.last]);
  if (totalLines !== undefined) facts["totalLines"] = totalLines;
  if (next !== undefined) facts["next"] = next;
  facts["estimatedTokens"] = estimatedTokens;
  facts["lineEndings"] = lineEndings;
  if (lossy) facts["lossyDecode"] = true;
  return facts;
}

/** Content of the result. The final line break carries no information. */
function contentOf({ text, shownLines }: Page, footer: string): string {
  if (shownLines === 0) return footer;
  if (footer !== "") return text + footer;
  return text.endsWith("\n") ? text.slice(0, -1) : text;
}

function notesOf({ page, request, shown, size, notes = [] }: PagedText, tokens: number): string[] {
  const said: string[] = [];
  if (page.shownLines === 0) said.push(`${shown} is empty (${counted(size, "byte")}).`);
  if (page.next !== undefined) {
    const of = page.totalLines === undefined ? "" : ` of ${page.totalLines}`;
    const why =
      page.fullBecause === "size"
        ? `; the page is full at ${Math.round(request.maxBytes / 1024)} kB`
        : "";
    const about = tokens < toldTokens ? "" : `, about ${grouped(tokens)} tokens`;
    said.push(`${linesText(page.shown)}${of}${why}${about}. Continue with offset ${page.next}.`);
  } else if (page.totalLines !== undefined && request.ranges.length > 1) {
    const past = request.ranges.filter(({ first }) => first > (page.totalLines ?? 0));
    said.push(`${linesText(page.shown)} of ${page.totalLines}.`);
    if (past.length > 0) said.push(`No such lines: ${rangesText(past)}.`);
  }
  const [cut] = page.cutLines;
  if (cut !== undefined) {
    const { column, chars } = request.window;
    said.push(
      `Long lines are shown in part: ${chars} characters${column > 1 ? ` from character ${column}` : ""}. To go on in line ${cut} use offset ${cut}, limit 1 and column ${column + chars}; Grep shows the part around a match.`,
    );
  }
  if (page.lossy) {
    said.push("Some bytes are not text and are shown as \uFFFD; this text is not exact.");
  }
  return [...said, ...notes];
}

function linesText(ranges: readonly LineRange[]): string {
  const [first] = ranges;
  const isOne = ranges.length === 1 && first?.first === first?.last;
  return `${isOne ? "Line" : "Lines"} ${rangesText(ranges)}`;
}

function rangesText(ranges: readonly LineRange[]): string {
  return ranges
    .map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
    .join(", ");
}

function summaryOf(page: Page, size: number): string {
  const { shownLines, totalLines } = page;
  if (shownLines === 0) return "empty";
  return totalLines === undefined
    ? `${counted(shownLines, "line")} of ${byteSize(size)}`
    : shownLines === totalLines
      ? counted(totalLines, "line")
      : `${shownLines} of ${counted(totalLines, "line")}`;
}
