import type { ContentPart, Limits } from "../../core/index.ts";

export interface ShownMedia {
  readonly shown: readonly ContentPart[];
  /** Omitted media, one line per kind of reason; empty where nothing was omitted. */
  readonly notes: readonly string[];
}

/** Returns the base64 data of a media part; undefined for text and for links, which are shown by their address. */
export function mediaOf(part: ContentPart): string | undefined {
  switch (part.type) {
    case "text":
    case "resource_link":
      return undefined;
    case "image":
    case "audio":
      return part.data;
    case "resource":
      return part.resource.text === undefined ? part.resource.blob : undefined;
  }
}

/** Limits images, audio and files to what providers accept; one that is too large makes the conversation unusable. */
export function shownMedia(content: readonly ContentPart[], limits: Limits["answer"]): ShownMedia {
  const media = content.filter((part) => mediaOf(part) !== undefined);
  const fitting = media.filter((part) => (mediaOf(part) ?? "").length <= limits.mediaChars);
  const shown = fitting.slice(0, limits.media);
  const notes = media
    .filter((part) => (mediaOf(part) ?? "").length > limits.mediaChars)
    .map((part) => `${nameOf(part)} of ${bytesOf(mediaOf(part) ?? "")} bytes`);
  const lines: string[] = [];
  if (notes.length > 0) lines.push(`(too large to show, left out: ${listed(notes)}.)`);
  if (shown.length < fitting.length) {
    const more = fitting.length - shown.length;
    lines.push(
      `(left out: ${more} of ${fitting.length} pictures and files; ask for fewer at once.)`,
    );
  }
  return { shown, notes: lines };
}

/** Maximum number of omitted parts named individually. */
const maxNamed = 5;

function listed(notes: readonly string[]): string {
  const named = notes.slice(0, maxNamed).join(", ");
  return notes.length > maxNamed ? `${named} and ${notes.length - maxNamed} more` : named;
}

function nameOf(part: ContentPart): string {
  if (part.type === "resource")
    return `${part.resource.mimeType ?? "a file"} ${part.resource.uri.slice(0, 200)}`;
  return "mimeType" in part && part.mimeType !== undefined ? part.mimeType : part.type;
}

function bytesOf(base64: string): number {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
