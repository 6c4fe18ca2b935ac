import { expect, test } from "vitest";
import { compileRules } from "./compile-rules.ts";
import { coversPath, compilePathPattern, patternWithin } from "./path-pattern.ts";
import { writtenPaths } from "./written-paths.ts";

const anchors = { base: "/base", cwd: "/cwd", home: "/home/u" };

test("the paths of deny and ask rules up to their first wildcard may be links, those of allow rules not", () => {
  const source = { scope: "option" as const, ...anchors };
  const { rules } = compileRules(
    [
      { ...source, list: "deny", rules: ["Read(a/b*/c)", "Read(~/x)", "Read(*.env)", "Read"] },
      { ...source, list: "ask", rules: ["Edit(/y/z/**)", "Edit(//abs)", "Bash(ls)"] },
      { ...source, list: "allow", rules: ["Read(//allowed/**)"] },
    ],
    { roots: ["/root"] },
  );

  expect(writtenPaths(rules).toSorted()).toEqual([
    "/abs",
    "/base/y/z",
    "/cwd/a",
    "/home/u/x",
    "/root/a",
  ]);
});

const linked = (spec: string, target: string, written: string) =>
  compilePathPattern(
    spec,
    { ...anchors, roots: [], ignoreCase: false, links: new Map([[written, [target]]]) },
    false,
  );

test.each([
  ["l/**", "/real", "/real", "/**/*"],
  ["./l/*.[a-c!]?", "/real", "/real", "/*.[\\a-\\c\\!-\\!]?"],
  ["l/d/*.txt/", "/x/y*", "/x/y*", "/*.txt/"],
  ["./l", "/x/y*", "/x", "/y\\*"],
])("%s is told by where it leads: %s", (...[spec, target, root, text]) => {
  const written = spec.includes("/d/") ? "/cwd/l/d" : "/cwd/l";
  const pattern = linked(spec, target, written);
  if (typeof pattern === "string") throw new TypeError(pattern);

  expect(patternWithin(pattern, "/x")).toEqual(
    root.startsWith("/x") ? [{ root, pattern: text }] : [],
  );
  expect(patternWithin(pattern, root)).toContainEqual({ root, pattern: text });
});

test("what is matched by name below a link keeps its classes and its case", () => {
  const pattern = linked("l/[a-c]?.md", "/real", "/cwd/l");
  if (typeof pattern === "string") throw new TypeError(pattern);
  const covers = (path: string): boolean =>
    coversPath(pattern, { path, isTree: false, lenient: false });

  expect(["/real/ax.md", "/real/dx.md", "/real/a.md", "/real/d/ax.md"].map(covers)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
