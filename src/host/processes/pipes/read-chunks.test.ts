import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { chunksOf } from "./read-chunks.ts";

async function all(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk.toString();
  return text;
}

test("what comes before the first is asked for, and memory that is used again, loses nothing", async () => {
  const stream = new PassThrough();
  const chunks = chunksOf(stream);
  const memory = Buffer.from("one ");
  stream.emit("data", memory);
  memory.write("XXXX");
  stream.emit("data", Buffer.from("two"));
  stream.end();

  expect(await all(chunks)).toBe("one two");
});

test("a source that is ahead waits until it is caught up with", async () => {
  const stream = new PassThrough();
  const chunks = chunksOf(stream);
  stream.emit("data", Buffer.alloc(200_000));
  expect(stream.isPaused()).toBe(false);
  stream.emit("data", Buffer.alloc(200_000));
  expect(stream.isPaused()).toBe(true);

  await chunks.next();
  expect(stream.isPaused()).toBe(true);
  await chunks.next();
  expect(stream.isPaused()).toBe(false);
});

test("a stream that breaks or is closed is over", async () => {
  for (const event of ["error", "close"]) {
    const stream = new PassThrough();
    const reading = all(chunksOf(stream));
    stream.emit(event, new Error("broken"));
    expect(await reading).toBe("");
  }
});
