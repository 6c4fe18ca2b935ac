import { describe, expect, test } from "vitest";
import { boundary, readOf, writeOf } from "../../../test/policy/policy-world.ts";
import type { Effect } from "../../core/index.ts";
import type { CallState } from "../call-state.ts";
import { seenChanges } from "./seen-changes.ts";

function said(seen: readonly string[], effects: readonly Effect[] = [], notes?: readonly string[]) {
  const confined = notes === undefined ? undefined : { notes };
  const state = { effects, confined } as unknown as CallState;
  return seenChanges(seen, state, { boundary: () => boundary, cwd: "/ws" });
}

const one =
  "This includes a protected file that the user was not asked about (.npmrc): the user should check it.";

describe("what a program on the real files was seen to change", () => {
  test("is nothing to say where nothing was", () => {
    expect(said([])).toEqual([]);
  });

  test("is named, because undo does not cover it", () => {
    expect(said(["/ws/a", "/other/b"])).toEqual([
      "It changed a, /other/b; undo does not cover that.",
    ]);
  });

  test("is named once more where it is protected", () => {
    expect(said(["/ws/a", "/ws/.npmrc"])).toEqual([
      "It changed a, .npmrc; undo does not cover that.",
      one,
    ]);
    expect(said(["/ws/.envrc", "/ws/.npmrc"])[1]).toBe(
      "This includes protected files that the user was not asked about (.envrc, .npmrc): the user should check them.",
    );
  });

  test.each<{ effects: readonly Effect[]; isTold: boolean; because: string }>([
    { effects: [writeOf("/ws/.npmrc")], isTold: false, because: "it was declared" },
    { effects: [writeOf("/ws", "any", "tree")], isTold: false, because: "so was all around it" },
    { effects: [writeOf("/ws/a")], isTold: true, because: "another file was" },
    { effects: [writeOf("/ws/a"), writeOf("/ws/.npmrc")], isTold: false, because: "one is enough" },
    { effects: [readOf("/ws/.npmrc")], isTold: true, because: "only reading was" },
  ])("with $effects a protected file is reported, $isTold: $because", ({ effects, isTold }) => {
    expect(said(["/ws/.npmrc"], effects).slice(1)).toEqual(isTold ? [one] : []);
  });

  test("is not told twice where another note names it", () => {
    expect(said(["/ws/.npmrc"], [], ["Kept back: /ws/.npmrc."])).toHaveLength(1);
    expect(said(["/ws/.npmrc"], [], ["Kept back: /ws/a.", "x"])).toHaveLength(2);
    expect(said(["/ws/.npmrc"], [], ["x", "Kept back: /ws/.npmrc."])).toHaveLength(1);
  });

  test.each([
    { path: "/ws/.git/index", isTold: false, because: "git writes it with every command" },
    { path: "/ws/.git/hooks/pre-commit", isTold: true, because: "git runs it" },
    { path: "/ws/.git/hooks/pre-commit.sample", isTold: false, because: "samples are never run" },
    { path: "/ws/.husky/hooks/a.sample", isTold: true, because: "git has no samples there" },
  ])("$path is reported, $isTold: $because", ({ path, isTold }) => {
    expect(said([path])).toHaveLength(isTold ? 2 : 1);
  });
});
