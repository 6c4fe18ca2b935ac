import { closeSync, constants, fstatSync, openSync, read, readSync } from "node:fs";
import type { HostOptions } from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { tooLargeError } from "./write/write-conflict.ts";
import { assertFile, type HeldNode } from "./open-path.ts";

const readAsync = process.getBuiltinModule("node:util").promisify(read);

/** Up to this much is read at once, without a trip to another thread: it costs less than the trip. */
const readAtOnce = 65_536;
const chunkBytes = 262_144;
const headPieces = 4;
const reusedBytes = 1_048_576;

/** Memory for a small file that is only looked through. */
export const memoryForSmall = (): Uint8Array => (spare ??= new Uint8Array(readAtOnce));
let spare: Uint8Array | undefined;

/** Opens a held regular file for reading; closing the descriptor is up to the caller. */
export function openForReading(path: string, held: HeldNode): number {
  assertFile(path, held.stats);
  const flags = constants.O_RDONLY | constants.O_NONBLOCK;
  // What is held is reached through a link of the kernel's own, which O_NOFOLLOW would refuse.
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
  /** What the file is thought to hold; it is read to its end whatever this says. */
  readonly size: number;
  readonly maxBytes: number | undefined;
}

/**
 * All of a file that is small enough to be read at once and as long as it is thought to be; else undefined. Into
 * `memory` for who has done with it before anybody else is at work.
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

/** Everything to the end of a file. */
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
    // Less than there was room for, and just what a file says it has, is its end; files of the kernel say nothing.
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
  // Files of the kernel say that they are empty.
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

/** A file in pieces from an offset to its end. */
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
 * The same, but a piece holds only until the next one is asked for: two buffers take turns, one filled while the
 * other is looked at. Passing over a gigabyte then costs no gigabyte of fresh memory.
 */
export async function* readReusedPieces(
  descriptor: number,
  offset: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  let position = offset;
  // Most who read a head are satisfied with this.
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
      // Whoever ends the loop before the next piece must not leave a failure that nobody hears.
      pending.catch(() => undefined);
      yield filled.subarray(0, bytesRead);
    }
  } finally {
    // The descriptor is closed after this; a read under way could then reach another file.
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
