import { expect, test } from "vitest";
import { all, encode, exit } from "../../../test/support/printed.ts";
import { ProcessOutput } from "./process-output.ts";

test("without a reader there is always room; behind a slow one there is not, until it catches up", async () => {
  const output = new ProcessOutput();
  const piece = new Uint8Array(200_000);
  expect(output.push("stdout", piece)).toBe(true);
  expect(output.push("stdout", piece)).toBe(true);
  expect(output.push("stdout", piece)).toBe(true);
  expect(output.push("stdout", piece)).toBe(true);

  let roomCalls = 0;
  output.onRoom = () => {
    roomCalls += 1;
  };
  const reader = output.read(800_000);
  const first = reader.next();
  expect(output.push("stdout", piece)).toBe(true);
  expect(output.push("stdout", piece)).toBe(true);
  expect(output.push("stdout", piece)).toBe(false);
  await first;
  expect(roomCalls).toBe(1);
  await reader.next();
  await reader.next();
  expect(roomCalls).toBe(1);
});

test("who reads along loses nothing of many tiny pieces: the program waits before they fall out", async () => {
  const output = new ProcessOutput();
  const reader = output.read(0);
  const first = reader.next();
  output.push("stdout", encode("x"));
  await first;
  let printed = 1;
  while (printed < 20_000 && output.push("stdout", encode("x"))) printed += 1;
  let roomCalls = 0;
  output.onRoom = () => {
    roomCalls += 1;
  };

  expect(printed).toBeLessThan(8000);
  // Pieces that were in progress when the request to wait came.
  for (let piece = 0; piece < 2; piece += 1) output.push("stderr", new Uint8Array(65_536));
  expect((await reader.next()).value).toEqual({ seq: 2, stream: "stdout", bytes: encode("x") });
  expect(roomCalls).toBe(0);
  output.end(exit);
  await all(reader);
  expect(roomCalls).toBe(1);
});

test("a reader that leaves lets the program go on", async () => {
  const output = new ProcessOutput();
  let roomCalls = 0;
  output.onRoom = () => {
    roomCalls += 1;
  };
  const reader = output.read(0);
  const first = reader.next();
  output.push("stdout", new Uint8Array(10));
  await first;
  expect(output.push("stdout", new Uint8Array(600_000))).toBe(false);
  await reader.return();

  expect(roomCalls).toBe(1);
  expect(output.push("stdout", new Uint8Array(600_000))).toBe(true);
});
