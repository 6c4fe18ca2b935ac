import { inflateRaw } from "node:zlib";
import { promisify } from "node:util";

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packedSize: number;
  /** Size that the archive states; a hostile archive may state a wrong one. */
  readonly size: number;
  /** Offset of its local header. */
  readonly at: number;
}

const inflate = promisify(inflateRaw);

/** Maximum number of entries; no document has more. */
const maxEntries = 20_000;
const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;

/** Entries of a ZIP archive, from its directory; undefined if it has no readable directory. */
export function zipEntries(bytes: Uint8Array): ReadonlyMap<string, ZipEntry> | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = endOfDirectory(view);
  if (end === undefined) return undefined;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries = new Map<string, ZipEntry>();
  for (let index = 0; index < Math.min(count, maxEntries); index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entrySignature) return undefined;
    const nameLength = view.getUint16(at + 28, true);
    const name = Buffer.from(bytes.subarray(at + 46, at + 46 + nameLength)).toString("utf8");
    entries.set(name, {
      name,
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    });
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

export type Unpacked =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "too-large" }
  | { readonly kind: "broken" };

/** Unpacks one entry, up to `maxBytes`, whatever its header states. */
export async function unpackEntry(
  bytes: Uint8Array,
  entry: ZipEntry,
  maxBytes: number,
): Promise<Unpacked> {
  if (entry.size > maxBytes) return { kind: "too-large" };
  const { at } = entry;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (at + 30 > bytes.length || view.getUint32(at, true) !== localSignature)
    return { kind: "broken" };
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const packed = bytes.subarray(start, start + entry.packedSize);
  if (entry.method === 0)
    return packed.length > maxBytes ? { kind: "too-large" } : { kind: "bytes", bytes: packed };
  if (entry.method !== 8) return { kind: "broken" };
  try {
    return { kind: "bytes", bytes: await inflate(packed, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isTooLarge =
      error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return { kind: isTooLarge ? "too-large" : "broken" };
  }
}

/** Offset of the end record, which is at the end of the archive, before a comment of at most 64 kB. */
function endOfDirectory(view: DataView): number | undefined {
  const least = Math.max(0, view.byteLength - 22 - 65_535);
  for (let at = view.byteLength - 22; at >= least; at--) {
    if (view.getUint32(at, true) === endSignature) return at;
  }
  return undefined;
}
