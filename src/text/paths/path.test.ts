import { expect, test } from "vitest";
import { isWithin, pathBelow } from "./path.ts";

test.each([
  { root: "/a", path: "/a", below: "" },
  { root: "/a", path: "/a/b", below: "b" },
  { root: "/a", path: "/a/b/c", below: "b/c" },
  { root: "/a", path: "/ab", below: undefined },
  { root: "/a", path: "/x/a/b", below: undefined },
  { root: "/ab", path: "/a", below: undefined },
  { root: "/a", path: "/b/c", below: undefined },
  { root: "/", path: "/", below: "" },
  { root: "/", path: "/a", below: "a" },
  { root: "/", path: "a", below: undefined },
])("$path seen from $root: $below", ({ root, path, below }) => {
  expect(pathBelow(root, path)).toBe(below);
  expect(isWithin(root, path)).toBe(below !== undefined);
});
