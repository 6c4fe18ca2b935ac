import { closeSync, constants, fstatSync, openSync, read, readSync } from "node:fs";
import type { HostOptions } from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { tooLargeError } from "./write/write-conflict.ts";
import { assertFile, type HeldNode } from "./open-path.ts";

const readAsync = process.getBuiltinModule("node:util").promisify(read);

/** Maximum number of bytes read synchronously, which costs less than a trip to another thread. */
const readAtOnce = 65_536;
const chunkBytes = 262_144;
const headPieces = 4;
const reusedBytes = 1_048_576;

/** Reused memory for a small file that is only searched. */
export const memoryForSmall = (): Uint8Array => (spare ??= new Uint8Array(readAtOnce));
let spare: Uint8Array | undefined;

/** Opens a regular file for reading; the caller closes the descriptor. */
export function openForReading(path: string, held: HeldNode): number {
  assertFile(path, held.stats);
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  // An open node is reached through a link in /proc, which O_NOFOLLOW would refuse.
  const isHeld = held.path !== path;
  const descriptor = openSync(held.path, isHeld ? flags : flags | constants.O_NOFOLLOW);
  try {
    if (!isHeld) assertFile(path, fstatSync(descriptor, { bigint: true }));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

interface ReadOptions extends HostOptions {
  readonly path: string;
  /** Expected size; the file is read to its end regardless. */
  readonly size: number;
  readonly maxBytes: number | undefined;
}

/**
 * The whole content of a file that is small enough to be read synchronously and as long as expected; otherwise
 * undefined. Pass `memory` only if the content is used up before any other code runs.
 */
export function readSmall(
  descriptor: number,
  options: ReadOptions,
  memory?: Uint8Array,
): Uint8Array | undefined {
  const { path, size, maxBytes } = options;
  if (maxBytes !== undefined && size > maxBytes) throw tooLargeError(path, size, maxBytes);
  if (size === 0 || size >= readAtOnce) return undefined;
  // One byte more than expected shows the end without another read.
  const bytes = memory ?? new Uint8Array(size + 1);
  return readSync(descriptor, bytes, 0, size + 1, 0) === size ? bytes.subarray(0, size) : undefined;
}

/** Reads a file to its end. */
export async function readToEnd(descriptor: number, options: ReadOptions): Promise<Uint8Array> {
  const { path, size, maxBytes, signal } = options;
  if (maxBytes !== undefined && size > maxBytes) throw tooLargeError(path, size, maxBytes);
  // One byte more than expected shows the end without another read.
  let bytes = new Uint8Array(Math.max(size, 0) + 1);
  let filled = 0;
  for (;;) {
    throwIfAborted(signal);
    if (filled === bytes.length) {
      const larger = new Uint8Array(Math.max(bytes.length * 2, chunkBytes));
      larger.set(bytes);
      bytes = larger;
    }
    const count = await readSome(descriptor, bytes, { at: filled, position: filled });
    filled += count;
    // A short read at exactly the expected size is the end; kernel files report no size.
    if (count === 0 || (filled === size && size > 0)) return bytes.subarray(0, filled);
    if (maxBytes !== undefined && filled > maxBytes) throw tooLargeError(path, filled, maxBytes);
  }
}

/** At most `length` bytes from `offset`. */
export async function readPart(
  descriptor: number,
  range: { readonly offset: number; readonly length: number },
  size: number,
): Promise<Uint8Array> {
  // Kernel files report size 0.
  const known = size === 0 ? chunkBytes : Math.max(0, size - range.offset);
  const length = Math.min(range.length, known);
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const position = range.offset + filled;
    const count = await readSome(descriptor, bytes, { at: filled, position });
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** Reads a file in pieces from an offset to its end. */
export async function* readPieces(
  descriptor: number,
  offset: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for (let position = offset; ;) {
    throwIfAborted(signal);
    const bytes = new Uint8Array(chunkBytes);
    const { bytesRead } = await readAsync(descriptor, bytes, 0, bytes.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield bytes.subarray(0, bytesRead);
  }
}

/**
 * Reads in pieces like `readPieces`, but a piece is valid only until the next one is requested: one of two buffers is
 * filled while the caller reads the other. Skipping a gigabyte then does not allocate a gigabyte.
 */
export async function* readReusedPieces(
  descriptor: number,
  offset: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let position = offset;
  // Most readers of a head need no more than this.
  const head = new Uint8Array(readAtOnce);
  for (let piece = 0; piece < headPieces; piece++) {
    const count = readSync(descriptor, head, 0, head.length, position);
    if (count === 0) return;
    position += count;
    yield head.subarray(0, count);
  }
  let filling = new Uint8Array(reusedBytes);
  let other = new Uint8Array(reusedBytes);
  let pending = readAsync(descriptor, filling, 0, filling.length, position);
  try {
    for (;;) {
      throwIfAborted(signal);
      const { bytesRead } = await pending;
      if (bytesRead === 0) return;
      position += bytesRead;
      const filled = filling;
      filling = other;
      other = filled;
      pending = readAsync(descriptor, filling, 0, filling.length, position);
      // If the caller ends the loop before the next piece, a failed read must not become an unhandled rejection.
      pending.catch(() => undefined);
      yield filled.subarray(0, bytesRead);
    }
  } finally {
    // The caller closes the descriptor next; a read in progress could then reach another file.
    await pending.catch(() => undefined);
  }
}

async function readSome(
  descriptor: number,
  into: Uint8Array,
  { at, position }: { readonly at: number; readonly position: number },
): Promise<number> {
  const length = Math.min(into.length - at, chunkBytes * 16);
  if (length <= readAtOnce) return readSync(descriptor, into, at, length, position);
  return (await readAsync(descriptor, into, at, length, position)).bytesRead;
}
