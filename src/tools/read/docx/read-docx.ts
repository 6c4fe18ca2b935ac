import {
  seenFiles,
  limits,
  ToolError,
  type ToolContext,
  type ToolResult,
} from "../../../core/index.ts";
import { byteSize } from "../../files/paths/display-path.ts";
import { pageOf } from "../build-page.ts";
import { pageRequest, requireLines } from "../page-request.ts";
import { textAnswer } from "../text-answer.ts";
import { wholeFile, type ReadTarget } from "../whole-file.ts";
import { documentText } from "./document-text.ts";
import { unpackEntry, zipEntries } from "./unzip.ts";

/** Text of a Word document, numbered and paged like any text. Undefined if the archive is something else. */
export async function readDocx(
  target: ReadTarget,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  const { stat, shown, input } = target;
  const { read } = context.service(limits);
  const { bytes, hash } = await wholeFile(
    target,
    { maxBytes: read.documentBytes, what: "Word documents" },
    context,
  );
  const entry = zipEntries(bytes)?.get("word/document.xml");
  if (entry === undefined) return undefined;
  const unpacked = await unpackEntry(bytes, entry, read.unpackedBytes);
  if (unpacked.kind === "too-large") {
    throw new ToolError(
      "TOO_LARGE",
      `${shown} unpacks to more than ${byteSize(read.unpackedBytes)} of text.`,
      {
        hint: "Convert it first, for example with pandoc or libreoffice --headless.",
        data: { size: stat.size },
      },
    );
  }
  if (unpacked.kind === "broken") {
    throw new ToolError("BINARY_FILE", `${shown} is a damaged Word document.`, {
      hint: "Its text cannot be unpacked; get the file again.",
    });
  }
  const text = documentText(Buffer.from(unpacked.bytes).toString("utf8"));
  const request = pageRequest(input, read);
  const page = pageOf(Buffer.from(text), request);
  requireLines(page, shown);
  context.service(seenFiles).saw(stat.path, { hash });
  return textAnswer({
    page,
    request,
    shown,
    path: stat.path,
    size: stat.size,
    notes: ["The text of a Word document; its layout and pictures are not shown."],
    metadata: { format: "docx" },
  });
}
