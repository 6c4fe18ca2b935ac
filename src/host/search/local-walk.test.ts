import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GlobEvent } from "../../core/index.ts";
import { LocalFs } from "../files/local-fs.ts";
import { walkGlob } from "./local-walk.ts";

const fs = new LocalFs();
let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-walk-"));
  for (let folder = 0; folder < 200; folder += 1) {
    mkdirSync(path.join(root, `${folder}`));
    for (let file = 0; file < 20; file += 1) {
      writeFileSync(path.join(root, `${folder}`, `${file}.txt`), "");
    }
  }
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const query = (): { root: string; pattern: string; dated: boolean } => ({
  root,
  pattern: "*.txt",
  dated: true,
});
const isLinux = process.platform === "linux";
const openFiles = (): number => readdirSync("/proc/self/fd").length;

test("every file comes once", async () => {
  const found: string[] = [];
  let end: GlobEvent | undefined;
  for await (const event of walkGlob(fs, query(), undefined)) {
    if (event.kind === "files") found.push(...event.files.map((file) => file.path));
    else end = event;
  }

  expect(found).toHaveLength(4000);
  expect(new Set(found).size).toBe(4000);
  expect(end).toEqual({
    kind: "end",
    excluded: 0,
    ignored: 0,
    ignoredDirectories: { count: 0, examples: [] },
    links: [],
    partial: false,
  });
});

test("an abort ends it at the next turn", async () => {
  const controller = new AbortController();
  const walking = (async () => {
    for await (const event of walkGlob(fs, query(), { signal: controller.signal })) {
      expect(event.kind).toBe("files");
      controller.abort();
    }
  })();

  await expect(walking).rejects.toMatchObject({ code: "ABORTED" });
});

test.skipIf(!isLinux)("leaving the loop early closes what it held", async () => {
  const before = openFiles();
  for await (const event of walkGlob(fs, query(), undefined)) {
    expect(event.kind).toBe("files");
    break;
  }

  expect(openFiles()).toBe(before);
});

test("a folder that goes away meanwhile makes the answer partial, a missing root is an error", async () => {
  const walk = walkGlob(fs, { ...query(), root: path.join(root, "gone") }, undefined);

  await expect(walk.next()).rejects.toMatchObject({ code: "NOT_FOUND" });
  const events: GlobEvent[] = [];
  const isExcluded = (at: string): boolean => {
    // Runs while the first directory is read, before the others.
    rmSync(root, { recursive: true, force: true });
    return at === "";
  };
  for await (const event of walkGlob(fs, { ...query(), isExcluded }, undefined)) events.push(event);
  expect(events.at(-1)).toMatchObject({ kind: "end", partial: true });
});
