import { expect, test } from "vitest";
import { programOutput } from "./process-output.ts";

const exit = { code: 0, signal: null, leftRunning: [] };
async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("output is read to the exit, from any place, by any number of readers", async () => {
  const output = programOutput();
  const early = all(output.read(0));
  output.push("stdout", bytes("one"));
  output.push("stderr", bytes("two"));
  output.end(exit);
  output.push("stdout", bytes("late"));

  const whole = await early;
  expect(whole.map((chunk) => ("exit" in chunk ? chunk.exit : chunk.stream))).toEqual([
    "stdout",
    "stderr",
    exit,
  ]);
  expect(await all(output.read(0))).toEqual(whole);
  expect(await all(output.read(whole[0]?.seq ?? 0))).toEqual(whole.slice(1));
});

test("a host waits for a reader that is far behind, and hears of the room behind it", async () => {
  let rooms = 0;
  const output = programOutput({ onRoom: () => (rooms += 1) });
  const reading = output.read(0)[Symbol.asyncIterator]();
  const begun = reading.next();
  output.push("stdout", bytes("begun"));
  await begun;

  const isReady = Array.from({ length: 12 }, () => output.push("stdout", new Uint8Array(65_536)));
  expect(isReady[0]).toBe(true);
  expect(isReady.at(-1)).toBe(false);
  expect(rooms).toBe(0);

  output.end(exit);
  for (let read = await reading.next(); read.done !== true; read = await reading.next());
  expect(rooms).toBe(1);
});
