import { describe, expect, test } from "vitest";
import { all, encode, exit } from "../../../test/support/printed.ts";
import type { ProcessChunk } from "../../core/index.ts";
import { FinishedProcesses } from "./finished-processes.ts";
import { ProcessOutput } from "./process-output.ts";

test("a chunk's number is how much was printed up to its end", async () => {
  const output = new ProcessOutput();
  output.push("stdout", encode("abc"));
  output.push("stderr", encode("de"));
  output.end(exit);

  expect(await all(output.read(0))).toEqual([
    { seq: 3, stream: "stdout", bytes: encode("abc") },
    { seq: 5, stream: "stderr", bytes: encode("de") },
    { seq: 6, exit },
  ]);
  expect(await all(output.read(3))).toEqual([
    { seq: 5, stream: "stderr", bytes: encode("de") },
    { seq: 6, exit },
  ]);
  expect(await all(output.read(5))).toEqual([{ seq: 6, exit }]);
});

test("reading from the middle of a chunk gives the rest of it", async () => {
  const output = new ProcessOutput();
  output.push("stdout", encode("abcdef"));
  output.end(exit);

  expect(await all(output.read(4))).toEqual([
    { seq: 6, stream: "stdout", bytes: encode("ef") },
    { seq: 7, exit },
  ]);
});

test("nothing is taken after the end, and the first end counts", async () => {
  const output = new ProcessOutput();
  output.end(exit);
  output.push("stdout", encode("late"));
  output.end({ ...exit, code: 9 });

  expect(await all(output.read(0))).toEqual([{ seq: 1, exit }]);
  expect(output.printed).toBe(0);
});

test("what was pushed may be overwritten at once, and a chunk stays what it was", async () => {
  const output = new ProcessOutput();
  const memory = encode("first");
  output.push("stdout", memory);
  memory.set(encode("XXXXX"));
  const reader = output.read(0);
  const first = await reader.next();
  for (let index = 0; index < 40; index += 1) output.push("stdout", new Uint8Array(65_536));
  await reader.next();

  expect(first.value).toMatchObject({ bytes: encode("first") });
});

test("a reused chunk is left alone until the next one is asked for, however much is printed", async () => {
  const output = new ProcessOutput();
  const reader = output.read(0, { reuse: true });
  const full = new Uint8Array(65_536).fill(1);
  output.push("stdout", full);
  const { value } = await reader.next();
  for (let index = 2; index < 200; index += 1) output.push("stdout", full.fill(index));

  expect(value).toMatchObject({ seq: 65_536, bytes: new Uint8Array(65_536).fill(1) });
  const next = (await reader.next()).value;
  if (next === undefined || !("bytes" in next)) throw new TypeError("No more output.");
  // In a flood one chunk may contain several pieces.
  expect(next.bytes.at(-1)).toBe(next.seq / 65_536);
});

test("a gigabyte that is read as it comes takes no more memory than what is kept", async () => {
  const output = new ProcessOutput();
  const piece = new Uint8Array(65_536);
  const reader = output.read(0, { reuse: true });
  const pump = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 4) {
      for (let each = 0; each < 4; each += 1) output.push("stdout", piece);
      await reader.next();
    }
  };
  await pump(32);
  const before = process.memoryUsage().arrayBuffers;

  await pump(16_384);

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_048_576);
});

test("a flood is read in large chunks, and its rest when no more has come for a moment", async () => {
  const output = new ProcessOutput();
  output.push("stdout", new Uint8Array(1_048_576));
  const reader = output.read(1_048_576);
  const sizes: number[] = [];
  const take = async (): Promise<void> => {
    const { value } = await reader.next();
    if (value !== undefined && "bytes" in value) sizes.push(value.bytes.length);
  };

  const first = take();
  for (let count = 0; count < 30; count += 1) output.push("stdout", new Uint8Array(8192).fill(1));
  await first;
  const second = take();
  output.push("stderr", encode("other"));
  await second;
  const last = take();
  output.push("stdout", encode("end"));
  await last;

  expect(sizes).toEqual([245_760, 5, 3]);
});

test("an answer to input is delivered at once, however much was printed before", async () => {
  const output = new ProcessOutput();
  output.push("stdout", new Uint8Array(2_097_152));
  const reader = output.read(2_097_152);
  output.inputWritten();

  const answer = reader.next();
  output.push("stdout", encode("answer"));
  const first = await Promise.race([answer, new Promise((resolve) => setImmediate(resolve))]);

  expect(first).toMatchObject({ value: { bytes: encode("answer") } });
});

test("an empty piece makes no chunk", async () => {
  const output = new ProcessOutput();
  output.push("stdout", new Uint8Array());
  output.end(exit);

  expect(await all(output.read(0))).toEqual([{ seq: 1, exit }]);
});

test("what falls out is counted where it is missing, at the start and at the exit", async () => {
  const output = new ProcessOutput();
  for (let index = 0; index < 20; index += 1) output.push("stdout", new Uint8Array(100_000));
  output.end(exit);
  const chunks = await all(output.read(0));

  // Delivered bytes and reported gaps add up to everything printed.
  let printed = 0;
  for (const chunk of chunks) {
    printed += chunk.lostBefore ?? 0;
    if ("bytes" in chunk) printed += chunk.bytes.length;
    expect(chunk.seq).toBe("exit" in chunk ? printed + 1 : printed);
  }
  expect(printed).toBe(2_000_000);
  expect(chunks[0]).toMatchObject({ lostBefore: 1_000_000 });
  expect(chunks[1]).not.toHaveProperty("lostBefore");
  expect(output.size).toBeLessThanOrEqual(1_048_576);
  expect((await all(output.read(500_000)))[0]).toMatchObject({ lostBefore: 500_000 });
});

test("one piece larger than all that is kept is kept whole", async () => {
  const output = new ProcessOutput();
  output.push("stdout", encode("small"));
  output.push("stdout", new Uint8Array(3_000_000));
  output.end(exit);

  expect((await all(output.read(0)))[0]).toMatchObject({
    seq: 3_000_005,
    lostBefore: 5,
  });
});

test("a million tiny pieces are bounded too", () => {
  const output = new ProcessOutput();
  for (let index = 0; index < 100_000; index += 1) output.push("stdout", encode("x"));

  expect(output.size).toBeLessThanOrEqual(1_048_576);
});

test("a waiting reader is woken by output, by the end and by its signal", async () => {
  const output = new ProcessOutput();
  const stop = new AbortController();
  const stopped = output.read(0, { signal: stop.signal }).next();
  const reader = output.read(0);
  const first = reader.next();
  stop.abort();
  output.push("stdout", encode("a"));
  expect((await first).value).toMatchObject({ seq: 1 });
  const last = reader.next();
  output.end(exit);

  expect((await last).value).toEqual({ seq: 2, exit });
  expect((await reader.next()).done).toBe(true);
  await expect(stopped).rejects.toMatchObject({ code: "ABORTED" });
});

test("reads that start before the last one ends get one chunk each, in order", async () => {
  const output = new ProcessOutput();
  const reader = output.read(0);
  const asked = [reader.next(), reader.next(), reader.next(), reader.next()];
  output.push("stdout", encode("a"));
  output.push("stderr", encode("b"));
  output.end(exit);

  expect(await Promise.all(asked)).toEqual([
    { done: false, value: { seq: 1, stream: "stdout", bytes: encode("a") } },
    { done: false, value: { seq: 2, stream: "stderr", bytes: encode("b") } },
    { done: false, value: { seq: 3, exit } },
    { done: true, value: undefined },
  ]);
});

test.each(Array.from({ length: 6 }, (_, moments) => ({ moments })))(
  "a read that starts $moments moments after others were woken gets what follows theirs",
  async ({ moments }) => {
    const output = new ProcessOutput();
    const reader = output.read(0);
    const asked = [reader.next(), reader.next()];
    output.push("stdout", encode("a"));
    output.end(exit);
    for (let passed = 0; passed < moments; passed += 1) await Promise.resolve();
    asked.push(reader.next());

    expect((await Promise.all(asked)).map(({ value }) => value?.seq)).toEqual([1, 2, undefined]);
  },
);

test("a reader that leaves while it waits gets the end, and nothing more", async () => {
  const output = new ProcessOutput();
  const reader = output.read(0);
  const waiting = reader.next();
  await reader.return();
  output.push("stdout", encode("a"));

  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await reader.next()).toEqual({ done: true, value: undefined });
});

test("a reader that was stopped is over, and holds nothing up", async () => {
  const output = new ProcessOutput();
  const stop = new AbortController();
  const reader = output.read(0, { signal: stop.signal, reuse: true });
  output.push("stdout", encode("a"));
  await reader.next();
  stop.abort();

  await expect(reader.next()).rejects.toMatchObject({ code: "ABORTED" });
  expect(await reader.next()).toEqual({ done: true, value: undefined });
  expect(output.push("stdout", new Uint8Array(600_000))).toBe(true);
});

const flood = new Uint8Array(65_536);

/** Reads all output as it arrives. */
async function flooded(output: ProcessOutput, pieces: number): Promise<ProcessChunk | undefined> {
  const reader = output.read(0, { reuse: true });
  for (let count = 0; count < pieces; count += 4) {
    for (let each = 0; each < 4; each += 1) output.push("stdout", flood);
    await reader.next();
  }
  output.end(exit);
  let last: ProcessChunk | undefined;
  for await (const chunk of reader) last = chunk;
  return last;
}

describe("when a flood has ended", () => {
  test("and was read to its end, nothing of it is kept, and that is said", async () => {
    const output = new ProcessOutput();
    const last = await flooded(output, 64);

    expect(last).toEqual({ seq: 4_194_305, exit });
    expect(output.size).toBe(0);
    expect(await all(output.read(0))).toEqual([{ seq: 4_194_305, exit, lostBefore: 4_194_304 }]);
  });

  test("ten of them one after the other take the memory of one", async () => {
    await flooded(new ProcessOutput(), 64);
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 10; count += 1) await flooded(new ProcessOutput(), 64);

    // Each output starts with a small block; all of these take less than half of what one output stores.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
  });

  test("what another still reads stays for it", async () => {
    const output = new ProcessOutput();
    for (let count = 0; count < 32; count += 1) output.push("stdout", flood);
    const other = output.read(2_000_000);
    await other.next();
    output.end(exit);
    await all(output.read(0, { reuse: true }));

    expect(output.size).toBeGreaterThan(0);
    expect((await all(other)).at(-1)).toEqual({ seq: 2_097_153, exit });
  });

  test.each([
    { name: "without reuse, it may be read once more", pieces: 32, reuse: false },
    { name: "and nothing of it fell out, it may be read once more", pieces: 4, reuse: true },
  ])("$name", async ({ pieces, reuse }) => {
    const output = new ProcessOutput();
    for (let count = 0; count < pieces; count += 1) output.push("stdout", flood);
    output.end(exit);
    const first = await all(output.read(0, { reuse }));
    const again = await all(output.read(0));

    expect(again.map(({ seq, lostBefore }) => [seq, lostBefore])).toEqual(
      first.map(({ seq, lostBefore }) => [seq, lostBefore]),
    );
    expect(again.length).toBeGreaterThan(1);
  });
});

test("of ended processes the newest are kept, within a bound of number and of memory", () => {
  const finished = new FinishedProcesses<{ readonly output: ProcessOutput }>();
  for (let index = 0; index < 300; index += 1) finished.add(`${index}`, small());
  expect(finished.get("43")).toBeUndefined();
  expect(finished.get("44")).toBeDefined();
  expect(finished.get("299")).toBeDefined();

  for (let index = 0; index < 40; index += 1) {
    const output = new ProcessOutput();
    output.push("stdout", new Uint8Array(1_000_000));
    finished.add(`big ${index}`, { output });
  }
  expect(finished.get("299")).toBeUndefined();
  expect(finished.get("big 6")).toBeUndefined();
  expect(finished.get("big 7")).toBeDefined();
  finished.add("big 7", small());
  finished.add("big 40", small());
  expect(finished.get("big 8")).toBeDefined();
});

test("memory that an ended process has let go since counts no longer", async () => {
  const finished = new FinishedProcesses<{ readonly output: ProcessOutput }>();
  for (let index = 0; index < 40; index += 1) {
    const output = new ProcessOutput();
    const reader = output.read(0, { reuse: true });
    for (let count = 0; count < 20; count += 1) output.push("stdout", new Uint8Array(100_000));
    output.end(exit);
    finished.add(`${index}`, { output });
    await all(reader);
  }

  expect(finished.get("0")).toBeDefined();
});

function small(): { readonly output: ProcessOutput } {
  return { output: new ProcessOutput() };
}
