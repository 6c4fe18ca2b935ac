import { ToolError } from "../core/index.ts";
import { formatVersion, type CallRecord, type JournalRecord, type UndoRecord } from "./records.ts";

/** What one line of the log says. A record counts by its latest line, a content by its hash. */
export type LogLine =
  | { readonly kind: "record"; readonly record: JournalRecord }
  /** These records are forgotten. */
  | { readonly kind: "gone"; readonly ids: readonly string[] }
  /** The call of these records is over. */
  | { readonly kind: "ended"; readonly ids: readonly string[] }
  /** The calls of these records still ran then. */
  | { readonly kind: "running"; readonly ids: readonly string[]; readonly at: number }
  | { readonly kind: "content"; readonly hash: string; readonly size: number };

const encoder = new TextEncoder();
// Made once: making one costs more than decoding a line with it.
const decoder = new TextDecoder();
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const contentStart = `{"version":${formatVersion},"kind":"content","hash":"`;
const contentStartBytes = encoder.encode(contentStart);

/** Up to this a content stands in the log, above it in a file of its own. */
export const maxInlineBytes = 64 * 1024;
/** Up to this a text stands in the log as such, for a person; writing out more, character by character, takes too long. */
const maxTextBytes = 2048;

export function recordLine(record: JournalRecord): string {
  return JSON.stringify({ version: formatVersion, ...record, seq: undefined, seenAt: undefined });
}

export function goneLine(ids: readonly string[]): string {
  return JSON.stringify({ version: formatVersion, kind: "gone", ids });
}

export function endedLine(ids: readonly string[]): string {
  return JSON.stringify({ version: formatVersion, kind: "ended", ids });
}

export function runningLine(ids: readonly string[], at: number): string {
  return JSON.stringify({ version: formatVersion, kind: "running", ids, at });
}

export function contentLine(hash: string, bytes: Uint8Array): string {
  const text = bytes.length > maxTextBytes ? undefined : textOf(bytes);
  // Base64 has nothing to write out, so it is not looked through either.
  const content =
    text === undefined ? `"base64":"${base64Of(bytes)}"` : `"text":${JSON.stringify(text)}`;
  return `${contentStart}${hash}","size":${bytes.length},${content}}`;
}

/**
 * One line, a content without being read whole. Undefined for one that was cut short with its process, which nobody
 * was told to be kept; UNAVAILABLE for one of a newer version.
 */
export function parseLine(line: Uint8Array, path: string): LogLine | undefined {
  if (startsWith(line, contentStartBytes)) return contentHead(line);
  const value = parse(decoder.decode(line));
  if (typeof value !== "object" || value === null) return undefined;
  if ("version" in value && typeof value.version === "number" && value.version > formatVersion) {
    throw newerVersion(path);
  }
  if (isRecord(value)) return { kind: "record", record: { ...value, seq: 0 } };
  return aboutIds(value);
}

function aboutIds(value: object): LogLine | undefined {
  if (!("kind" in value && "ids" in value && Array.isArray(value.ids))) return undefined;
  const { kind } = value;
  const ids = value.ids.filter((id) => typeof id === "string");
  if (kind === "running" && "at" in value && typeof value.at === "number") {
    return { kind, ids, at: value.at };
  }
  return kind === "gone" || kind === "ended" ? { kind, ids } : undefined;
}

/** The content of a content line; undefined for any other. */
export function contentOfLine(line: Uint8Array): Uint8Array | undefined {
  const value = parse(decoder.decode(line));
  if (typeof value !== "object" || value === null) return undefined;
  if ("text" in value && typeof value.text === "string") return encoder.encode(value.text);
  if ("base64" in value && typeof value.base64 === "string") {
    return Buffer.from(value.base64, "base64");
  }
  return undefined;
}

export function newerVersion(path: string): ToolError {
  return new ToolError("UNAVAILABLE", "The journal was written by another version.", {
    hint: "Update, or use another data directory.",
    data: { path },
    retryable: false,
  });
}

/** Undefined for what is no JSON: a stored file that cannot be read is told as such, by whoever reads it. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Hash and size stand in front, and a line that was cut short does not end as one. */
function contentHead(line: Uint8Array): LogLine | undefined {
  const head = decoder.decode(line.subarray(contentStart.length, contentStart.length + 120));
  const found = /^(?<hash>sha256:[0-9a-f]+)","size":(?<size>\d+),"(?:text|base64)":"/u.exec(head);
  if (found?.groups === undefined) return undefined;
  const { hash = "", size } = found.groups;
  if (!isClosed(line, contentStart.length + found[0].length)) return undefined;
  return { kind: "content", hash, size: Number(size) };
}

/** Whether a content that begins here is whole: a quote inside of one stands behind a backslash of its own. */
function isClosed(line: Uint8Array, from: number): boolean {
  const end = line.length - 2;
  if (end < from || line[end] !== quote || line[end + 1] !== closingBrace) return false;
  let at = end;
  while (line[at - 1] === backslash) at -= 1;
  return (end - at) % 2 === 0;
}

const quote = 0x22;
const backslash = 0x5c;
const closingBrace = 0x7d;

function startsWith(line: Uint8Array, start: Uint8Array): boolean {
  return line.length > start.length && start.every((byte, index) => line[index] === byte);
}

/** Records are written only by this file: kind and version tell the rest. */
function isRecord(value: object): value is Omit<CallRecord, "seq"> | Omit<UndoRecord, "seq"> {
  if (!("version" in value) || value.version !== formatVersion) return false;
  if (!("kind" in value && "id" in value && typeof value.id === "string")) return false;
  if (value.kind === "call") return "paths" in value && Array.isArray(value.paths);
  return value.kind === "undo" && "steps" in value && Array.isArray(value.steps);
}

function base64Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("base64");
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return exact.decode(bytes);
  } catch {
    return undefined;
  }
}
