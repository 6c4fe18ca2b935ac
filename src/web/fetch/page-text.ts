import type { WebMeans } from "../../core/index.ts";
import { htmlCharset, htmlToMarkdown } from "../../html/index.ts";

export interface PageSource {
  readonly url: string;
  readonly bytes: Uint8Array;
  /** Header `Content-Type`; "" if there is none. */
  readonly contentType: string;
  readonly raw: boolean;
}

export interface PageText {
  readonly text: string;
  readonly title?: string | undefined;
  readonly notes: readonly string[];
}

/** Type of a page in lower case without its parameters, from the header or, where that says nothing, from its start. */
export function mediaTypeOf(contentType: string, bytes: Uint8Array): string {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "" && type !== "application/octet-stream") return type;
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString(
    "latin1",
  );
  if (/^\s*(?:<!doctype html|<html)/iu.test(start)) return "text/html";
  if (start.startsWith("%PDF-")) return "application/pdf";
  return type === "" ? "text/plain" : type;
}

/** The text of a page in the form that a model reads best; undefined for bytes that are not text. */
export async function pageText(
  { url, bytes, contentType, raw }: PageSource,
  decode: WebMeans["decode"],
): Promise<PageText | undefined> {
  const mediaType = mediaTypeOf(contentType, bytes);
  if (isMedia(mediaType)) return undefined;
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]+)/iu.exec(contentType)?.[1]?.toLowerCase();
  const isHtml = mediaType === "text/html" || mediaType === "application/xhtml+xml";
  const declared =
    charset ?? (isHtml || mediaType.endsWith("xml") ? htmlCharset(bytes) : undefined);
  const text = decode(bytes, declared);
  if (text === undefined || raw) return text === undefined ? undefined : { text, notes: [] };
  if (isHtml) {
    const { title, markdown, isCut } = await htmlToMarkdown(text, { url });
    const notes = isCut ? ["Its elements are nested too deeply; the rest is missing."] : [];
    return { text: markdown, title, notes };
  }
  if (mediaType === "application/json" || mediaType.endsWith("+json")) {
    return { text: formattedJson(text), notes: [] };
  }
  return { text, notes: [] };
}

function isMedia(mediaType: string): boolean {
  return (
    (/^(?:image|audio|video|font)\//u.test(mediaType) && mediaType !== "image/svg+xml") ||
    mediaType === "application/pdf" ||
    mediaType === "application/zip" ||
    mediaType === "application/gzip"
  );
}

function formattedJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value, undefined, 2);
  } catch {
    return text;
  }
}
