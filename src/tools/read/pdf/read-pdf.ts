import {
  seenFiles,
  limits,
  ToolError,
  type Limits,
  type ToolContext,
  type ToolResult,
} from "../../../core/index.ts";
import { counted } from "../../files/paths/display-path.ts";
import { estimateTokens } from "../../files/estimate-tokens.ts";
import { noneOf, pageRanges } from "../page-list.ts";
import { wholeFile, type ReadTarget } from "../whole-file.ts";
import { pdfText, type PdfText } from "./pdf-text.ts";

/** Returns the text of a PDF, page by page. */
export async function readPdf(target: ReadTarget, context: ToolContext): Promise<ToolResult> {
  const { stat, shown, input } = target;
  const { read } = context.service(limits);
  const ranges = input.pages === undefined ? undefined : pageRanges(input.pages, "page");
  const { bytes, hash } = await wholeFile(
    target,
    { maxBytes: read.documentBytes, what: "PDF documents" },
    context,
  );
  const { pages: maxPages, wholePages, pageBytes: maxChars } = read;
  const text = await pdfText({
    request: { bytes, ranges, maxPages, wholePages, maxChars },
    shown,
    signal: context.signal,
  });
  const { total } = text;
  if (ranges !== undefined && text.pages.length === 0) throw noneOf(total, "page", shown);
  if (ranges === undefined && total > wholePages) {
    throw new ToolError("TOO_LARGE", `${shown} has ${total} pages, too many to read whole.`, {
      hint: `Read some of them with pages, such as "1-${Math.min(maxPages, total)}"; at most ${maxPages} in one call.`,
      data: { total },
    });
  }
  context.service(seenFiles).saw(stat.path, { hash });
  return answer(target, text, read);
}

function answer(target: ReadTarget, text: PdfText, read: Limits["read"]): ToolResult {
  const { stat, shown } = target;
  const { total, pages, next } = text;
  const body = pages
    .map((page) => {
      const said =
        page.text.trim() === ""
          ? "(This page has no text; it may be a scanned picture.)"
          : page.text;
      return `[page ${page.number} of ${total}]\n${said.trimEnd()}`;
    })
    .join("\n\n");
  const bounded =
    body.length > read.pageBytes
      ? `${body.slice(0, read.pageBytes)}\n… (this page is cut here)`
      : body;
  const tokens = estimateTokens(bounded);
  const note =
    next === undefined ? "" : `\n(About ${tokens} tokens shown. Continue with pages ${next}-.)`;
  return {
    content: `${bounded}${note}`,
    title: `Read ${shown}`,
    summary:
      pages.length === total
        ? counted(total, "page")
        : `${pages.length} of ${counted(total, "page")}`,
    metadata: {
      path: stat.path,
      size: stat.size,
      format: "pdf",
      pages: total,
      shownPages: pages.map(({ number }) => number),
      ...(next === undefined ? {} : { next }),
      estimatedTokens: tokens,
    },
  };
}
