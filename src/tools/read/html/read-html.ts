import { limits, ToolError, type ToolContext, type ToolResult } from "../../../core/index.ts";
import { htmlCharset, htmlToMarkdown } from "../../../html/index.ts";
import { decodeText } from "../../files/encodings/codec.ts";
import { formOf } from "../../files/encodings/text-form.ts";
import { pageOf } from "../build-page.ts";
import { pageRequest, requireLines } from "../page-request.ts";
import { textAnswer } from "../text-answer.ts";
import { wholeFile, type ReadTarget } from "../whole-file.ts";

/**
 * Text of an HTML file as Markdown, numbered and paged like any text. The file does not count as seen: an edit needs its
 * source.
 */
export async function readHtml(target: ReadTarget, context: ToolContext): Promise<ToolResult> {
  const { stat, shown, input } = target;
  const { read } = context.service(limits);
  if (!/\.x?html?$/iu.test(stat.path)) {
    throw new ToolError("INVALID_INPUT", `${shown} is not an HTML file.`, {
      hint: "Read it without format.",
    });
  }
  const { bytes } = await wholeFile(
    target,
    { maxBytes: read.wholeBytes, what: "HTML files" },
    context,
  );
  const text = decodeText(bytes, formFor(bytes, { shown, encoding: input.encoding })).text;
  const { markdown, isCut } = await htmlToMarkdown(text);
  const request = pageRequest(input, read);
  const page = pageOf(Buffer.from(markdown), request);
  requireLines(page, shown);
  return textAnswer({
    page,
    request,
    shown,
    path: stat.path,
    size: stat.size,
    notes: [
      "Converted from HTML; to change the file, read it without format.",
      ...(isCut ? ["Its elements are nested too deeply; the rest is missing."] : []),
    ],
    metadata: { format: "markdown" },
  });
}

/** The encoding that the call names, else that of the bytes, else the one that the document declares. */
function formFor(
  bytes: Uint8Array,
  { shown, encoding }: { readonly shown: string; readonly encoding: string | undefined },
): ReturnType<typeof formOf> {
  const size = bytes.length;
  const found = formOf(bytes, { shown, encoding, size });
  if (found.isSure) return found;
  const declared = htmlCharset(bytes);
  try {
    return declared === undefined || declared === "utf-8"
      ? found
      : formOf(bytes, { shown, encoding: declared, size });
  } catch {
    return found;
  }
}
