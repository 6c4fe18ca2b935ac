import { describe, expect, test } from "vitest";
import { compilePathPattern, coversPath, namedPlaces, type PathPattern } from "./path-pattern.ts";

const anchors = { base: "/base", cwd: "/cwd/sub", home: "/home/ada", roots: [], ignoreCase: false };

function pattern(spec: string, more: Partial<typeof anchors> = {}, strict = true): PathPattern {
  const compiled = compilePathPattern(spec, { ...anchors, ...more }, strict);
  if (typeof compiled === "string") throw new TypeError(compiled);
  return compiled;
}

function covers(spec: string, path: string, more: Partial<typeof anchors> = {}): boolean {
  return coversPath(pattern(spec, more), { path, isTree: false, lenient: false });
}

test.each([
  { spec: ".", covers: "/cwd/sub/a", not: "/cwd/other" },
  { spec: "..", covers: "/cwd/other", not: "/elsewhere" },
  { spec: "./", covers: "/cwd/sub/a", not: "/cwd/other" },
  { spec: "./.", covers: "/cwd/sub/a", not: "/cwd/other" },
  { spec: "./../sub/a", covers: "/cwd/sub/a", not: "/cwd/a" },
  { spec: "../a", covers: "/cwd/a", not: "/cwd/sub/a" },
  { spec: "/a", covers: "/base/a", not: "/a" },
  { spec: "//a", covers: "/a", not: "/base/a" },
  { spec: "~/a", covers: "/home/ada/a", not: "/a" },
  { spec: "~", covers: "/home/ada/a", not: "/home/other" },
  { spec: "a..b", covers: "/cwd/sub/a..b", not: "/cwd/b" },
  { spec: "a~/b", covers: "/cwd/sub/a~/b", not: "/home/ada/b" },
  { spec: "a./b", covers: "/cwd/sub/a./b", not: "/cwd/sub/b" },
])("$spec covers $covers", ({ spec, covers: path, not }) => {
  expect(covers(spec, path)).toBe(true);
  expect(covers(spec, not)).toBe(false);
});

test("../.. is the folder two above", () => {
  expect(covers("../..", "/elsewhere")).toBe(true);
});

describe("where the file system takes letter cases for one", () => {
  const ignoreCase = { ignoreCase: true };

  test.each([
    ["/Src/A", "/BASE/src/a"],
    ["/Src/*/A", "/base/SRC/x/a"],
    ["/[A-C]x", "/base/bX"],
    ["/*.PEM", "/base/a.pem"],
  ])("%s covers %s, and only there", (spec, path) => {
    expect(covers(spec, path, ignoreCase)).toBe(true);
    expect(covers(spec, path)).toBe(false);
  });

  test("elsewhere capital letters are kept, also in names before a wildcard", () => {
    expect(covers("/Src/A", "/base/Src/A")).toBe(true);
    expect(covers("/Src/*.Ts", "/base/Src/x.Ts")).toBe(true);
    expect(covers("/Src/A", "/base/src/a")).toBe(false);
  });

  test("a class keeps the letters it names", () => {
    expect(covers("/[A-C]x", "/base/Bx", ignoreCase)).toBe(true);
    expect(covers("/[A-C]x", "/base/Bx")).toBe(true);
  });

  test.each([
    ["/[A-C]x", "/base/dx"],
    ["/[!A-C]x", "/base/bx"],
    ["/?x", "/base/y"],
  ])("%s does not cover %s", (spec, path) => {
    expect(covers(spec, path, ignoreCase)).toBe(false);
  });
});

test.each([
  { spec: "//a/b", is: [{ path: "/a/b", below: undefined }] },
  { spec: "//a/**", is: [{ path: "/a", below: undefined }] },
  { spec: "//a/**/*", is: [{ path: "/a", below: undefined }] },
  { spec: "//a/*", is: [{ path: "/a", below: "*" }] },
  { spec: "//a/*/**", is: [{ path: "/a", below: "*/**/*" }] },
  { spec: "//a/**/b", is: [{ path: "/a", below: "**/b" }] },
  { spec: "//a/*.txt", is: [{ path: "/a", below: "*.txt" }] },
  { spec: "//a/[!b]c", is: [{ path: "/a", below: "[!\\b-\\b]c" }] },
])("$spec names $is", ({ spec, is }) => {
  expect(namedPlaces(pattern(spec))).toEqual(is);
});

test("a pattern of folders covers a file in doubt only where the doubt counts", () => {
  const folders = pattern("//a/d/");
  const of = (isTree: boolean, lenient: boolean) =>
    coversPath(folders, { path: "/a/d", isTree, lenient });

  expect(of(false, false)).toBe(false);
  expect(of(true, false)).toBe(true);
  expect(of(false, true)).toBe(true);
  expect(covers("//a/d/", "/a/d/x")).toBe(true);
});
