import { expect, test } from "vitest";
import { openedLater } from "./lazy.ts";

async function* counting(seen: string[]): AsyncGenerator<number> {
  try {
    yield 1;
    yield 2;
  } finally {
    seen.push("closed");
  }
}

test("it is opened once, by who asks for the first item, and read to its end", async () => {
  const seen: string[] = [];
  const items = openedLater(async () => {
    seen.push("opened");
    return counting(seen);
  });
  expect(seen).toEqual([]);
  const found: number[] = [];
  for await (const item of items) found.push(item);

  expect(found).toEqual([1, 2]);
  expect(seen).toEqual(["opened", "closed"]);
  expect(await items.next()).toEqual({ done: true, value: undefined });
});

test("two who ask at once open it once, each for an item of its own", async () => {
  const seen: string[] = [];
  let opened = 0;
  const items = openedLater(async () => {
    opened += 1;
    return counting(seen);
  });
  const both = await Promise.all([items.next(), items.next()]);

  expect(both.map(({ value }) => value)).toEqual([1, 2]);
  expect(opened).toBe(1);
});

test.each(Array.from({ length: 8 }, (_, moments) => ({ moments })))(
  "a caller that asks $moments moments after another gets what comes after",
  async ({ moments }) => {
    const items = openedLater(async () => counting([]));
    const first = items.next();
    for (let passed = 0; passed < moments; passed += 1) await Promise.resolve();
    const both = await Promise.all([first, items.next(), items.next()]);

    expect(both.map(({ value }) => value)).toEqual([1, 2, undefined]);
  },
);

test("who leaves early has it closed", async () => {
  const seen: string[] = [];
  for await (const item of openedLater(async () => counting(seen))) {
    expect(item).toBe(1);
    break;
  }

  expect(seen).toEqual(["closed"]);
});

test("who leaves before the first item opens nothing, then or later", async () => {
  let opened = 0;
  const items = openedLater(async () => {
    opened += 1;
    return counting([]);
  });
  await items.return?.();

  expect(await items.next()).toEqual({ done: true, value: undefined });
  expect(opened).toBe(0);
});

test("what cannot be opened is an error of who asks for the first item", async () => {
  const items = openedLater<number>(async () => {
    throw new TypeError("Nothing there.");
  });

  await expect(items.next()).rejects.toThrow("Nothing there.");
  expect(await items.return?.()).toEqual({ done: true, value: undefined });
});
