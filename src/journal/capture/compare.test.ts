import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import type { Captured } from "./capture.ts";
import { observe } from "./compare.ts";
import { absent } from "./file-state.ts";

const path = "/project/a.txt";
const captured: Captured = {
  images: new Map([[path, absent]]),
  versions: new Map(),
  skipped: [],
  there: new Set(),
  trees: [],
};

function options(keep: () => Promise<void>) {
  const { fs } = memoryHost({ files: { "a.txt": "a" } });
  return { fs, maxBytes: 100, directory: "/data/journal", keep };
}

test("what a call left is stored before its changes are named", async () => {
  let isStored = false;

  const { changed } = await observe(
    captured,
    options(async () => {
      await new Promise(setImmediate);
      isStored = true;
    }),
  );

  expect(isStored).toBe(true);
  expect(changed).toMatchObject([{ path, before: absent }]);
});

test("a path whose new content cannot be stored is named with the reason", async () => {
  const observed = await observe(
    captured,
    options(async () => await Promise.reject(new Error("the disk is full"))),
  );

  expect(observed).toEqual({
    changed: [],
    skipped: [{ path, because: expect.stringContaining("the disk is full") }],
    unkept: [],
  });
});
