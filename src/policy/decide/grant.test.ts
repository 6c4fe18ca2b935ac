import { describe, expect, test } from "vitest";
import { boundary, readOf, requestOf, writeOf } from "../../../test/policy/policy-world.ts";
import { isWithin } from "../../text/index.ts";
import { type Effect, type Grant } from "../../core/index.ts";
import type { Boundary } from "./boundary.ts";
import { decide } from "./decide.ts";
import { intersectGrants, makeGrant } from "./grant.ts";

function without(path: string): Grant {
  return {
    effects: [],
    exclusions: [{ root: "/ws", pattern: path, rule: `Read(${path})` }],
    excludes: (at) => (at === path ? `Read(${path})` : undefined),
  };
}

test("a child's grant excludes what either grant excludes", () => {
  const both = intersectGrants(without("/ws/child"), without("/ws/parent"));

  expect(both.excludes("/ws/child", "read")).toBe("Read(/ws/child)");
  expect(both.excludes("/ws/parent", "read")).toBe("Read(/ws/parent)");
  expect(both.excludes("/ws/open", "read")).toBeUndefined();
  expect(both.exclusions.map(({ pattern }) => pattern)).toEqual(["/ws/child", "/ws/parent"]);
});

test("a grant of both keeps the child's effects, and what only one withholds, listed or not", () => {
  const effects = [readOf("/ws/child")];
  const unlisted: Grant = { ...without("/ws/other"), exclusions: [] };
  const child = { ...without("/ws/child"), effects };

  for (const both of [
    intersectGrants(child, unlisted),
    intersectGrants({ ...unlisted, effects }, without("/ws/child")),
  ]) {
    expect(both.effects).toBe(effects);
    expect(both.excludes("/ws/child", "read")).toBe("Read(/ws/child)");
    expect(both.excludes("/ws/other", "read")).toBe("Read(/ws/other)");
  }
});

describe("a grant keeps out", () => {
  /** One secret, at /ws/keys. */
  const around: Boundary = {
    ...boundary,
    secrets: {
      at: (path) => (isWithin("/ws/keys", path) ? "/ws/keys" : undefined),
      below: (tree) =>
        isWithin(tree, "/ws/keys") ? [`/ws/keys`.slice(tree === "/" ? 0 : tree.length)] : [],
    },
  };
  const key = "Read(//ws/keys)";
  const readTree = readOf("/ws", "tree");
  const writtenTree = writeOf("/ws", "any", "tree");

  function grantOf(effects: readonly Effect[], opensProtected = false): Grant {
    return makeGrant({ effects, withheld: [], boundary: around, opensProtected });
  }

  test.each([
    { on: [readTree], read: key, write: undefined, because: "the tree is read" },
    { on: [readOf("/ws")], read: undefined, write: undefined, because: "no tree is" },
    { on: [writtenTree], read: undefined, write: undefined, because: "it is written only" },
    {
      on: [readTree, readOf("/ws/keys/a")],
      read: undefined,
      write: undefined,
      because: "the secret was allowed by its own name",
    },
    {
      on: [readTree, writeOf("/ws/keys/a")],
      read: key,
      write: undefined,
      because: "permission to write one does not allow reading it",
    },
    {
      on: [readTree, readOf("/ws/a")],
      read: key,
      write: undefined,
      because: "another file was allowed",
    },
  ])("a secret in a tree, $read for $on: $because", ({ on, read, write }) => {
    const grant = grantOf(on);

    expect(grant.effects).toBe(on);
    expect(grant.excludes("/ws/keys/a", "read")).toBe(read);
    expect(grant.excludes("/ws/keys/a", "write")).toBe(write);
    expect(grant.excludes("/ws/a", "read")).toBeUndefined();
    expect(grant.exclusions.filter(({ rule }) => rule === key)).toEqual(
      on[0] === readTree ? [{ root: "/ws", pattern: "/keys", rule: key }] : [],
    );
  });

  test("a secret of the whole machine, by its own path", () => {
    expect(grantOf([readOf("/", "tree")]).exclusions).toEqual([
      { root: "/", pattern: "/ws/keys", rule: key },
    ]);
  });

  test("no secret that settings let every session read", () => {
    const open = { ...around, readOnlyRoots: ["/ws/keys"] };
    const grant = makeGrant({
      effects: [readTree],
      withheld: [],
      boundary: open,
      opensProtected: false,
    });

    expect(grant.excludes("/ws/keys/a", "read")).toBeUndefined();
  });

  test("what is protected, from those who write a tree", () => {
    const grant = grantOf([writtenTree, readTree]);

    expect(grant.excludes("/ws/.git/hooks/x", "write")).toMatch(/^Edit\(/u);
    expect(grant.excludes("/ws/.git/hooks/x", "read")).toBeUndefined();
    expect(grantOf([readTree]).excludes("/ws/.git/hooks/x", "write")).toBeUndefined();
  });

  test("what is protected where no secret is and no rule holds", () => {
    const grant = makeGrant({
      effects: [writtenTree],
      withheld: [],
      boundary,
      opensProtected: false,
    });

    expect(grant.excludes("/ws/.git/hooks/x", "write")).toMatch(/^Edit\(/u);
  });

  test("nothing where the mode opens what is protected", () => {
    const grant = grantOf([writtenTree, readTree], true);

    expect(grant.exclusions).toEqual([]);
    expect(grant.excludes("/ws/keys/a", "read")).toBeUndefined();
    expect(grant.excludes("/ws/.git/hooks/x", "write")).toBeUndefined();
  });

  test("what a rule denies, for what the rule denies it", () => {
    const decision = decide(requestOf([readTree, writtenTree], { lists: { deny: ["Edit(/k)"] } }));
    if (decision.kind === "deny") throw new Error(decision.reason);

    expect(decision.grant.excludes("/ws/k", "write")).toBe("Edit(/k)");
    expect(decision.grant.excludes("/ws/k", "read")).toBeUndefined();
    expect(decision.grant.excludes("/ws/k/below", "write")).toBe("Edit(/k)");
    expect(decision.grant.excludes("/ws/other", "write")).toBeUndefined();
  });
});
