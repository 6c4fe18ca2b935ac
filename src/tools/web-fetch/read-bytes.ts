import {
  limits,
  ToolError,
  type ToolContext,
  type ToolResult,
  type WebPage,
} from "../../core/index.ts";
import { byteSize, counted } from "../files/paths/display-path.ts";
import { describeImage, prepareImage } from "../read/images/prepare-image.ts";
import { imageFormat } from "../read/images/image-header.ts";
import { imageLimits } from "../read/images/read-image.ts";
import { pdfText } from "../read/pdf/pdf-text.ts";

type BytesPage = Extract<WebPage, { readonly kind: "bytes" }>;
type TextPage = Extract<WebPage, { readonly kind: "text" }>;

/** Characters of a PDF that are extracted; the rest is read from a downloaded file. */
const maxPdfChars = 400_000;

/** Reads a PDF as text and an image as an image; refuses any other bytes. */
export async function readBytes(
  page: BytesPage,
  context: ToolContext,
): Promise<TextPage | ToolResult> {
  const { bytes, mediaType, url } = page;
  const format = imageFormat(bytes);
  const { read } = context.service(limits);
  if (format !== undefined) {
    const image = await prepareImage({
      bytes,
      format,
      name: url,
      limits: imageLimits(read),
      signal: context.signal,
    });
    return {
      content: [
        { type: "text", text: `${url}: ${describeImage(image, bytes.length)}.` },
        image.part,
      ],
      title: `Fetch ${url}`,
      summary: `${image.format.toUpperCase()} image, ${image.width} x ${image.height}`,
      metadata: { url, mediaType, size: bytes.length, width: image.width, height: image.height },
    };
  }
  if (Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-")
    return await pdfPage(page, context);
  throw new ToolError(
    "BINARY_FILE",
    `${url} is ${mediaType} (${byteSize(bytes.length)}), not text.`,
    {
      hint: "Download it with a command, such as curl, if you need the file.",
      data: { mediaType, size: bytes.length },
    },
  );
}

async function pdfPage(
  { bytes, url, mediaType, isCached }: BytesPage,
  { signal }: ToolContext,
): Promise<TextPage> {
  const { pages, total, next } = await pdfText({
    request: { bytes, ranges: undefined, maxPages: 200, wholePages: 200, maxChars: maxPdfChars },
    shown: url,
    signal,
  });
  const text = pages
    .map(({ number, text: each }) => `[page ${number} of ${total}]\n${each.trimEnd()}`)
    .join("\n\n");
  const notes =
    next === undefined && pages.length === total
      ? []
      : [`${counted(pages.length, "page")} of ${total} are read; download it for the others.`];
  return { kind: "text", url, mediaType, text, notes, isCached };
}
