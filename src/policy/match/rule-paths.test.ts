import { describe, expect, test } from "vitest";
import { boundary, rulesOf, type RuleLists } from "../../../test/policy/policy-world.ts";
import type { Mode } from "../../core/index.ts";
import { compileRules } from "../rules/compile-rules.ts";
import { coversPath, compilePathPattern, patternWithin } from "./path-pattern.ts";
import {
  askedWrite,
  deniedPlaces,
  deniedWrite,
  openedPlaces,
  opensProtected,
  placesOpenedByAny,
  refusesQuestions,
  writtenPaths,
} from "./rule-paths.ts";

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
])("%s applies where it leads: %s", (...[spec, target, root, text]) => {
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

const by = (
  lists: RuleLists,
  more: Partial<Parameters<typeof deniedWrite>[0]> = {},
): Parameters<typeof deniedWrite>[0] => ({
  rules: rulesOf(lists).rules,
  mode: "default",
  trusted: true,
  ...more,
});
const policy = (lists: RuleLists, mode: Mode) => ({
  rules: rulesOf(lists).rules,
  mode,
  trusted: true,
  boundary,
});

describe("what a program has written, once it is known", () => {
  test.each<[readonly unknown[], string, boolean, string]>([
    [["Edit(./kept/**)"], "/ws/kept/a", true, "it lies in the folder"],
    [["Edit(./kept/**)"], "/ws/keptalive", false, "it is another name"],
    [["Edit(./kept/)"], "/ws/kept", true, "whether it is a folder is a doubt"],
    [["Edit"], "/ws/a", true, "every path is meant"],
    [["Read(./kept/**)"], "/ws/other", false, "it is another path"],
    [[{ rule: "Edit(./a)", modes: ["plan"] }], "/ws/a", false, "it holds in another mode"],
    [[{ rule: "Edit(./a)", modes: ["default"] }], "/ws/a", true, "it holds in this mode"],
    [[{ rule: "Edit(./a)", subagent: "*" }], "/ws/a", false, "it holds for sub-agents"],
  ])("%j and %s: %s, because %s", (deny, path, isDenied) => {
    expect(deniedWrite(by({ deny }), path)).toBe(isDenied);
  });

  test.each<[readonly unknown[], string, boolean, string]>([
    [["Edit(./kept/**)"], "/ws/kept/a", true, "it lies in the folder"],
    [["Edit(./kept/**)"], "/ws/other", false, "it is another path"],
    [["Edit"], "/ws/a", false, "a rule without a path speaks of calls"],
    [[{ rule: "Edit(./a)", modes: ["plan"] }], "/ws/a", false, "it holds in another mode"],
  ])("%j asks about %s: %s, because %s", (ask, path, isAsked) => {
    expect(askedWrite(by({ ask }), path)).toBe(isAsked);
    const above = policy({ ask }, "default");
    const ceilings = [{ kind: "policy", name: "p", policy: above }] as const;
    expect(askedWrite(by({}, { ceilings }), path)).toBe(isAsked);
    expect(deniedWrite(by({ ask }), path)).toBe(false);
  });

  test("a rule for a sub-agent holds for its call, an expired one for none", () => {
    const deny = [{ rule: "Edit(./a)", subagent: "helper" }];
    expect(deniedWrite(by({ deny }, { agent: "helper" }), "/ws/a")).toBe(true);
    const old = [{ rule: "Edit(./a)", expires: "2020-01-01T00:00:00Z" }];
    expect(deniedWrite(by({ deny: old }, { now: Date.UTC(2026, 0) }), "/ws/a")).toBe(false);
  });

  test("what is denied above is denied below", () => {
    const above = policy({ deny: ["Edit(./a)"] }, "default");
    const ceilings = [{ kind: "policy", name: "p", policy: above }] as const;
    expect(deniedWrite(by({}, { ceilings }), "/ws/a")).toBe(true);
    expect(deniedWrite(by({}, { ceilings }), "/ws/b")).toBe(false);
  });

  test.each<[Mode, Mode, readonly boolean[]]>([
    ["bypassPermissions", "bypassPermissions", [true, false]],
    ["bypassPermissions", "default", [false, false]],
    ["default", "bypassPermissions", [false, false]],
    ["default", "dontAsk", [false, true]],
    ["dontAsk", "bypassPermissions", [false, true]],
  ])("%s below %s opens protected paths, refuses questions: %j", (mode, above, expected) => {
    const ceiling = { kind: "policy", name: "p", policy: policy({}, above) } as const;
    const below = by({}, { mode, ceilings: [ceiling] });
    expect([opensProtected(below), refusesQuestions(below)]).toEqual(expected);
  });
});

const opened = (caller: Parameters<typeof openedPlaces>[0]): readonly string[] =>
  openedPlaces(caller).write.map(({ path }) => path);

describe("what an allow rule opens to programs", () => {
  const now = Date.UTC(2026, 0);
  const rule = "Edit(//srv/out/**)";
  const ofProject = rulesOf({ allow: [rule] }, { scope: "project" }).rules;

  test.each<[unknown, Partial<Parameters<typeof openedPlaces>[0]>, boolean, string]>([
    [rule, {}, true, "it holds for all"],
    [{ rule, modes: ["default"] }, {}, true, "it holds in this mode"],
    [{ rule, modes: ["acceptEdits"] }, {}, false, "it holds in another mode"],
    [{ rule, subagent: "builder" }, {}, false, "it is for a sub-agent"],
    [{ rule, subagent: "builder" }, { agent: "builder" }, true, "it is for this sub-agent"],
    [{ rule, expires: "2025-01-01T00:00:00Z" }, { now }, false, "it is over"],
    [{ rule, expires: "2027-01-01T00:00:00Z" }, { now }, true, "it is not over yet"],
  ])("%j with %j: %s, because %s", (given, caller, isOpen) => {
    expect(opened(by({ allow: [given] }, caller))).toEqual(isOpen ? ["/srv/out"] : []);
  });

  test("is nothing where a workspace says it that nobody trusts", () => {
    const caller = by({}, { rules: ofProject });
    expect(opened({ ...caller, trusted: false })).toEqual([]);
    expect(opened(caller)).toEqual(["/srv/out"]);
    expect(placesOpenedByAny({ rules: ofProject, trusted: false })).toEqual([]);
    expect(placesOpenedByAny({ rules: ofProject, trusted: true })).toHaveLength(1);
  });

  test.each<[readonly unknown[], boolean, string]>([
    [[rule], true, "it says the same"],
    [["Edit(//srv/**)"], true, "it says more"],
    [["Edit"], true, "it says all"],
    [["Edit(//srv/out/part/**)"], false, "it says less"],
    [["Read(//srv/**)", "Bash(*)"], false, "it speaks of something else"],
    [[{ rule, modes: ["plan"] }], false, "it holds in another mode"],
  ])("is what %j above allows as well: %s, because %s", (allow, isOpen) => {
    const { rules } = rulesOf({ allow });
    for (const ceiling of [
      { kind: "policy", name: "p", policy: policy({ allow }, "default") } as const,
      { kind: "only", name: "o", rules } as const,
    ]) {
      const caller = by({ allow: [rule] }, { ceilings: [ceiling] });
      expect(opened(caller)).toEqual(isOpen ? ["/srv/out"] : []);
    }
  });

  test.each<[readonly unknown[], boolean, string]>([
    [["Edit(//srv/**)"], false, "all of it is asked about"],
    [["Edit(//srv/out/part/**)"], false, "some of it is asked about"],
    [[{ rule, modes: ["plan"] }], true, "it is asked about in another mode"],
    [["Edit(//srv/other/**)", "Read(//srv/**)", "Edit"], true, "no rule asks about writing there"],
  ])("with %j to ask: %s, because %s", (ask, isOpen) => {
    const places = isOpen ? ["/srv/out"] : [];

    expect(opened(by({ allow: [rule], ask }))).toEqual(places);
    const above = policy({ allow: [rule], ask }, "default");
    const ceilings = [{ kind: "policy", name: "p", policy: above }] as const;
    expect(opened(by({ allow: [rule] }, { ceilings }))).toEqual(places);
  });

  test.each<[roots: readonly string[], ask: string, isOpen: boolean, because: string]>([
    [["/srv/out/ws"], "Edit(//srv/out/ws/part/**)", true, "what is asked about is the workspace's"],
    [["/srv/out/ws"], "Edit(//srv/out/other/**)", false, "it is not"],
    [["/srv/out/ws"], "Edit(//srv/out/**)", false, "the rest is asked about as well"],
    [["/srv"], "Edit(//srv/out/part/**)", false, "the place is the workspace's itself"],
  ])("with the workspace %j and %j to ask: %s, because %s", (roots, ask, isOpen) => {
    const caller = by({ allow: [rule], ask: [ask] }, { boundary: { ...boundary, roots } });
    expect(opened(caller)).toEqual(isOpen ? ["/srv/out"] : []);
  });

  test("is not where a rule asks about it by a link in the workspace", () => {
    const { rules } = rulesOf(
      { allow: [rule], ask: ["Edit(./out/**)"] },
      { links: new Map([["/ws/out", ["/srv/out"]]]) },
    );
    expect(opened(by({}, { rules, boundary }))).toEqual([]);
  });

  test.each([
    { restrictToWorkspace: true, roots: ["/ws"], places: [] },
    { restrictToWorkspace: true, roots: ["/ws", "/srv"], places: ["/srv/out"] },
    { restrictToWorkspace: false, roots: ["/ws"], places: ["/srv/out"] },
  ])("within $roots, kept inside $restrictToWorkspace: $places", ({ places, ...given }) => {
    expect(opened(by({ allow: [rule] }, { boundary: { ...boundary, ...given } }))).toEqual(places);
  });

  test("what a rule above denies is named as denied, whatever its conditions", () => {
    const deny = ["Edit(./a)", { rule: "Read(./b)", subagent: "other" }];
    const ceilings = [{ kind: "policy", name: "p", policy: policy({ deny }, "default") }] as const;
    const { write, read } = deniedPlaces(by({ deny: ["Edit(./c)"] }, { ceilings }));
    expect(write.map(({ path }) => path)).toEqual(["/ws/c", "/ws/a", "/ws/b"]);
    expect(read.map(({ path }) => path)).toEqual(["/ws/b"]);
  });
});
