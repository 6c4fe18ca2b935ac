import * as fc from "fast-check";
import { expect, test } from "vitest";
import { exit } from "../../../test/support/printed.ts";
import { ToolError, type ProcessChunk } from "../../core/index.ts";
import { openedLater } from "../../text/lazy.ts";
import { ProcessOutput } from "./process-output.ts";
import { runs } from "../../../test/support/law-runs.ts";

type StreamName = "stdout" | "stderr";

const programs = 3;
/** Period of each stream's text, so that any byte identifies its stream and position. */
const period = 65_521;
const texts = Array.from({ length: programs }, (_, program) => {
  const bytes = new Uint8Array(period * 8);
  let state = program + 1;
  for (let at = 0; at < period; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  for (let copy = period; copy < bytes.length; copy += period) bytes.copyWithin(copy, 0, period);
  return bytes;
});

function printedBy(program: number, from: number, length: number): Uint8Array {
  const at = from % period;
  return (texts[program] ?? new Uint8Array()).subarray(at, at + length);
}

/** Prints, and stops when it is asked to wait, except for pieces already in progress. */
class Writer {
  readonly output = new ProcessOutput();
  /** Start of each run of one stream. */
  readonly #runs: { readonly at: number; readonly stream: StreamName }[] = [];
  readonly #program: number;
  /** Reused for each piece, like the buffer of a pipe. */
  readonly #memory = new Uint8Array(65_536);
  readonly isPatient: boolean;
  /** Number of pieces that still arrive after a request to wait: one per pipe. */
  #inHand = 2;
  #mayPrint = true;
  isEnded = false;

  constructor(program: number, isPatient: boolean) {
    this.#program = program;
    this.isPatient = isPatient;
    this.output.onRoom = () => {
      this.#mayPrint = true;
      this.#inHand = 2;
    };
  }

  print(stream: StreamName, length: number): void {
    if (this.isEnded) return;
    if (!this.#mayPrint) this.#inHand -= 1;
    if (this.isPatient && this.#inHand < 0) return;
    const { printed } = this.output;
    if (this.#runs.at(-1)?.stream !== stream) this.#runs.push({ at: printed, stream });
    const piece = this.#memory.subarray(0, length);
    piece.set(printedBy(this.#program, printed, length));
    this.#mayPrint = this.output.push(stream, piece);
    piece.fill(0);
  }

  end(): void {
    this.isEnded = true;
    this.output.end(exit);
  }

  /** Checks that these bytes were printed at `from`, all of one stream. */
  expectPrinted(bytes: Uint8Array, from: number, stream: StreamName): void {
    const isOurs = Buffer.compare(bytes, printedBy(this.#program, from, bytes.length)) === 0;
    hold(isOurs, "bytes are what was printed there");
    const next = this.#firstRunAfter(from);
    const run = this.#runs[next - 1];
    const end = this.#runs[next]?.at ?? this.output.printed;
    hold(run?.stream === stream && end >= from + bytes.length, "bytes are of one stream");
  }

  #firstRunAfter(place: number): number {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#runs[middle]?.at ?? 0) > place) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** Number of chunks checked while there is more to read; at the end all are checked. */
const lately = 100;
/**
 * Number of one-byte pieces above the storage limit, so that a reader that receives all of them made the program wait.
 */
const tinyPieces = 9000;

interface Reading {
  readonly isReused: boolean;
  readonly isOpenedLater: boolean;
  /** Start position, in thousandths of the output so far. */
  readonly from: number;
}

/** Reads the output of one program and compares it with what was printed. */
class Reader {
  readonly #writer: Writer;
  readonly #chunks: AsyncIterator<ProcessChunk>;
  readonly #isReused: boolean;
  readonly #stop = new AbortController();
  readonly #kept: { readonly bytes: Uint8Array; readonly from: number; stream: StreamName }[] = [];
  #position: number;
  #asked = 0;
  #hasCaughtUp = false;
  #isOver = false;
  hasExit = false;
  /** Resolves when all requests are answered. */
  settled: Promise<void> = Promise.resolve();

  constructor(writer: Writer, { isReused, isOpenedLater, from }: Reading) {
    this.#writer = writer;
    this.#isReused = isReused;
    this.#position = Math.floor((writer.output.printed * from) / 1000);
    const options = { reuse: isReused, signal: this.#stop.signal };
    const read = () => writer.output.read(this.#position, options);
    this.#chunks = isOpenedLater ? openedLater(async () => read()) : read();
  }

  get isWaiting(): boolean {
    return this.#asked > 0;
  }

  get hasLeft(): boolean {
    return this.#isOver;
  }

  ask(): void {
    // Requesting the next chunk ends the validity of the last chunk's bytes.
    this.check(lately);
    if (this.#isReused) this.#kept.splice(0);
    this.#asked += 1;
    this.settled = this.#answered(this.settled, this.#chunks.next());
    this.settled.catch(() => undefined);
  }

  async #answered(before: Promise<void>, next: Promise<IteratorResult<ProcessChunk>>) {
    try {
      const result = await next;
      await before;
      this.#take(result);
    } catch (error) {
      if (!this.#isOver || !ToolError.is(error)) throw error;
    }
  }

  async leave(): Promise<void> {
    this.#isOver = true;
    await this.#chunks.return?.();
  }

  abort(): void {
    this.#isOver = true;
    this.#stop.abort();
  }

  /** Checks that the received bytes are unchanged. */
  check(latest = Infinity): void {
    for (const { bytes, from, stream } of this.#kept.slice(-latest)) {
      this.#writer.expectPrinted(bytes, from, stream);
    }
  }

  #take({ done, value }: IteratorResult<ProcessChunk>): void {
    this.#asked -= 1;
    if (done === true) {
      hold(this.hasExit || this.#isOver, "it is over after the exit");
      return;
    }
    const isExit = "exit" in value;
    const end = isExit ? value.seq - 1 : value.seq;
    const from = isExit ? end : end - value.bytes.length;
    hold(!this.hasExit, "the exit is the last");
    // Nothing is repeated, and a gap is reported to the byte.
    hold(from - this.#position === (value.lostBefore ?? 0), "nothing is repeated or left out");
    // A reader that has caught up loses nothing afterwards if the program waits on request.
    const readsAlong = this.#hasCaughtUp && this.#writer.isPatient;
    hold(!readsAlong || value.lostBefore === undefined, "who reads along loses nothing");
    this.#position = end;
    this.#hasCaughtUp ||= end === this.#writer.output.printed;
    if (isExit) {
      this.hasExit = true;
      hold(end === this.#writer.output.printed, "the exit comes after all");
      return;
    }
    // If the next chunk was requested already, these bytes may be overwritten.
    if (this.#isReused && this.#asked > 0) return;
    this.#kept.push({ bytes: value.bytes, from, stream: value.stream });
    this.check(lately);
  }
}

const which = fc.nat(11);
const stream = fc.constantFrom<StreamName>("stdout", "stderr");
const length = fc.oneof(
  fc.integer({ min: 1, max: 200 }),
  fc.integer({ min: 1, max: 65_536 }),
  fc.constant(65_536),
);
const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ act: fc.constant("print" as const), which, stream, length }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("flood" as const),
      which,
      stream,
      pieces: fc.integer({ min: 2, max: 12 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("trickle" as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("join" as const),
      which,
      isReused: fc.boolean(),
      isOpenedLater: fc.boolean(),
      from: fc.constantFrom(0, 0, 500, 900, 1000),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      act: fc.constant("ask" as const),
      which,
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant("read" as const),
      which,
      times: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant("turn" as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("leave" as const), which }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("abort" as const), which }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("end" as const), which }) },
);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** A combination that random generation rarely produces. */
const tinyPiecesBehindASlowReader: Act[] = [
  { act: "join", which: 0, isReused: false, isOpenedLater: false, from: 0 },
  { act: "print", which: 0, stream: "stdout", length: 1 },
  { act: "read", which: 0, times: 1 },
  { act: "trickle", which: 0 },
];

test("every reader gets all its program printed, or how much it missed, and never a byte of another", async () => {
  const details = await fc.check(
    fc.asyncProperty(
      fc.array(act, { maxLength: 60, size: "max" }),
      fc.boolean(),
      async (acts, isPatient) => {
        const writers = texts.map((_, program) => new Writer(program, isPatient));
        const readers: Reader[] = [];
        for (const each of acts) await perform(each, writers, readers);
        for (const writer of writers) writer.end();
        for (const reader of readers) {
          while (!reader.hasLeft && !reader.hasExit) {
            reader.ask();
            await reader.settled;
          }
          await reader.settled;
          reader.check();
        }
      },
    ),
    { numRuns: runs(30), examples: [[tinyPiecesBehindASlowReader, true]] },
  );

  expect(details.failed ? [fc.defaultReportMessage(details), details.errorInstance] : []).toEqual(
    [],
  );
});

function hold(law: boolean, what: string): void {
  if (!law) throw new Error(`Not so: ${what}.`);
}

async function perform(each: Act, writers: readonly Writer[], readers: Reader[]): Promise<void> {
  if (each.act === "turn") {
    await turn();
    return;
  }
  const writer = writers[each.which % writers.length];
  const reader = readers[each.which % Math.max(1, readers.length)];
  if (each.act === "print") writer?.print(each.stream, each.length);
  else if (each.act === "flood") {
    for (let count = 0; count < each.pieces; count += 1) writer?.print(each.stream, 65_536);
  } else if (each.act === "trickle") {
    for (let count = 0; count < tinyPieces; count += 1) {
      writer?.print(count % 2 === 0 ? "stdout" : "stderr", 1);
    }
  } else if (each.act === "end") writer?.end();
  else if (each.act === "join") {
    if (writer !== undefined) readers.push(new Reader(writer, each));
  } else if (each.act === "ask") {
    for (let count = 0; count < each.times; count += 1) reader?.ask();
  } else if (each.act === "read") {
    for (let count = 0; count < each.times; count += 1) {
      if (reader !== undefined && !reader.hasExit && !reader.isWaiting) await readOne(reader);
    }
  } else if (each.act === "leave") await reader?.leave();
  else reader?.abort();
}

/** Reads one chunk, if there is one; available output is delivered within one turn if nothing else is awaited. */
async function readOne(reader: Reader): Promise<void> {
  reader.ask();
  await turn();
}

async function turn(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
