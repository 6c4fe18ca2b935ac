import {
  defaultLimits,
  defineTool,
  seenFiles,
  limits,
  type HostFile,
  type HostStat,
  type ToolContext,
  type ToolResult,
} from "../../core/index.ts";
import { displayPath } from "../files/paths/display-path.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/paths/missing-path.ts";
import { readRegular } from "../files/seen/read-regular.ts";
import { imageFormat, type ImageFormat } from "./images/image-header.ts";
import { namesLines, ReadInput } from "./read-input.ts";
import { readText } from "./read-text.ts";
import type { ReadTarget } from "./whole-file.ts";
import { notRegularFile } from "../files/paths/wrong-kind.ts";

export const read = defineTool({
  name: "Read",
  displayName: "Read file",
  description: [
    "Read a file: text, images, PDF and Word documents, Jupyter notebooks.",
    "Each line has its number and a tab before it, which are not part of the file.",
    `Returns at most ${defaultLimits.read.lines} lines or 128 kB and the offset to continue with.`,
    "Long PDFs are read by pages; notebooks show cells and outputs.",
    "Files over 10 MB need an offset or a limit.",
    "A directory is listed. To search in files use Grep.",
  ].join(" "),
  category: "files",
  aliases: ["FileRead"],
  searchHint: "open view show cat print head tail file contents source text",
  input: ReadInput,
  inputAliases: { file_path: ["path", "filePath", "file"] },
  touches: ["read"],
  staged: "files",
  needs: [seenFiles],
  // A full page with its notes must pass the limit of the pipeline without being shortened.
  maxChars: 140_000,
  effects: ({ file_path }, context) => readingEffects(file_path, context, "tree"),
  signature: ({ file_path, offset, limit }) =>
    `Read ${file_path}${offset === undefined ? "" : ` from ${offset}`}${limit === undefined ? "" : ` limit ${limit}`}`,

  async run(input, context) {
    const maxBytes = context.service(limits).read.wholeBytes;
    const file = await readRegular(input.file_path, { maxBytes }, context);
    if (file !== undefined) return answered(targetOf(file, input, context), context);
    const target = await openedHead(input, context);
    return "head" in target ? answered(target, context) : listed(target, context);
  },
});

/** Number of bytes that determine the kind of a file too large to hold in memory. */
const headBytes = 65_536;

function targetOf(file: HostFile, input: ReadInput, { cwd }: ToolContext): ReadTarget {
  const { stat, bytes } = file;
  return {
    stat,
    shown: displayPath(stat.path, cwd),
    input,
    file,
    head: bytes.subarray(0, headBytes),
  };
}

/** Opens a file too large to hold in memory, or a directory; throws an error for anything else. */
async function openedHead(input: ReadInput, context: ToolContext): Promise<ReadTarget | HostStat> {
  const { host, cwd, signal } = context;
  const path = await host.fs.canonical(input.file_path, { base: cwd, signal });
  const shown = displayPath(path, cwd);
  const stat = await statOrMissing(path, context);
  if (stat === undefined) throw await missingPath(path, context, input.file_path);
  if (stat.kind === "directory") return stat;
  if (stat.kind !== "file") {
    throw notRegularFile(shown, stat.kind, "Only regular files and directories can be read.");
  }
  const head = await host.fs.readRange(path, { offset: 0, length: headBytes }, { signal });
  return { stat, shown, input, file: undefined, head };
}

async function listed({ path }: HostStat, context: ToolContext): Promise<ToolResult> {
  const { directoryAnswer } = await import("../files/directory-answer.ts");
  const { entries: maxEntries } = context.service(limits).listDir;
  return directoryAnswer({ path, depth: 1, maxEntries }, context);
}

/**
 * Selects the reader. The bytes determine the format, not the name; the name counts only if the bytes show no more than
 * "text" or "ZIP".
 */
function answered(target: ReadTarget, context: ToolContext): ToolResult | Promise<ToolResult> {
  const { head, input, stat } = target;
  const format = imageFormat(head);
  if (format !== undefined) return imageAnswer(target, format, context);
  if (startsWith(head, "%PDF-")) return pdfAnswer(target, context);
  if (startsWith(head, "PK\u0003\u0004") && /\.doc[xm]$/iu.test(stat.path)) {
    return docxAnswer(target, context);
  }
  if (/\.ipynb$/iu.test(stat.path) && !namesLines(input)) return notebookAnswer(target, context);
  return input.format === "markdown" ? htmlAnswer(target, context) : readText(target, context);
}

async function htmlAnswer(target: ReadTarget, context: ToolContext): Promise<ToolResult> {
  const { readHtml } = await import("./html/read-html.ts");
  return readHtml(target, context);
}

async function imageAnswer(
  target: ReadTarget,
  format: ImageFormat,
  context: ToolContext,
): Promise<ToolResult> {
  const { readImage } = await import("./images/read-image.ts");
  return readImage(target, format, context);
}

async function pdfAnswer(target: ReadTarget, context: ToolContext): Promise<ToolResult> {
  const { readPdf } = await import("./pdf/read-pdf.ts");
  return readPdf(target, context);
}

async function docxAnswer(target: ReadTarget, context: ToolContext): Promise<ToolResult> {
  const { readDocx } = await import("./docx/read-docx.ts");
  return (await readDocx(target, context)) ?? readText(target, context);
}

async function notebookAnswer(target: ReadTarget, context: ToolContext): Promise<ToolResult> {
  const { readNotebook } = await import("./notebook/read-notebook.ts");
  return readNotebook(target, context);
}

function startsWith(head: Uint8Array, magic: string): boolean {
  for (let at = 0; at < magic.length; at++) if (head[at] !== magic.charCodeAt(at)) return false;
  return true;
}
