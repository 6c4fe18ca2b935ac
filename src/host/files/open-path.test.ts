import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { allClosed, holdDirectory, openNode, statsWithoutLinks } from "./open-path.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-held-"));
  mkdirSync(`${root}/directory`);
  writeFileSync(`${root}/directory/file`, "x");
  symlinkSync("directory", `${root}/link`);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test("what is held stays the same, whatever takes its place", () => {
  const held = openNode(`${root}/directory`);
  renameSync(`${root}/directory`, `${root}/moved`);
  mkdirSync(`${root}/directory`);

  expect(readFileSync(held.entry("file"), "utf8")).toBe("x");
  held.close();
});

test("a held directory keeps its identity when another one takes its place", () => {
  const held = holdDirectory(`${root}/directory`);
  renameSync(`${root}/directory`, `${root}/moved`);
  mkdirSync(`${root}/directory`);
  const other = holdDirectory(`${root}/directory`);

  expect(held.stats.isDirectory()).toBe(true);
  const moved = openNode(`${root}/moved`);
  expect(held.identity).toEqual(moved.identity);
  expect(held.identity).not.toEqual(other.identity);
  expect(readFileSync(held.entry("file"), "utf8")).toBe("x");
  held.close();
  for (const each of [other, moved]) each.close();
});

test.skipIf(process.platform !== "linux")(
  "closing many nodes without a pause does not exhaust the descriptors",
  async () => {
    const before = readdirSync("/proc/self/fd").length;
    for (let count = 0; count < 500; count += 1) openNode(`${root}/directory/file`).closeLater();

    expect(readdirSync("/proc/self/fd").length).toBeLessThan(before + 100);
    await allClosed();
    expect(readdirSync("/proc/self/fd").length).toBeLessThan(before + 10);
  },
);

test.for([
  { name: "link", code: "PATH_CHANGED", because: "a link at the end is not a directory" },
  { name: "up/directory", code: "PATH_CHANGED", because: "a link is on the way" },
  { name: "directory/file", code: "NOT_A_DIRECTORY", because: "a file is not one" },
  { name: "directory/file/below", code: "NOT_A_DIRECTORY", because: "nothing is below a file" },
  { name: "missing", code: "NOT_FOUND", because: "nothing is there" },
])("no directory is held at $name: $because", ({ name, code }) => {
  symlinkSync(".", `${root}/up`);

  expect(() => holdDirectory(`${root}/${name}`)).toThrow(expect.objectContaining({ code }));
});

test.for([
  { name: "directory/file", kind: "file" },
  { name: "directory", kind: "directory" },
  { name: "link", kind: "link" },
])("looking step by step finds $name to be a $kind", ({ name, kind }) => {
  const stats = statsWithoutLinks(`${root}/${name}`);

  expect([stats.isFile(), stats.isDirectory(), stats.isSymbolicLink()]).toEqual([
    kind === "file",
    kind === "directory",
    kind === "link",
  ]);
});

test.for([
  { name: "link/file", code: "PATH_CHANGED" },
  { name: "link/deep/er", code: "PATH_CHANGED" },
  { name: "directory/file/below", code: "NOT_A_DIRECTORY" },
])("looking step by step refuses $name with $code", ({ name, code }) => {
  expect(() => statsWithoutLinks(`${root}/${name}`)).toThrow(expect.objectContaining({ code }));
});
