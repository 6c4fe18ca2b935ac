import { createRequire } from "node:module";
import * as fc from "fast-check";
import type { Ignore, Options } from "ignore";
import { describe, expect, test } from "vitest";
import { compileGlob, escapeGlob, matchEnd, mayMatchBelow, type GlobSegment } from "./glob.ts";
import { runs } from "../../../test/support/law-runs.ts";

// The package is CommonJS and its default export is the function itself.
const ignore: (options: Options) => Ignore = createRequire(import.meta.url)("ignore");

/** The same question asked of another reader of the grammar. */
function referee(pattern: string, path: string): boolean {
  return ignore({ ignorecase: false, allowRelativePaths: true }).add(pattern).ignores(path);
}

function segmentsOf(pattern: string): readonly GlobSegment[] {
  const glob = compileGlob(pattern);
  if (typeof glob === "string") throw new TypeError(`${pattern}: ${glob}`);
  const floats = !glob.anchored && glob.segments[0]?.kind !== "deep";
  return floats ? [{ kind: "deep" }, ...glob.segments] : glob.segments;
}

/** Whether a file at `path` is what the pattern names, or lies in it. */
function names(pattern: string, path: string): boolean {
  const glob = compileGlob(pattern);
  if (typeof glob === "string") throw new TypeError(`${pattern}: ${glob}`);
  const end = matchEnd(segmentsOf(pattern), path, 0);
  return end >= 0 && !(glob.directoryOnly && end === path.length);
}

const cases = [
  { pattern: "a", path: "a", is: true, because: "a name names itself" },
  { pattern: "a", path: "b/a", is: true, because: "a bare name holds at any depth" },
  { pattern: "a", path: "a/b/c", is: true, because: "a folder covers what is in it" },
  { pattern: "a", path: "ab", is: false, because: "components are compared whole" },
  { pattern: "/a", path: "b/a", is: false, because: "a leading slash fixes the start" },
  { pattern: "a/b", path: "c/a/b", is: false, because: "an inner slash fixes the start" },
  { pattern: "**/a/b", path: "c/d/a/b", is: true, because: "leading stars take any folders" },
  { pattern: "**/a/b", path: "a/b", is: true, because: "leading stars take no folder too" },
  { pattern: "a/**", path: "a", is: false, because: "what is inside is not the folder itself" },
  { pattern: "a/**", path: "a/b/c", is: true, because: "trailing stars take everything inside" },
  { pattern: "a/**/b", path: "a/b", is: true, because: "inner stars take no folder too" },
  { pattern: "a/**/b", path: "a/x/y/b", is: true, because: "inner stars take any folders" },
  { pattern: "a/*/b", path: "a/x/y/b", is: false, because: "one star stays in its component" },
  { pattern: "*.ts", path: "src/a.ts", is: true, because: "a star takes a run of characters" },
  { pattern: "*.ts", path: "src/a.tsx", is: false, because: "the end counts" },
  { pattern: ".env*", path: ".env.local", is: true, because: "dots are nothing special" },
  { pattern: "*", path: ".hidden", is: true, because: "a star takes a leading dot" },
  { pattern: "a?c", path: "abc", is: true, because: "a question mark takes one character" },
  { pattern: "a?c", path: "ac", is: false, because: "a question mark takes no fewer" },
  { pattern: "[a-c]x", path: "bx", is: true, because: "a range takes what lies in it" },
  { pattern: "[!a-c]x", path: "bx", is: false, because: "a negated range takes the rest" },
  { pattern: "[!a]x", path: "!x", is: true, because: "the sign itself is not a member" },
  { pattern: "[^a-c]x", path: "dx", is: true, because: "a caret negates too" },
  { pattern: "[]a]x", path: "]x", is: true, because: "a bracket that comes first is a member" },
  { pattern: "[[:digit:]]x", path: "7x", is: true, because: "classes have names" },
  { pattern: "[a-]x", path: "-x", is: true, because: "a dash at the end is a member" },
  { pattern: "build/", path: "build/x", is: true, because: "a folder's content is in it" },
  { pattern: "build/", path: "build", is: false, because: "a trailing slash means a folder" },
  { pattern: String.raw`\*`, path: "*", is: true, because: "a backslash takes the meaning away" },
  { pattern: String.raw`\*`, path: "a", is: false, because: "and leaves only the character" },
  { pattern: String.raw`a\ `, path: "a ", is: true, because: "an escaped space at the end counts" },
  { pattern: "a ", path: "a", is: true, because: "a bare space at the end does not" },
  { pattern: "a**b", path: "axyb", is: true, because: "two stars in a name are one" },
] as const;

describe("the gitignore grammar", () => {
  test.each(cases)("$pattern names $path: $is, $because", ({ pattern, path, is }) => {
    expect(names(pattern, path)).toBe(is);
  });

  // The referee reads escaped trailing spaces and a bracket member that comes first in its own way.
  const agreed = cases.filter(({ pattern }) => !pattern.endsWith(" ") && !pattern.includes("[["));
  test.each(agreed.filter(({ pattern }) => !pattern.startsWith("[]")))(
    "another implementation agrees about $pattern and $path",
    ({ pattern, path, is }) => {
      expect(referee(pattern, path)).toBe(is);
    },
  );

  const component = fc.stringMatching(/^[ab.]{1,3}$/u).filter((name) => !/^\.+$/u.test(name));
  const paths = fc.array(component, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));
  const piece = fc.oneof(
    component,
    fc.constantFrom("**", "*", "a*", "*b", "?", "a?", "[ab]", "[!a]b", "a*b"),
  );
  const patterns = fc
    .tuple(
      fc.constantFrom("", "/", "**/"),
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "/", "/**"),
    )
    .map(([start, pieces, end]) => `${start}${pieces.join("/")}${end}`);

  test("is read as another implementation reads it", () => {
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        expect(names(pattern, path)).toBe(referee(pattern, path));
      }),
      { numRuns: runs(3000) },
    );
  });

  test("an escaped name names itself and nothing else", () => {
    const name = fc
      .stringMatching(/^[ab*?[\]\\!#. -]{1,6}$/u)
      .filter((text) => !text.endsWith(" "));
    fc.assert(
      fc.property(name, name, (left, right) => {
        fc.pre(left !== "." && left !== "..");
        expect(names(`/${escapeGlob(left)}`, left)).toBe(true);
        expect(names(`/${escapeGlob(left)}`, right)).toBe(left === right);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("whatever a pattern names below a folder, it may name below that folder", () => {
    fc.assert(
      fc.property(patterns, paths, component, (pattern, folder, name) => {
        const segments = segmentsOf(pattern);
        const isBelow = matchEnd(segments, `${folder}/${name}`, 0) > folder.length;
        expect(isBelow && !mayMatchBelow(segments, folder, 0)).toBe(false);
      }),
      { numRuns: runs(2000) },
    );
  });

  test.each([
    { pattern: "/secrets/**", folder: "secrets", may: true },
    { pattern: "/secrets/**", folder: "src", may: false },
    { pattern: "/a/*/c", folder: "a/b", may: true },
    { pattern: "/a/*/c", folder: "a/b/d", may: false },
    { pattern: "**/.env", folder: "any/where", may: true },
    { pattern: "/a", folder: "b", may: false },
  ])("$pattern may name something below $folder: $may", ({ pattern, folder, may }) => {
    expect(mayMatchBelow(segmentsOf(pattern), folder, 0)).toBe(may);
  });

  test.each([
    ["", "The pattern is empty."],
    ["!a", "A pattern cannot take something back with `!`."],
    ["a/../b", "`..` may only be at the start of a pattern."],
    ["a[b", "`[` is not closed; write `\\[` for the character itself."],
    ["a\\", "A backslash at the end escapes nothing."],
    ["[[:nonsense:]]", "`[` is not closed; write `\\[` for the character itself."],
  ])("%j is not a pattern", (pattern, because) => {
    expect(compileGlob(pattern)).toBe(because);
  });

  test("a hostile pattern costs no more than its length times the path's", () => {
    const pattern = `/${"*a".repeat(200)}b`;
    const path = "a".repeat(4000);

    expect(names(pattern, path)).toBe(false);
  });
});
