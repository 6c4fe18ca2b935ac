import { expect, test } from "vitest";
import type { Effect, HostFs, HostStat, WriteEffect } from "../core/index.ts";
import { memoryHost } from "../host/index.ts";
import { reachesBeyond } from "./hard-links.ts";

const host = memoryHost({ files: { "/project/one": "1", "/project/linked": "2" } });
const fs: HostFs = new Proxy(host.fs, {
  get(target, key) {
    if (key !== "stat") return Reflect.get(target, key);
    return async (path: string): Promise<HostStat> => {
      const stat = await target.stat(path);
      return path === "/project/linked" ? { ...stat, names: 2 } : stat;
    };
  },
});

const write = (
  name: string,
  part: number,
  rest: Partial<Pick<WriteEffect, "scope" | "change">> = {},
): Effect => ({
  kind: "write",
  path: `/project/${name}`,
  scope: "file",
  change: "any",
  span: { start: part, end: part + 5 },
  ...rest,
});
const tree = { scope: "tree" } as const;

test.each<[string, boolean, readonly Effect[]]>([
  ["a file with one name", false, [write("one", 0)]],
  ["a file that is not there", false, [write("new", 0)]],
  ["a file with several names", true, [write("one", 0), write("linked", 6)]],
  ["one of several names that is removed", false, [write("linked", 0, { change: "delete" })]],
  ["what one part makes and another writes", true, [write("d", 0, tree), write("d", 6)]],
  ["what lies in what another part makes", true, [write("d", 0, tree), write("d/x", 6)]],
  ["what one part makes alone", false, [write("d", 0, tree), write("d", 0)]],
  ["what is made and removed", false, [write("d", 0, tree), write("d", 6, { change: "delete" })]],
  [
    "a directory that is removed and made again",
    true,
    [write("d", 0, { change: "delete" }), write("d/x", 6)],
  ],
  ["a directory and its neighbor", false, [write("d", 0, tree), write("e", 6, tree)]],
  ["a file that one part writes and another", false, [write("one", 0), write("one", 6)]],
])("%s: %s", async (_, expected, effects) => {
  expect(await reachesBeyond(effects, fs)).toBe(expected);
});
