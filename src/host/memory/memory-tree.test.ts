import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import { resolveLinks } from "../files/resolve-links.ts";
import { MemoryTree } from "./memory-tree.ts";
import { runs } from "../../../test/support/law-runs.ts";

const links = new Map([
  ["/here", "dir"],
  ["/dir/up", ".."],
  ["/dir/far", "/dir/deep"],
  ["/dir/deep/gone", "missing/name"],
  ["/dir/deep/circle", "circle"],
]);

function planted(): MemoryTree {
  const tree = new MemoryTree(() => 0);
  tree.plant("/dir/deep/file", { kind: "file", content: "x" });
  for (const [path, target] of links) tree.plant(path, { kind: "symlink", target });
  return tree;
}

/** The end of the walk, or the report of a loop. */
function endOf(walk: () => string): string {
  try {
    return walk();
  } catch (error) {
    return ToolError.is(error) ? error.code : "another error";
  }
}

const part = fc.constantFrom(
  "",
  ".",
  "..",
  "here",
  "dir",
  "up",
  "far",
  "deep",
  "gone",
  "circle",
  "file",
  "missing",
);

test("a path leads where following its links one by one leads", () => {
  const tree = planted();
  fc.assert(
    fc.property(fc.array(part, { maxLength: 7 }), (parts) => {
      const path = `/${parts.join("/")}`;
      const walked = endOf(() => resolveLinks(path, (at) => links.get(at)));
      expect(endOf(() => tree.canonical(path))).toBe(walked);
    }),
    { numRuns: runs(2000) },
  );
});

test("a path is found however many slashes are in it", () => {
  const tree = planted();
  const file = tree.find("/dir/deep/file");
  expect(file?.kind).toBe("file");
  expect([tree.find("//dir/deep//file/"), tree.find("/"), tree.find("//")]).toEqual([
    file,
    tree.root,
    tree.root,
  ]);
});
