import { describe, expect, test } from "vitest";
import { isEffect } from "./is-effect.ts";

const span = { start: 0, end: 2 };
const complete = {
  read: { kind: "read", path: "/a", scope: "file" },
  write: { kind: "write", path: "/a", scope: "tree", change: "any" },
  execute: { kind: "execute", argv: ["ls"], assigns: [], via: [], consequences: "open", span },
  connect: { kind: "connect", host: "a.org" },
  delegate: { kind: "delegate", agent: "tester" },
  interact: { kind: "interact" },
  unknown: { kind: "unknown", because: "It can run arbitrary code.", origin: "a" },
};

describe("an effect", () => {
  test.each(Object.entries(complete))("%s is one when all of it is there", (_, effect) => {
    expect(isEffect(effect)).toBe(true);
  });

  const parts = Object.values(complete).flatMap((effect) =>
    Object.keys(effect).map((key) => ({ effect, key })),
  );

  test.each(parts)("$effect without $key is not an effect", ({ effect, key }) => {
    const entries = Object.entries(effect).filter(([name]) => name !== key);

    expect(isEffect(Object.fromEntries(entries))).toBe(false);
  });

  test.each(parts)("$effect with another kind of $key is not an effect", ({ effect, key }) => {
    expect(isEffect({ ...effect, [key]: 7 })).toBe(false);
    expect(isEffect({ ...effect, [key]: null })).toBe(false);
    expect(isEffect({ ...effect, [key]: "nothing that is known" })).toBe(
      ["path", "host", "agent", "because", "origin"].includes(key),
    );
  });

  test.each([
    { ...complete.read, scope: "tree" },
    { ...complete.execute, consequences: "listed" },
    { ...complete.write, scope: "file", change: "create" },
    { ...complete.write, change: "modify" },
    { ...complete.write, change: "delete" },
    { ...complete.write, part: { pattern: "a*", change: "delete" } },
  ])("%j is one as well", (effect) => {
    expect(isEffect(effect)).toBe(true);
  });

  test.each([undefined, null, 7, "read", {}, [], () => "read"])("%j is not an effect", (value) => {
    expect(isEffect(value)).toBe(false);
  });

  test.each([
    null,
    "a*",
    7,
    {},
    { pattern: "a*" },
    { change: "delete" },
    { pattern: 7, change: "any" },
  ])("a write with the part %j is not an effect", (part) => {
    expect(isEffect({ ...complete.write, part })).toBe(false);
  });
});

test.each([
  [undefined, true],
  ["named", true],
  ["unknown", true],
  ["other", false],
])("a program with hosts %s is an effect: %s", (hosts, is) => {
  const run = { kind: "execute", argv: ["x"], assigns: [], via: [], consequences: "open", span };

  expect(isEffect(hosts === undefined ? run : { ...run, hosts })).toBe(is);
});
