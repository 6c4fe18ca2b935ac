import { ToolError } from "../../core/index.ts";
import { sealed, sealedPart, checksumOf, sealOf } from "./checksum.ts";
import {
  formatVersion,
  uncheckedVersion,
  type CallRecord,
  type JournalRecord,
  type UndoRecord,
} from "../records.ts";

/** Content of one line of the log. The latest line of a record counts; contents are identified by their hash. */
export type LogLine =
  /** `crc` distinguishes the line from all others of the record; lines of older versions have none. */
  | { readonly kind: "record"; readonly record: JournalRecord; readonly crc?: string }
  /** These records are deleted. */
  | { readonly kind: "gone"; readonly ids: readonly string[] }
  /** The call of these records has ended. */
  | { readonly kind: "ended"; readonly ids: readonly string[] }
  /** The calls of these records were still running at `at`. */
  | { readonly kind: "running"; readonly ids: readonly string[]; readonly at: number }
  | { readonly kind: "content"; readonly hash: string; readonly size: number }
  /** The line differs from what was written, or was never written completely. */
  | DamagedLine;

export interface DamagedLine {
  readonly kind: "damaged";
  /** Readable part of the record. Omitted if the line is truncated: its writer never learned that it was stored. */
  readonly record?: Pick<CallRecord, "id" | "callId" | "tool" | "at"> & {
    readonly paths: readonly string[];
  };
  /** Hash of a content, if it is still readable. */
  readonly hash?: string;
}

const encoder = new TextEncoder();
// Shared: creating a decoder costs more than decoding a line with it.
const decoder = new TextDecoder();
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const contentStart = `{"version":${formatVersion},"kind":"content","hash":"`;
/** Start of a content line, for any version and however damaged the rest is. */
const contentMark = encoder.encode(`{"version":${formatVersion}`);
const contentKind = encoder.encode(',"kind":"content"');

/** Maximum size of a content in the log; larger ones have a file of their own. */
export const maxInlineBytes = 64 * 1024;
/**
 * Maximum size of a content stored as readable text, for the user; escaping more, character by character, takes too
 * long.
 */
const maxTextBytes = 2048;

export function recordLine(record: JournalRecord): string {
  const found = { seq: undefined, seenAt: undefined, damaged: undefined };
  return sealed(JSON.stringify({ version: formatVersion, ...record, ...found }));
}

export function goneLine(ids: readonly string[]): string {
  return sealed(JSON.stringify({ version: formatVersion, kind: "gone", ids }));
}

export function endedLine(ids: readonly string[]): string {
  return sealed(JSON.stringify({ version: formatVersion, kind: "ended", ids }));
}

export function runningLine(ids: readonly string[], at: number): string {
  return sealed(JSON.stringify({ version: formatVersion, kind: "running", ids, at }));
}

export function contentLine(hash: string, bytes: Uint8Array): string {
  const text = bytes.length > maxTextBytes ? undefined : textOf(bytes);
  // Base64 needs no escaping, so JSON.stringify is not needed either.
  const content =
    text === undefined ? `"base64":"${base64Of(bytes)}"` : `"text":${JSON.stringify(text)}`;
  // The hash covers the content itself; the checksum covers the fields that identify it.
  return `${sealedPart(`${contentStart}${hash}","size":${bytes.length}`)},${content}}`;
}

/**
 * Parses one line, a content only up to its head. UNAVAILABLE for a line of a newer version. A line of this version
 * counts if its checksum is correct.
 */
export function parseLine(line: Uint8Array, path: string): LogLine {
  if (isContent(line)) return contentHead(line);
  const seal = sealOf(line);
  if (seal !== undefined && !seal.fits) return damagedLine(line);
  const value = parse(decoder.decode(line));
  if (typeof value !== "object" || value === null || !("version" in value)) {
    return damagedLine(line);
  }
  const { version } = value;
  if (seal !== undefined && typeof version === "number" && version > formatVersion) {
    throw newerVersion(path);
  }
  if (version !== (seal === undefined ? uncheckedVersion : formatVersion)) return damagedLine(line);
  if (!isRecord(value)) return aboutIds(value) ?? damagedLine(line);
  const record = { ...value, seq: 0 };
  return { kind: "record", record, ...(seal === undefined ? {} : { crc: seal.crc }) };
}

/** Readable part of a damaged line. Any part may be wrong: nothing is restored from it. */
function damagedLine(line: Uint8Array): DamagedLine {
  const end = line.length - 1;
  if (line[end] !== closingBrace || line.length > maxDamagedBytes) return { kind: "damaged" };
  const text = decoder.decode(line);
  const of = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? "";
  const id = of(/"id":"([-.\w]{3,40})"/u);
  const callId = of(/"callId":"([^"\\]{1,200})"/u);
  if (id === "" || callId === "") return { kind: "damaged" };
  const tool = of(/"tool":"([^"\\]{1,200})"/u);
  const at = Number(of(/"at":(\d{1,15})\b/u));
  const named = [...text.matchAll(/"path":"(\/[^"\\]{1,1000})"/gu)].slice(0, maxPaths);
  const paths = named.map(([, path = ""]) => path);
  return {
    kind: "damaged",
    record: { id, callId, tool: tool === "" ? "A tool" : tool, at, paths },
  };
}

/** Maximum number of paths read from a damaged line. */
const maxPaths = 8;

/** Longest damaged line that is searched, in bytes. */
const maxDamagedBytes = 4 * 1024 * 1024;

function aboutIds(value: object): LogLine | undefined {
  if (!("kind" in value && "ids" in value && Array.isArray(value.ids))) return undefined;
  const { kind } = value;
  const ids = value.ids.filter((id) => typeof id === "string");
  if (kind === "running" && "at" in value && typeof value.at === "number") {
    return { kind, ids, at: value.at };
  }
  return kind === "gone" || kind === "ended" ? { kind, ids } : undefined;
}

/** Content of a content line; undefined for any other line. */
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

/** Undefined for invalid JSON: the reader of a stored file reports it as unreadable. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const headForm =
  /^(?<covered>\{"version":(?<version>\d+),"kind":"content","hash":"(?<hash>sha256:[0-9a-f]+)","size":(?<size>\d+))(?:,"crc":"(?<crc>[0-9a-f]{8})")?,"(?:text|base64)":"/u;
/** Maximum length of a head. */
const maxHeadBytes = 200;

/**
 * Parses the head of a content line: hash and size come first, and a truncated line lacks the end of a content line.
 */
function contentHead(line: Uint8Array): LogLine {
  const found = headForm.exec(decoder.decode(line.subarray(0, maxHeadBytes)));
  if (found?.groups === undefined) return { kind: "damaged" };
  const { covered = "", version, hash = "", size, crc } = found.groups;
  const fits =
    crc === undefined
      ? Number(version) === uncheckedVersion
      : Number(version) === formatVersion && checksumOf(covered) === crc;
  if (!fits || !isClosed(line, found[0].length)) return { kind: "damaged", hash };
  return { kind: "content", hash, size: Number(size) };
}

function isContent(line: Uint8Array): boolean {
  const from = contentMark.length;
  return contentKind.every((byte, index) => line[from + index] === byte);
}

/**
 * Whether the content that starts here is complete: a quote inside it follows a backslash that is not itself escaped.
 */
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

/** Only this file writes records, so the kind determines the rest. */
function isRecord(value: object): value is Omit<CallRecord, "seq"> | Omit<UndoRecord, "seq"> {
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
