import { describe, expect, test } from "vitest";
import { gitConfigPaths } from "./git-config-paths.ts";

describe("what git's settings include", () => {
  test.each([
    ["[include]\npath = a", ["a"]],
    ["[Include]\n\tPath=a", ["a"]],
    ['[includeIf "gitdir:/X/"]\npath = a', ["a"]],
    ["[include] path = a", ["a"]],
    ["[include]\r\npath = a\r\npath = b", ["a", "b"]],
    ["[include]\npath = a\\\nb", ["ab"]],
    ['[include]\npath = "a b" ; why', ["a b"]],
    ["[include]\npath = a b # why", ["a b"]],
    ['[include]\npath = "a;b#c"', ["a;b#c"]],
    ['[include]\npath = a\\"b\\\\', ['a"b\\']],
    ["[include]\npath", []],
    ["[include]\n= a", []],
    ["path = a", []],
    ["[user]\npath = a", []],
    ["[include]\n[user]\npath = a", []],
    ["not a setting\n[include]\n\n# path = b\npath = a", ["a"]],
  ])("%j: %j", (text, included) => {
    expect(gitConfigPaths(text)).toEqual({ included, runs: [] });
  });
});

describe("what git's settings run", () => {
  test.each([
    ["[core]\nhooksPath = hooks", ["hooks"]],
    ["[core]\nhooksPath = my hooks", ["my hooks"]],
    ["[core]\nhooksPath =", []],
    ["[core]\nattributesFile = a", ["a"]],
    ["[core]\neditor = vi", []],
    ["[core]\neditor = ./vi x/y z", ["./vi", "x/y"]],
    ["[alias]\nx = !./a.sh; b/c", ["./a.sh"]],
    ['[alias]\nx = "!./a.sh; b/c"', ["./a.sh", "b/c"]],
    ["[alias]\nx = log --output=a/b", ["a/b"]],
    ['[filter "LFS"]\nclean = bin/clean', ["bin/clean"]],
    ['[credential "https://a.org"]\nhelper = ./help https://a.org/b', ["./help"]],
    ['[diff "x"]\ntextconv = ./conv', ["./conv"]],
    ["[user]\nname = a/b", []],
    ["[filter]\nclean = bin/clean", []],
  ])("%j: %j", (text, runs) => {
    expect(gitConfigPaths(text)).toEqual({ included: [], runs });
  });

  test("is told apart from what they include", () => {
    const text = "[include]\npath = a\n[core]\nhooksPath = b";

    expect(gitConfigPaths(text)).toEqual({ included: ["a"], runs: ["b"] });
  });
});
