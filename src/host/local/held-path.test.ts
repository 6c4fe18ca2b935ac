import {
  mkdirSync,
  mkdtempSync,
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
import { holdNode, statsWithoutLinks } from "./held-path.ts";

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
  const held = holdNode(`${root}/directory`);
  renameSync(`${root}/directory`, `${root}/moved`);
  mkdirSync(`${root}/directory`);

  expect(readFileSync(held.entry("file"), "utf8")).toBe("x");
  held.close();
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
