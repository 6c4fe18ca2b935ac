import { expect, test } from "vitest";
import { world, write } from "../../test/support/calls-world.ts";
import { inBatches } from "./map-concurrently.ts";

test("a difference of many files opens a few of them at a time", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `${index}.txt`);
  const { host, journal, call, put } = world(Object.fromEntries(names.map((name) => [name, "a"])));
  const paths = names.map((name) => `/project/${name}`);
  await call(
    "1",
    paths.map((path) => write(path)),
    async () => {
      for (const path of paths) await put(path, "b");
    },
  );
  let open = 0;
  let most = 0;
  const readRange = host.fs.readRange.bind(host.fs);
  host.fs.readRange = async (...given) => {
    most = Math.max(most, (open += 1));
    const bytes = await readRange(...given);
    await Promise.resolve();
    open -= 1;
    return bytes;
  };

  const differences = await journal.diff("1");

  expect(differences.map(({ path }) => path)).toEqual(paths.toSorted());
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
});

test("results come in the order of the items, and nothing starts or continues after a failure", async () => {
  const begun: number[] = [];
  let isOver = false;
  const items = Array.from({ length: 40 }, (_, index) => index);
  const failing = inBatches(items, async (item) => {
    begun.push(item);
    if (item === 3) throw new Error("three");
    await Promise.resolve();
    expect(isOver).toBe(false);
  });

  await expect(failing).rejects.toThrow("three");
  isOver = true;
  expect(begun).toHaveLength(16);
  expect(await inBatches(items, async (item) => item * 2)).toEqual(items.map((item) => item * 2));
});
