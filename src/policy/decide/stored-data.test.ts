import { describe, expect, test } from "vitest";
import {
  allModes,
  boundary,
  readOf,
  requestOf,
  runOf,
  verdict,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Grant, Mode, WriteEffect } from "../../core/index.ts";
import { decide } from "./decide.ts";

describe("a closed directory", () => {
  const closed = {
    ...boundary,
    closed: ["/data"],
    readOnlyRoots: ["/data/artifacts/own"],
  };

  test.each(allModes)("is closed to rules and %s mode too", (mode) => {
    const more = { boundary: closed, lists: { allow: ["Read", "Edit", "AnyTool"] }, mode };

    expect(verdict([readOf("/data/artifacts/other/a")], more)).toBe("deny");
    expect(verdict([readOf("/data")], more)).toBe("deny");
    expect(verdict([writeOf("/data/artifacts/own/a")], more)).toBe("deny");
    expect(verdict([readOf("/data/artifacts/own/a")], more)).toBe("allow");
    expect(verdict([readOf("/ws/a")], more)).toBe("allow");
  });

  test.each(allModes)("is left out of a tree that contains it in %s mode", (mode) => {
    const tree = { kind: "read", path: "/", scope: "tree" } as const;
    const lists = { allow: ["Read"] };

    const { grant } = decide(requestOf([tree], { boundary: closed, lists, mode })) as {
      readonly grant: Grant;
    };

    expect(grant.exclusions).toContainEqual({
      root: "/",
      pattern: "/data",
      rule: "stored sessions",
    });
    expect(grant.excludes("/data/artifacts/other/a", "read")).toBe("stored sessions");
    expect(grant.excludes("/srv/a", "read")).toBeUndefined();
  });

  test.each(allModes)("closes trees that contain it to programs in %s mode", (mode) => {
    const more = { boundary: closed, lists: { allow: ["Read", "Edit", "AnyTool"] }, mode };
    const copy = runOf("cp -r / /copy", { consequences: "listed" });
    const read = { kind: "read", path: "/", scope: "tree", by: copy.span } as const;
    const moved = { kind: "write", path: "/", scope: "tree", change: "delete" } as const;

    expect(verdict([copy, read], more)).toBe("deny");
    expect(verdict([moved], more)).toBe("deny");
  });

  test("leaves the names in trees that contain it to programs that list them", () => {
    const list = runOf("find / -name a", { consequences: "listed" });
    const read = { kind: "read", path: "/", scope: "tree", by: list.span } as const;
    const more = { boundary: closed, lists: { allow: ["Read", "Bash(find *)"] } };

    expect(verdict([list, read], more)).toBe("allow");
  });

  test("inside a workspace directory stays closed", () => {
    const inside = { ...closed, roots: ["/ws", "/"] };

    expect(verdict([readOf("/data/artifacts/other/a")], { boundary: inside })).toBe("deny");
    expect(verdict([readOf("/ws/a")], { boundary: inside })).toBe("allow");
  });

  test("that contains the workspace leaves it open", () => {
    const around = { ...closed, closed: ["/"] };

    expect(verdict([readOf("/ws/a")], { boundary: around })).toBe("allow");
  });
});

describe("the data of haft", () => {
  const holding = { ...boundary, ownData: ["/ws/x/data"] };
  const changes = (path: string, change: WriteEffect["change"], mode: Mode) =>
    verdict([{ kind: "write", path, scope: "tree", change }], {
      boundary: holding,
      lists: { allow: ["Edit"] },
      mode,
    });

  test.each(allModes)("is not removed with a directory above it in %s mode", (mode) => {
    expect(changes("/ws/x", "delete", mode)).toBe("deny");
    expect(changes("/ws/x/data", "delete", mode)).toBe("deny");
  });

  test("leaves other trees open", () => {
    expect(changes("/ws/y", "delete", "default")).toBe("allow");
    expect(changes("/ws/x", "modify", "default")).toBe("allow");
  });

  test("is named with the pattern that may match it, its directory, and the next step", () => {
    const part = { pattern: "**", change: "delete" } as const;
    const effect = { kind: "write", path: "/ws/x", scope: "tree", change: "any", part } as const;

    expect(decide(requestOf([effect], { boundary: holding }))).toMatchObject({
      reason:
        "The pattern ** in x may match /ws/x/data, where undo, logs and trust are stored. No mode and no rule allows that. Name a directory or a pattern that cannot match it.",
    });
  });

  test.each([
    { part: "da*", is: "deny", because: "it is the data" },
    { part: "*", is: "deny", because: "it may be the data" },
    { part: "D*A", is: "deny", because: "some file systems ignore letter case" },
    { part: "**", is: "deny", because: "it is everything below" },
    { part: "**/d*", is: "deny", because: "it may be at any depth" },
    { part: "da*/journal", is: "deny", because: "it is a part of the data" },
    { part: "**/*.tmp", is: "allow", because: "the name of the data is another" },
    { part: "x*", is: "allow", because: "the name of the data is another" },
  ] as const)("is not removed with a pattern: $part is $is, because $because", ({ part, is }) => {
    const limited = (change: WriteEffect["change"]) =>
      verdict(
        [
          {
            kind: "write",
            path: "/ws/x",
            scope: "tree",
            change: "any",
            part: { pattern: part, change },
          },
        ],
        { boundary: holding, lists: { allow: ["Edit"] }, mode: "bypassPermissions" },
      );

    expect(limited("delete")).toBe(is);
    expect(limited("modify")).toBe(part.includes("/j") ? "deny" : "allow");
  });

  test.each([
    { path: "/ws", part: "x", is: "deny" },
    { path: "/ws", part: "*/d*", is: "deny" },
    { path: "/ws", part: "**/x", is: "deny" },
    { path: "/ws", part: "y*/d*", is: "allow" },
    { path: "/ws/x/data", part: "j*", is: "deny" },
    { path: "/ws/y", part: "*", is: "allow" },
  ] as const)("is not removed with a directory of a pattern: $part in $path is $is", (row) => {
    const { path, part, is } = row;
    const effect = { kind: "write", path, scope: "tree", change: "any" } as const;

    const said = verdict([{ ...effect, part: { pattern: part, change: "delete" } }], {
      boundary: holding,
      lists: { allow: ["Edit"] },
      mode: "bypassPermissions",
    });

    expect(said).toBe(is);
  });
});

test.each([
  { part: "da*", change: "delete", is: "deny" },
  { part: "d*/journal", change: "modify", is: "deny" },
  { part: "**/a", change: "any", is: "deny" },
  { part: "da*", change: "modify", is: "allow" },
  { part: "x*/journal", change: "modify", is: "allow" },
] as const)("a pattern that may name a path in a closed directory: $change $part", (row) => {
  const { part: pattern, change, is } = row;
  const effect = { kind: "write", path: "/ws", scope: "tree", change: "any" } as const;

  const said = verdict([{ ...effect, part: { pattern, change } }], {
    boundary: { ...boundary, closed: ["/ws/data"] },
    lists: { allow: ["Edit"] },
    mode: "bypassPermissions",
  });

  expect(said).toBe(is);
});
