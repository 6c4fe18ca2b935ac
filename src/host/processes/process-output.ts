import type { HostOptions, ProcessChunk, ProcessExit } from "../../core/index.ts";
import { ByteBlocks, type Block } from "./pipes/block-buffer.ts";
import { OutputReader, type ReadOptions, type Taken } from "./output-reader.ts";

/** Maximum number of bytes stored per process, so that a reader may start late or resume. */
const keptBytes = 1_048_576;
/** Unread bytes at which the program has to wait. Well below `keptBytes`, so that unread output is never dropped. */
const waitingBytes = 524_288;
/** Unread pieces at which the program has to wait: pieces have overhead, so tiny ones would be dropped much earlier. */
const waitingPieces = 2048;
/**
 * Bytes printed since the latest input from which output counts as a flood and is delivered in few large chunks, because
 * each chunk costs the same whatever its size. A program that answers what it is sent is not delayed, however long it runs.
 */
const floodBytes = 1_048_576;
/** Bytes of a flood delivered at once; less is delivered after `gatherMs` milliseconds. */
const gatheredBytes = 196_608;
const gatherMs = 5;
/** Bytes counted in addition for each piece, so that a million one-byte pieces are bounded too. */
const pieceOverhead = 128;

interface Piece {
  readonly stream: "stdout" | "stderr";
  readonly block: Block;
  /** Offset in its block. */
  readonly from: number;
  length: number;
  /** Number of bytes printed before this piece. */
  readonly start: number;
}

/**
 * Output of one process: stored within a bound, read by any number of readers from any position. A chunk's `seq` is the
 * number of bytes printed up to its end, so that a gap can be measured.
 */
export class ProcessOutput {
  /** Called when a reader has caught up after `push` asked to wait. */
  onRoom: (() => void) | undefined;
  readonly #blocks = new ByteBlocks();
  readonly #pieces: Piece[] = [];
  readonly #readers = new Set<OutputReader>();
  readonly #source = {
    join: (reader: OutputReader): void => {
      this.#readers.add(reader);
    },
    leave: (reader: OutputReader): void => {
      this.#readers.delete(reader);
      this.#releaseSource();
    },
    take: (reader: OutputReader): Taken | undefined => this.#take(reader),
    release: (held: Block): void => this.#blocks.release(held),
  };
  #kept = 0;
  #printed = 0;
  /** Bytes printed before the latest input. */
  #answeredFrom = 0;
  #exit: ProcessExit | undefined;
  #isWaiting = false;
  #gathering: NodeJS.Timeout | undefined;

  /** Bytes printed so far. */
  get printed(): number {
    return this.#printed;
  }

  /** Bytes of memory in use, including overhead. */
  get size(): number {
    return this.#kept;
  }

  /** Notes that the program got input: what it prints now may be an answer that a caller waits for. */
  inputWritten(): void {
    this.#answeredFrom = this.#printed;
  }

  /** Stores a copy of the bytes; false asks the source to wait for `onRoom`. */
  push(stream: "stdout" | "stderr", bytes: Uint8Array): boolean {
    if (bytes.length === 0 || this.#exit !== undefined) return true;
    if (!this.#extendLast(stream, bytes)) {
      const { block, from } = this.#blocks.copy(bytes);
      this.#pieces.push({ stream, block, from, length: bytes.length, start: this.#printed });
      this.#kept += pieceOverhead;
    }
    this.#printed += bytes.length;
    this.#kept += bytes.length;
    while (this.#kept > keptBytes && this.#pieces.length > 1) {
      const oldest = this.#pieces.shift();
      if (oldest === undefined) break;
      this.#kept -= oldest.length + pieceOverhead;
      this.#blocks.release(oldest.block);
    }
    if (!this.#isFlood || this.#isReadBefore(this.#printed - gatheredBytes)) this.#wakeReaders();
    else this.#gathering ??= setTimeout(this.#gathered, gatherMs);
    this.#isWaiting = this.#isReaderFarBehind();
    return !this.#isWaiting;
  }

  /** Marks the output as complete. */
  end(exit: ProcessExit): void {
    this.#exit ??= exit;
    clearTimeout(this.#gathering);
    this.#wakeReaders();
  }

  read(afterSeq: number, options: ReadOptions = {}): OutputReader {
    return new OutputReader(this.#source, afterSeq, options);
  }

  #take(reader: OutputReader): Taken | undefined {
    const piece = this.#pieces[firstAfter(this.#pieces, reader.position)];
    const chunk = this.#chunkOf(piece, reader);
    if (chunk === undefined) return undefined;
    reader.position = chunk.seq;
    // The block is not overwritten until the reader requests the next chunk.
    const isHeld = reader.isReused && piece !== undefined;
    const held = isHeld ? this.#blocks.hold(piece.block) : undefined;
    this.#releaseSource();
    if ("exit" in chunk) this.#letGo(reader);
    return { chunk, held };
  }

  /** Nobody can read a dropped flood again from the start, so its memory is released for the next process. */
  #letGo({ isReused }: OutputReader): void {
    if (!isReused || this.#readers.size > 1 || (this.#pieces[0]?.start ?? 0) === 0) return;
    for (const { block } of this.#pieces.splice(0)) this.#blocks.release(block);
    this.#kept = 0;
    this.#blocks.end();
  }

  #chunkOf(
    piece: Piece | undefined,
    { position, isReused }: OutputReader,
  ): ProcessChunk | undefined {
    const lost = (piece?.start ?? this.#printed) - position;
    const lostBefore = lost > 0 ? { lostBefore: lost } : undefined;
    if (piece !== undefined) {
      const { memory } = piece.block;
      const from = piece.from + Math.max(0, -lost);
      const to = piece.from + piece.length;
      const bytes = isReused ? memory.subarray(from, to) : memory.slice(from, to);
      const seq = piece.start + piece.length;
      return { seq, stream: piece.stream, bytes, ...lostBefore };
    }
    if (this.#exit === undefined) return undefined;
    return { seq: this.#printed + 1, exit: this.#exit, ...lostBefore };
  }

  /** In a flood, extends the last piece if the new bytes follow it in memory. */
  #extendLast(stream: "stdout" | "stderr", bytes: Uint8Array): boolean {
    if (!this.#isFlood) return false;
    const last = this.#pieces.at(-1);
    if (last?.stream !== stream) return false;
    if (!this.#blocks.extend(last.block, last.from + last.length, bytes)) return false;
    last.length += bytes.length;
    return true;
  }

  get #isFlood(): boolean {
    return this.#printed - this.#answeredFrom >= floodBytes;
  }

  #isReaderFarBehind(): boolean {
    const early = this.#pieces.at(-waitingPieces)?.start ?? 0;
    return this.#isReadBefore(Math.max(early, this.#printed - waitingBytes));
  }

  #isReadBefore(place: number): boolean {
    for (const { position } of this.#readers) if (position < place) return true;
    return false;
  }

  #releaseSource(): void {
    if (!this.#isWaiting || this.#isReaderFarBehind()) return;
    this.#isWaiting = false;
    this.onRoom?.();
  }

  /** Not cancelled when readers are woken earlier: a new timer per chunk costs more than one superfluous wake-up. */
  readonly #gathered = (): void => {
    this.#gathering = undefined;
    this.#wakeReaders();
  };

  #wakeReaders(): void {
    for (const reader of this.#readers) reader.wake();
  }
}

/** Output of one program, for the `proc.output` of a host of your own: stored within a bound, read from any place. */
export interface ProgramOutput {
  /**
   * Adds a copy of what the program printed. False asks the host to stop reading from the program until `onRoom` is
   * called, because a reader is far behind; without that, the oldest output is dropped.
   */
  push(stream: "stdout" | "stderr", bytes: Uint8Array): boolean;
  /** Ends the output with the exit of the program; later output is ignored. */
  end(exit: ProcessExit): void;
  /**
   * Reads what follows `afterSeq` (0 is the start), up to the exit. Any number of readers may read at once; one that
   * stops reading is let go. Rejects with ABORTED where `signal` aborts.
   */
  read(
    afterSeq: number,
    options?: HostOptions & { readonly reuse?: boolean },
  ): AsyncIterable<ProcessChunk>;
}

/**
 * Creates the output of one program. `onRoom` is called when the host may read from the program again.
 *
 * @example
 * const output = programOutput();
 * output.push("stdout", new TextEncoder().encode("hello"));
 * output.end({ code: 0, signal: null, leftRunning: [] });
 * for await (const chunk of output.read(0)) console.log(chunk);
 */
export function programOutput(options: { readonly onRoom?: () => void } = {}): ProgramOutput {
  const output = new ProcessOutput();
  output.onRoom = options.onRoom;
  return {
    push: (stream, bytes) => output.push(stream, bytes),
    end: (exit) => output.end(exit),
    read: (afterSeq, reading) => output.read(afterSeq, reading),
  };
}

/** Index of the first piece that ends after `position`. */
function firstAfter(pieces: readonly Piece[], position: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const piece = pieces[middle];
    if (piece !== undefined && piece.start + piece.length <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
