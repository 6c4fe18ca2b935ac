import { ToolError, type Host, type TaskReading, type TaskRead } from "../core/index.ts";
import { type ByteRing } from "../text/index.ts";

export interface OutputSource {
  readonly recent: Pick<ByteRing, "end" | "slice"> | undefined;
  readonly file: string | undefined;
}

type Wanted = TaskRead & { readonly from: number };

/** Reads as much of the output from an offset as fits: its beginning and, by the requested share, its end. */
export async function readParts(
  host: Host,
  source: OutputSource,
  { from, maxBytes, tailShare }: Wanted,
): Promise<Pick<TaskReading, "parts" | "next" | "total">> {
  const total = source.recent?.end ?? (await fileSize(host, source.file));
  const start = Math.min(from, total);
  if (total - start <= maxBytes || tailShare <= 0) {
    const end = Math.min(total, start + maxBytes);
    const text = textOf(await bytesOf(host, source, [start, end]), end === total);
    return {
      parts: text.text === "" ? [] : [{ at: start, text: text.text }],
      next: start + text.used,
      total,
    };
  }
  const tailBytes = Math.floor(maxBytes * tailShare);
  const headEnd = start + maxBytes - tailBytes;
  const tailStart = total - tailBytes;
  const head = textOf(await bytesOf(host, source, [start, headEnd]), false);
  const tail = textOf(await bytesOf(host, source, [tailStart, total]), true);
  return {
    parts: [
      { at: start, text: head.text },
      { at: tailStart, text: tail.text },
    ],
    next: total,
    total,
  };
}

async function bytesOf(
  host: Host,
  { recent, file }: OutputSource,
  [from, to]: readonly [number, number],
): Promise<Uint8Array> {
  const held = recent?.slice(from, to);
  if (held !== undefined || file === undefined || from >= to) return held ?? new Uint8Array();
  try {
    return await host.fs.readRange(file, { offset: from, length: to - from });
  } catch (error) {
    if (ToolError.is(error)) return new Uint8Array();
    throw error;
  }
}

/** Size of a file; 0 if it is missing. */
export async function fileSize(host: Host, file: string | undefined): Promise<number> {
  if (file === undefined) return 0;
  try {
    return (await host.fs.stat(file)).size;
  } catch (error) {
    if (ToolError.is(error)) return 0;
    throw error;
  }
}

/** Decodes bytes without a partial character at the beginning and, unless nothing follows, without one at the end. */
function textOf(
  bytes: Uint8Array,
  isEnd: boolean,
): { readonly text: string; readonly used: number } {
  let first = 0;
  while (first < bytes.length && first < 3 && isContinuation(bytes[first])) first += 1;
  let last = bytes.length;
  if (!isEnd) {
    for (let back = 1; back <= 4 && last - back >= first; back += 1) {
      const byte = bytes[last - back] ?? 0;
      if (isContinuation(byte)) continue;
      if (byte >= 0xc0 && charBytes(byte) > back) last -= back;
      break;
    }
  }
  return { text: new TextDecoder().decode(bytes.subarray(first, last)), used: last };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function charBytes(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
