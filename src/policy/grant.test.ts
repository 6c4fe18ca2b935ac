import { expect, test } from "vitest";
import type { Grant } from "../core/index.ts";
import { intersectGrants } from "./grant.ts";

function without(path: string): Grant {
  return {
    effects: [],
    exclusions: [{ root: "/ws", pattern: path, rule: `Read(${path})` }],
    excludes: (at) => (at === path ? `Read(${path})` : undefined),
  };
}

test("a child's grant excludes what either grant excludes (issue 14)", () => {
  const both = intersectGrants(without("/ws/child"), without("/ws/parent"));

  expect(both.excludes("/ws/child", "read")).toBe("Read(/ws/child)");
  expect(both.excludes("/ws/parent", "read")).toBe("Read(/ws/parent)");
  expect(both.excludes("/ws/open", "read")).toBeUndefined();
  expect(both.exclusions.map(({ pattern }) => pattern)).toEqual(["/ws/child", "/ws/parent"]);
});
