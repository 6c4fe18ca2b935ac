import { describe, expect, test } from "vitest";
import { spelledPaths } from "./spelled-paths.ts";

describe("paths that a word spells", () => {
  test.each([
    ["/other", ["/other"]],
    ["../x", ["../x"]],
    ["a/../../x", ["a/../../x"]],
    ["-I/x", ["/x"]],
    ["-kC../x", ["../x"]],
    ["-Ia/../../x", ["/../../x"]],
    ["--out=/x", ["/x"]],
    ["-Dkey=/x", ["/x"]],
    ["@/x", ["/x"]],
    ["a:/b:/c", ["/b", "/c"]],
    ["a;/b,/c", ["/b", "/c"]],
    ["{/a,b}/x", ["/a", "/a,b}/x"]],
    ["file:///x", ["///x"]],
    ["git+file:///x", ["///x"]],
    ["file:%2e%2e/x", ["../x"]],
    ["unix:///run/x", ["///run/x"]],
    ["https://x:/other", ["/other"]],
    ["http://h/a,/b", ["/b"]],
    ["a://b/../../../x", ["a://b/../../../x"]],
    ["--node-options=--require /x", ["/x"]],
    ["-I a -I/x", ["/x"]],
    ["require('/x y')", ["/x", "/x y"]],
    ['{"dir":"/x"}', ["/x"]],
    ["~/x", ["~/x"]],
    ["--dir=~ada/x", ["~ada/x"]],
    ["/w/my dir/x", ["/w/my", "/w/my dir/x"]],
    ["/w/dir@2/x", ["/w/dir", "/w/dir@2/x"]],
    ["--base=/", ["/"]],
  ])("%s: %j", (word, paths) => {
    expect(spelledPaths(word)).toEqual(paths);
  });

  test.each([
    "src/a.ts",
    "./...",
    "HEAD~1..main",
    "@~1",
    "react@~18.2",
    "x~=1.0",
    "1 / 2",
    "'a/b'.split('/')",
    "a.match( /^x/ )",
    "app/(group)/[slug]/x",
    "src/{a,b}/x",
    "https://h/x?a=/b",
    "postgres://u:p@localhost:5432/db",
    "s3://b/x",
    "c++/x",
  ])("none in %s", (word) => {
    expect(spelledPaths(word)).toEqual([]);
  });

  test("an option of a compiler has one letter", () => {
    expect(spelledPaths("-Iinclude/x", { clusters: false })).toEqual([]);
    expect(spelledPaths("-Iinclude/x")).toEqual(["/x"]);
    expect(spelledPaths("-isystem/x", { clusters: false })).toEqual(["/x"]);
  });

  test("an operand has no paths behind blanks and quotes", () => {
    expect(spelledPaths("see '/x' /y", { inText: false })).toEqual([]);
    expect(spelledPaths("/x y", { inText: false })).toContain("/x y");
  });

  test("too many are not told apart, and cost little", () => {
    const start = performance.now();
    const words = ["=..", "a:", "=-a..", "http://a@", "a "].map((part) => part.repeat(15_000));

    expect(spelledPaths("a=/b,".repeat(100))).toEqual(["/b"]);
    expect(spelledPaths(Array.from({ length: 100 }, (_, index) => `/${index}`).join(":"))).toBe(
      undefined,
    );
    for (const word of words) spelledPaths(`${word}/x`);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
