import { ToolError } from "../../../core/index.ts";
import { runOffThread } from "../off-thread.ts";
import type { PageRange } from "../page-list.ts";

export interface PdfRequest {
  readonly bytes: Uint8Array;
  /** Page ranges. If omitted: all pages, provided that there are at most `wholePages`. */
  readonly ranges: readonly PageRange[] | undefined;
  readonly maxPages: number;
  readonly wholePages: number;
  /** Number of characters after which no further page is started. */
  readonly maxChars: number;
}

export interface PdfText {
  readonly total: number;
  readonly pages: readonly { readonly number: number; readonly text: string }[];
  /** First requested page that is not included. */
  readonly next?: number;
}

/**
 * Extracts the text of some pages. A document is untrusted input that may take any amount of time or memory to process,
 * so it is handled on a thread of its own that ends with the call.
 */
export async function pdfText(options: {
  readonly request: PdfRequest;
  readonly shown: string;
  readonly signal: AbortSignal;
}): Promise<PdfText> {
  const { request, shown, signal } = options;
  const result = await taken(request, signal, shown);
  if (result === undefined) {
    throw new ToolError("UNAVAILABLE", "PDF documents need the package unpdf.", {
      hint: "Install it with `npm install unpdf`, or use a command such as pdftotext.",
      retryable: false,
    });
  }
  if (isPdfText(result)) return result;
  const why = isFailure(result) ? result.failure : "nothing came of it";
  const isLocked = why.startsWith("PasswordException");
  throw new ToolError(
    "BINARY_FILE",
    isLocked
      ? `${shown} is a PDF that asks for a password.`
      : `${shown} is a PDF that cannot be read: ${why}.`,
    {
      hint: isLocked
        ? "Unlock it first, for example with qpdf --decrypt."
        : "The file is damaged or truncated; get it again.",
    },
  );
}

async function taken(request: PdfRequest, signal: AbortSignal, shown: string): Promise<unknown> {
  try {
    return await runOffThread({ packageName: "unpdf", work, data: request, signal, maxMegabytes });
  } catch (error) {
    if (ToolError.is(error)) throw error;
    const isFull =
      error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
    if (!isFull) return { failure: error instanceof Error ? error.message : String(error) };
    throw new ToolError(
      "TOO_LARGE",
      `${shown} needs more than ${maxMegabytes} MB of memory to be read.`,
      {
        hint: "Read fewer pages, or use a command such as pdftotext.",
      },
    );
  }
}

const maxMegabytes = 512;

/** JavaScript for the thread: opens the document, extracts the requested pages, and returns errors as data. */
const work = `async (unpdf, { bytes, ranges, maxPages, wholePages, maxChars }) => {
  try {
    const document = await unpdf.getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    const total = document.numPages;
    const wanted = [];
    let next;
    if (ranges !== undefined || total <= wholePages) {
      for (let number = 1; number <= total; number++) {
        const named = ranges === undefined || ranges.some(([first, last]) => number >= first && number <= last);
        if (!named) continue;
        if (wanted.length === maxPages) { next = number; break; }
        wanted.push(number);
      }
    }
    const pages = [];
    let chars = 0;
    for (const number of wanted) {
      if (chars >= maxChars) { next = number; break; }
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => (item.str ?? "") + (item.hasEOL ? "\\n" : "")).join("");
      page.cleanup();
      if (pages.length > 0 && chars + text.length > maxChars) { next = number; break; }
      pages.push({ number, text });
      chars += text.length;
    }
    return next === undefined ? { total, pages } : { total, pages, next };
  } catch (error) {
    return { failure: (error?.name ?? "Error") + ": " + String(error?.message ?? error).slice(0, 200) };
  }
}`;

function isPdfText(value: unknown): value is PdfText {
  return typeof value === "object" && value !== null && "total" in value && "pages" in value;
}

function isFailure(value: unknown): value is { readonly failure: string } {
  return (
    typeof value === "object" &&
    value !== null &&
    "failure" in value &&
    typeof value.failure === "string"
  );
}
