import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { StagedChange } from "../../src/core/index.ts";
import type { Journal } from "../../src/journal/index.ts";
import { openWork, stage, work } from "../support/staged-work.ts";

// Properties that only a real file system has: names of one file, its number, times finer than a millisecond.

let folder: string;
let journal: Journal;
let close: () => Promise<void>;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-applied-")));
  mkdirSync(work(folder));
  mkdirSync(stage(folder));
  ({ journal, close } = await openWork(folder));
});

afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

const inWork = (name: string): string => path.join(work(folder), name);

function staged(name: string): StagedChange {
  const source = path.join(stage(folder), name);
  const { size, mode, mtimeMs } = lstatSync(source);
  return { path: inWork(name), to: { kind: "file", source, size, mode: mode & 0o7777, mtimeMs } };
}

async function apply(since: number, names: readonly string[]): Promise<void> {
  const changes = names.map(staged);
  await journal.apply("1", { since, changes, refused: [], through: [] }, { tool: "Bash" });
}

test("a file with another name outside the change leaves that name as it was", async () => {
  writeFileSync(inWork("a"), "old");
  linkSync(inWork("a"), inWork("b"));
  writeFileSync(path.join(stage(folder), "a"), "new");
  await apply(Date.now(), ["a"]);

  expect([readFileSync(inWork("a"), "utf8"), readFileSync(inWork("b"), "utf8")]).toEqual([
    "new",
    "old",
  ]);
  await journal.undo({ last: 1 });
  expect([readFileSync(inWork("a"), "utf8"), readFileSync(inWork("b"), "utf8")]).toEqual([
    "old",
    "old",
  ]);
});

test("a file is moved, not copied: its number stays, and names of one file stay names of one file", async () => {
  const first = path.join(stage(folder), "a");
  writeFileSync(first, "one");
  linkSync(first, path.join(stage(folder), "b"));
  const { ino } = lstatSync(first);
  await apply(Date.now(), ["a", "b"]);

  expect([lstatSync(inWork("a")).ino, lstatSync(inWork("b")).ino]).toEqual([ino, ino]);
});

test("times come back to the microsecond, and a program that builds sees nothing to do", async () => {
  const seconds = 1_700_000_000.123_456;
  for (const name of ["source", "built"]) {
    writeFileSync(inWork(name), name);
    utimesSync(inWork(name), seconds, seconds + (name === "built" ? 0.000_002 : 0));
    writeFileSync(path.join(stage(folder), name), `${name} again`);
  }
  const times = ["source", "built"].map((name) => microseconds(inWork(name)));
  await apply(Date.now(), ["source", "built"]);
  expect(["source", "built"].map((name) => microseconds(inWork(name)))).not.toEqual(times);
  await journal.undo({ last: 1 });

  expect(["source", "built"].map((name) => microseconds(inWork(name)))).toEqual(times);
  expect(lstatSync(inWork("built")).mtimeMs).toBeGreaterThan(lstatSync(inWork("source")).mtimeMs);
});

function microseconds(file: string): bigint {
  return lstatSync(file, { bigint: true }).mtimeNs / 1000n;
}

test("what another program wrote right after the command began is seen", async () => {
  writeFileSync(inWork("a"), "old");
  writeFileSync(path.join(stage(folder), "a"), "new");
  const since = Date.now() - 20;
  writeFileSync(inWork("a"), "mine");

  await expect(apply(since, ["a"])).rejects.toMatchObject({ code: "STALE_READ" });
  expect(readFileSync(inWork("a"), "utf8")).toBe("mine");
});

test("a file put into a directory just before its removal stays, and so does the directory", async () => {
  await close();
  const folderToGo = inWork("gone");
  ({ journal, close } = await openWork(folder, () => {
    const isEmptied = existsSync(folderToGo) && readdirSync(folderToGo).length === 0;
    if (isEmptied) writeFileSync(path.join(folderToGo, "theirs"), "theirs");
  }));
  mkdirSync(folderToGo);
  writeFileSync(inWork("gone/own"), "own");
  const changes = ["gone", "gone/own"].map((name): StagedChange => {
    return { path: inWork(name), to: { kind: "absent" } };
  });

  await journal
    .apply("1", { since: Date.now(), changes, refused: [], through: [] }, { tool: "Bash" })
    .catch(() => undefined);

  expect(readFileSync(inWork("gone/theirs"), "utf8")).toBe("theirs");
});
