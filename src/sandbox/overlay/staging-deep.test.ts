import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { removeDirectory } from "./staging.ts";

/** Builds a deep tree from the inside: each new level is created above the previous tree, so that no path is long. */
function deepTree(folder: string, levels: number): string {
  const name = "d".repeat(50);
  let tree = path.join(folder, "tree");
  mkdirSync(tree);
  writeFileSync(path.join(tree, "file"), "1");
  for (let level = 0; level < levels; level += 1) {
    const above = path.join(folder, `above-${level}`);
    mkdirSync(above);
    renameSync(tree, path.join(above, name));
    tree = above;
  }
  return tree;
}

test("a tree deeper than the longest path is removed", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "haft-deep-"));
  deepTree(folder, 300);

  await removeDirectory(Buffer.from(folder), () => undefined);

  expect(existsSync(folder)).toBe(false);
});
