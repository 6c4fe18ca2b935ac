import {
  fileState,
  limits,
  ToolError,
  type FileState,
  type FileView,
  type HostStat,
  type Limits,
  type ToolContext,
  type ToolResult,
} from "../../core/index.ts";
import { byteSize, counted } from "../files/display-path.ts";
import { byteOrderMark, checkText, sniffedBytes } from "../files/text-format.ts";
import { LineIndexes } from "./line-index.ts";
import { pageOf, takePage, type Page, type PageRequest } from "./page.ts";
import { namesLines, wantedLines, type ReadInput } from "./read-input.ts";
import { textAnswer } from "./text-answer.ts";

/** A file to answer with, and what the call said. */
export interface ReadTarget {
  readonly stat: HostStat;
  /** The path as the model may write it back. */
  readonly shown: string;
  readonly input: ReadInput;
}

/** A page of a text file; of a file too large to hold, no more is read than the page needs. */
export async function readText(target: ReadTarget, context: ToolContext): Promise<ToolResult> {
  const { stat, shown, input } = target;
  const { read } = context.service(limits);
  const isHuge = stat.size > read.wholeBytes;
  if (isHuge && !namesLines(input)) {
    throw new ToolError(
      "TOO_LARGE",
      `${shown} has ${byteSize(stat.size)}, too much to read whole.`,
      {
        hint: "Read a page of it with offset and limit, or find the lines you need with Grep.",
        data: { size: stat.size },
      },
    );
  }
  const request = pageRequest(input, read);
  const { page, hash } = isHuge
    ? await pageOfHuge(request, target, context)
    : await pageOfWhole(request, target, context);
  const { totalLines } = page;
  if (page.shownLines === 0 && totalLines !== undefined && totalLines > 0) {
    throw new ToolError("INVALID_INPUT", `${shown} has only ${counted(totalLines, "line")}.`, {
      hint: `Use an offset of at most ${totalLines}.`,
      data: { totalLines },
    });
  }
  // Pages of one content add up there, so that a file read in parts counts as seen.
  context.service(fileState).saw(stat.path, viewOf(page, hash));
  return textAnswer({ page, request, shown, path: stat.path, size: stat.size });
}

function pageRequest(input: ReadInput, read: Limits["read"]): PageRequest {
  return {
    ranges: wantedLines(input, read.lines),
    maxBytes: read.pageBytes,
    window: { column: Math.max(1, input.column ?? 1), chars: read.lineChars },
    countAll: true,
  };
}

interface HashedPage {
  readonly page: Page;
  readonly hash: string;
}

async function pageOfWhole(
  request: PageRequest,
  { stat, shown }: ReadTarget,
  { host, signal }: ToolContext,
): Promise<HashedPage> {
  const file = await host.fs.readFile(stat.path, { signal });
  const check = checkText(file.bytes, true);
  if (check.kind === "binary") throw binaryFile(shown, check.because, file.stat.size);
  const text = check.byteOrderMark ? file.bytes.subarray(byteOrderMark.length) : file.bytes;
  return { page: pageOf(text, request), hash: file.hash };
}

/** Begins at the line start nearest to the page that is known, and stops with the page. */
async function pageOfHuge(
  request: PageRequest,
  { stat, shown }: ReadTarget,
  context: ToolContext,
): Promise<HashedPage> {
  const { fs } = context.host;
  const { signal } = context;
  const head = await fs.readRange(stat.path, { offset: 0, length: sniffedBytes }, { signal });
  const check = checkText(head, false);
  if (check.kind === "binary") throw binaryFile(shown, check.because, stat.size);
  const index = indexesOf(context.service(fileState)).of(stat.path, stat.version);
  const start = index.before(request.ranges[0]?.first ?? 1);
  const mark = check.byteOrderMark ? byteOrderMark.length : 0;
  const offset = Math.max(start.offset, mark);
  const page = await takePage(fs.open(stat.path, { offset, reuse: true, signal }), {
    ...request,
    countAll: false,
    startLine: start.line,
    onLineStart: (line, distance) => index.add(line, offset + distance),
  });
  return { page, hash: `version:${stat.version}` };
}

/** A session's indexes live as long as what it has seen of its files. */
const indexes = new WeakMap<FileState, LineIndexes>();

function indexesOf(state: FileState): LineIndexes {
  const known = indexes.get(state) ?? new LineIndexes();
  indexes.set(state, known);
  return known;
}

function binaryFile(shown: string, because: string, size: number): ToolError {
  return new ToolError("BINARY_FILE", `${shown} is not UTF-8 text: it has ${because}.`, {
    hint: because.includes("UTF-")
      ? "Convert a copy to UTF-8 first, for example with iconv."
      : "Use a program made for this kind of file.",
    data: { size, because },
  });
}

function viewOf(page: Page, hash: string): FileView {
  const [first] = page.shown;
  const isWhole =
    page.fullBecause === undefined &&
    !page.isPartial &&
    (page.totalLines === 0 || (first?.first === 1 && first.last === page.totalLines));
  return isWhole
    ? { hash }
    : { hash, ranges: page.shown.map(({ first: from, last }) => [from, last]) };
}
