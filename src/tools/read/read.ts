import { z } from "zod";
import {
  defineTool,
  fileState,
  ToolError,
  type FileView,
  type HostStat,
  type ToolContext,
} from "../../core/index.ts";
import { byteSize, counted, displayPath } from "../files/display-path.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/missing-path.ts";
import { byteOrderMark, checkText, sniffedBytes } from "../files/text-format.ts";
import { takePage, type Page } from "./page.ts";

/** Enough for most source files; a longer one is paged with `offset`. */
const defaultLimit = 2000;
/** Bytes of one page. */
const maxPageBytes = 128 * 1024;
/** Above this size a page must be asked for, and a file is known by its version instead of its hash. */
const maxWholeBytes = 10_000_000;

const Input = z.strictObject({
  file_path: z
    .string()
    .min(1)
    .describe("File to read, absolute or relative to the working directory."),
  offset: z.int().min(0).optional().describe("First line to return, counting from 1. Default 1."),
  limit: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe(`How many lines to return. Default ${defaultLimit}.`),
});

export const read = defineTool({
  name: "Read",
  displayName: "Read file",
  description: [
    "Read a text file.",
    `Lines come numbered, a tab between number and text; the numbers are not part of the file.`,
    `Returns up to ${defaultLimit} lines or 128 kB from the start; for more, call again with the offset the answer names.`,
    "Files over 10 MB need an offset or a limit.",
    "For a folder use ListDir, to search in files use Grep.",
  ].join(" "),
  category: "files",
  aliases: ["FileRead"],
  searchHint: "open view show cat print head tail file contents source text",
  input: Input,
  inputAliases: { file_path: ["path", "filePath", "file"] },
  touches: ["read"],
  needs: [fileState],
  // A full page with its notes must pass the pipeline's bound uncut.
  maxChars: 140_000,
  effects: ({ file_path }, context) => readingEffects(file_path, context),
  signature: ({ file_path, offset, limit }) =>
    `Read ${file_path}${offset === undefined ? "" : ` from ${offset}`}${limit === undefined ? "" : ` limit ${limit}`}`,

  async run({ file_path, offset, limit }, context) {
    const { host, cwd, signal } = context;
    const path = await host.fs.canonical(file_path, { base: cwd, signal });
    const shown = displayPath(path, cwd);
    const stat = await statOrMissing(path, context);
    if (stat === undefined) throw await missingPath(path, context);
    refuseOtherKinds(stat, shown);
    if (stat.size > maxWholeBytes && offset === undefined && limit === undefined) {
      throw new ToolError(
        "TOO_LARGE",
        `${shown} has ${byteSize(stat.size)}, too much to read whole.`,
        {
          hint: "Read a page of it with offset and limit, or find the lines you need with Grep.",
          data: { size: stat.size },
        },
      );
    }
    const from = Math.max(1, offset ?? 1);
    const request = { from, limit: limit ?? defaultLimit, maxBytes: maxPageBytes };
    const { page, hash } =
      stat.size > maxWholeBytes
        ? await pageOfHuge({ ...request, countAll: false }, stat, context)
        : await pageOfWhole({ ...request, countAll: true }, stat, context);
    const { totalLines } = page;
    if (page.shown === 0 && totalLines !== undefined && totalLines > 0) {
      throw new ToolError("INVALID_INPUT", `${shown} has only ${counted(totalLines, "line")}.`, {
        hint: `Use an offset of at most ${totalLines}.`,
        data: { totalLines },
      });
    }
    // Pages of one content add up there, so that a file read in parts counts as seen.
    context.service(fileState).saw(path, viewOf(page, from, hash));
    return answer(page, { path, shown, from, size: stat.size });
  },
});

function refuseOtherKinds(stat: HostStat, shown: string): void {
  if (stat.kind === "file") return;
  if (stat.kind === "directory") {
    throw new ToolError("IS_DIRECTORY", `${shown} is a folder.`, {
      hint: "Use ListDir to see what is in it.",
    });
  }
  throw new ToolError("NOT_A_FILE", `${shown} is a ${stat.kind}, not a regular file.`, {
    hint: "Only regular files can be read.",
    data: { kind: stat.kind },
  });
}

interface HashedPage {
  readonly page: Page;
  readonly hash: string;
}

type Request = Parameters<typeof takePage>[1];

async function pageOfWhole(
  request: Request,
  { path }: HostStat,
  { host, cwd, signal }: ToolContext,
): Promise<HashedPage> {
  const file = await host.fs.readFile(path, { signal });
  const check = checkText(file.bytes, true);
  if (check.kind === "binary")
    throw binaryFile(displayPath(path, cwd), check.because, file.stat.size);
  const text = check.byteOrderMark ? file.bytes.subarray(byteOrderMark.length) : file.bytes;
  return { page: await takePage([text], request), hash: file.hash };
}

async function pageOfHuge(
  request: Request,
  stat: HostStat,
  { host, cwd, signal }: ToolContext,
): Promise<HashedPage> {
  const head = await host.fs.readRange(stat.path, { offset: 0, length: sniffedBytes }, { signal });
  const check = checkText(head, false);
  if (check.kind === "binary")
    throw binaryFile(displayPath(stat.path, cwd), check.because, stat.size);
  const offset = check.byteOrderMark ? byteOrderMark.length : 0;
  const page = await takePage(host.fs.open(stat.path, { offset, signal }), request);
  return { page, hash: `version:${stat.version}` };
}

function binaryFile(shown: string, because: string, size: number): ToolError {
  return new ToolError("BINARY_FILE", `${shown} is not UTF-8 text: it has ${because}.`, {
    hint: because.includes("UTF-")
      ? "Convert a copy to UTF-8 first, for example with iconv."
      : "Use a program made for this kind of file.",
    data: { size, because },
  });
}

function viewOf(page: Page, from: number, hash: string): FileView {
  const isWhole = from === 1 && page.fullBecause === undefined && !page.windowed;
  return isWhole ? { hash } : { hash, ranges: [[from, from + page.shown - 1]] };
}

interface Place {
  readonly path: string;
  readonly shown: string;
  readonly from: number;
  readonly size: number;
}

function answer(page: Page, { path, shown, from, size }: Place) {
  const last = from + page.shown - 1;
  const total = page.totalLines;
  const next = page.fullBecause === undefined ? undefined : last + 1;
  const notes: string[] = [];
  if (page.shown === 0) notes.push(`${shown} is empty (0 bytes).`);
  if (next !== undefined) {
    const of = total === undefined ? "" : ` of ${total}`;
    const why = page.fullBecause === "size" ? "; the page is full at 128 kB" : "";
    notes.push(`Lines ${from} to ${last}${of}${why}. Continue with offset ${next}.`);
  }
  if (page.windowed) notes.push("Long lines are cut; Grep shows the part around a match.");
  if (page.lossy)
    notes.push("Some bytes are not UTF-8 and are shown as \uFFFD; this text is not exact.");
  const footer = notes.length === 0 ? "" : `(${notes.join(" ")})`;
  return {
    content: page.shown === 0 ? footer : `${page.text}${footer}`.replace(/\n$/u, ""),
    title: `Read ${shown}`,
    summary: summaryOf(page, total, size),
    metadata: {
      path,
      size,
      shownLines: page.shown,
      ...(page.shown === 0 ? {} : { firstLine: from, lastLine: last }),
      ...(total === undefined ? {} : { totalLines: total }),
      ...(next === undefined ? {} : { next }),
      lineEndings: page.lineEndings,
      ...(page.lossy ? { lossyDecode: true } : {}),
    },
  };
}

function summaryOf(page: Page, total: number | undefined, size: number): string {
  if (page.shown === 0) return "empty";
  return total === undefined
    ? `${counted(page.shown, "line")} of ${byteSize(size)}`
    : page.shown === total
      ? counted(total, "line")
      : `${page.shown} of ${counted(total, "line")}`;
}
