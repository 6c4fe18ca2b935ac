import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ListingCache, tickOf } from "./listing-cache.ts";

const at = temporaryFolder("listing-cache");

afterEach(() => {
  vi.restoreAllMocks();
});

/** Later than a tick after every change so far, so that a listing is kept. */
function passTick(): void {
  const now = Date.now() + 1000;
  vi.spyOn(Date, "now").mockReturnValue(now);
}

/** Adds a name to a directory whose clock has moved on since it was listed. */
function addLater(directory: string, name: string): void {
  const before = statSync(directory).ctimeMs;
  for (let count = 0; statSync(directory).ctimeMs === before; count += 1) {
    writeFileSync(`${directory}/${name}`, `${count}`);
    if (statSync(directory).ctimeMs === before) rmSync(`${directory}/${name}`);
  }
}

function cacheOf(maxEntries = 10) {
  const cache = new ListingCache<readonly string[]>(maxEntries);
  let count = 0;
  const list = (path: string): readonly string[] =>
    cache.at(path, () => {
      count += 1;
      return readdirSync(path);
    });
  return { list, listed: () => count };
}

test("a directory is listed again only once a name is added or removed", () => {
  mkdirSync(at("one"));
  passTick();
  const { list, listed } = cacheOf();

  expect([list(at("one")), list(at("one"))]).toEqual([[], []]);
  expect(listed()).toBe(1);
  addLater(at("one"), "a");
  expect(list(at("one"))).toEqual(["a"]);
});

test("a directory that a link leads to is seen to change, and so is the link", () => {
  mkdirSync(at("one"));
  mkdirSync(at("two"));
  symlinkSync("one", at("link"));
  passTick();
  const { list } = cacheOf();

  expect(list(at("link"))).toEqual([]);
  addLater(at("one"), "a");
  expect(list(at("link"))).toEqual(["a"]);
  rmSync(at("link"));
  symlinkSync("two", at("link"));
  expect(list(at("link"))).toEqual([]);
});

test("a change within a tick of the clock is seen", () => {
  const { list } = cacheOf();

  for (let index = 0; index < 50; index += 1) {
    mkdirSync(at(`d${index}`));
    list(at(`d${index}`));
    writeFileSync(at(`d${index}/a`), "");
    expect(list(at(`d${index}`))).toEqual(["a"]);
  }
});

test("of more directories than are kept the first is forgotten", () => {
  for (const name of ["one", "two", "three"]) mkdirSync(at(name));
  passTick();
  const { list, listed } = cacheOf(2);

  for (const name of ["one", "two", "three", "three", "two", "one"]) list(at(name));

  expect(listed()).toBe(4);
});

test("a time of whole seconds, as some file systems keep, counts for two seconds", () => {
  expect(tickOf(1_700_000_000_000)).toBeGreaterThan(2000);
  expect(tickOf(1_700_000_000_123.5)).toBeLessThan(1000);
});
