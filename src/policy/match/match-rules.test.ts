import { describe, expect, test } from "vitest";
import {
  anyTool,
  boundary,
  readOf,
  requestOf,
  runOf,
  verdict,
  writeOf,
  type RuleLists,
} from "../../../test/policy/policy-world.ts";
import { decide, denialCode } from "../decide/decide.ts";

describe("an allow rule for a link", () => {
  const requested = new Map([["/other/a", ["/ws/link/a", "/else/a"]]]);

  test.each([
    { rules: ["Read(//other/**)", "Read(/link/**)"], is: "ask", because: "no one rule names both" },
    { rules: ["Read(//other/**)"], is: "ask", because: "the path that was asked for is not named" },
    { rules: ["Read(//**)"], is: "allow", because: "it names both" },
  ])("$rules: $is, because $because", ({ rules, is }) => {
    expect(verdict([readOf("/other/a")], { requested, lists: { allow: rules } })).toBe(is);
  });

  test("names a tree by all of it, under each of its names", () => {
    const links = new Map([["/other", ["/ws/link"]]]);
    const of = (rule: string) =>
      verdict([readOf("/other", "tree")], { requested: links, lists: { allow: [rule] } });

    expect(of("Read(//**)")).toBe("allow");
    expect(of("Read(//{other,ws/link})")).toBe("ask");
  });

  test("needs no more than the name of a folder where the path itself ends in a slash", () => {
    const more = { requested: new Map([["/other/d", ["/ws/d"]]]) };

    expect(verdict([readOf("/other/d")], { ...more, lists: { allow: ["Read(//other/d/)"] } })).toBe(
      "ask",
    );
  });
});

describe("a rule about a skill", () => {
  const skill = { tool: { ...anyTool, name: "Skill" } };

  test.each([
    { input: { skill: "deploy" }, is: "deny", because: "the name is named" },
    { input: { name: "deploy" }, is: "deny", because: "under another key" },
    { input: { command: "deploy" }, is: "deny", because: "under a third" },
    { input: { skill: "deploy", args: "prod" }, is: "deny", because: "whatever is passed" },
    { input: { skill: "build" }, is: "allow", because: "it is another" },
    { input: {}, is: "allow", because: "none is named" },
    { input: null, is: "allow", because: "nothing is" },
  ])("$input, to deny it by its name: $is, because $because", ({ input, is }) => {
    expect(verdict([], { ...skill, input, lists: { deny: ["Skill(deploy)"] } })).toBe(is);
  });

  test.each([
    { input: { skill: "deploy" }, is: "deny", because: "it is the name alone" },
    { input: { skill: "deploy", args: "" }, is: "deny", because: "nothing is passed" },
    { input: { skill: "deploy", args: "prod" }, is: "deny", because: "that is passed" },
    { input: { skill: "deploy", arguments: "prod" }, is: "deny", because: "under another key" },
    { input: { skill: "deploys" }, is: "allow", because: "it is another" },
  ])("$input, to deny it with a star behind it: $is, because $because", ({ input, is }) => {
    expect(verdict([], { ...skill, input, lists: { deny: ["Skill(deploy *)"] } })).toBe(is);
  });

  test("to allow it with what is passed needs a rule that names that", () => {
    const effects = [readOf("/etc/hosts")];
    const of = (input: unknown, rule: string) =>
      verdict(effects, { ...skill, input, lists: { allow: [rule] } });

    expect(of({ skill: "deploy" }, "Skill(deploy)")).toBe("allow");
    expect(of({ skill: "deploy", args: "prod" }, "Skill(deploy)")).toBe("ask");
    expect(of({ skill: "deploy", args: "prod" }, "Skill(deploy prod)")).toBe("allow");
    expect(of({ skill: "deploy", args: "" }, "Skill(deploy)")).toBe("allow");
    expect(of({}, "Skill(*)")).toBe("ask");
  });
});

function excepting(except: readonly string[]): RuleLists {
  return {
    ask: [{ rule: "Bash(rm *)", except }],
    allow: ["Bash(rm *)", "Read", "Edit"],
  };
}

describe("an exception of an ask rule", () => {
  test.each([
    { except: ["Bash(rm a)"], on: "rm a", is: "allow", because: "it names the command" },
    { except: ["Bash(rm a)"], on: "rm b", is: "ask", because: "it names another" },
    { except: ["Read(/a)", "Edit"], on: "rm a", is: "ask", because: "it is about no command" },
    { except: ["Bash(rm a && rm b)"], on: "rm a", is: "ask", because: "it cannot be read" },
  ])("$except and $on: $is, because $because", ({ except, on, is }) => {
    expect(verdict([runOf(on)], { lists: excepting(except) })).toBe(is);
  });

  test("is none of a deny rule", () => {
    const deny = [{ rule: "Bash(rm *)", except: ["Bash(rm a)"] }];

    expect(verdict([runOf("rm a")], { lists: { deny, allow: ["Bash(rm *)"] } })).toBe("deny");
  });
});

describe("conditions that could not all be read", () => {
  const wrong = { zzz: 1 };

  test.each([
    { modes: ["plan"], ...wrong },
    { subagent: "tester", ...wrong },
    { expires: "2020-01-01", ...wrong },
    { except: ["Bash(rm a)"], ...wrong },
    { except: [1, "Bash(rm a)"] },
    { modes: [1, "plan"] },
    { subagent: 5, modes: ["plan"] },
  ])("%j do not narrow an ask rule", (conditions) => {
    const lists = { ask: [{ rule: "Bash(rm *)", ...conditions }], allow: ["Bash(rm *)"] };

    expect(verdict([runOf("rm a")], { lists, now: Date.UTC(2026, 0) })).toBe("ask");
  });
});

describe("removing much at once", () => {
  test("is asked about in every mode, by a rule of its own that none answers", () => {
    const effect = writeOf("/ws", "delete", "tree");
    const decision = decide(requestOf([effect], { mode: "bypassPermissions" }));
    const rule = { rule: "built-in: critical paths", list: "ask", scope: "built-in" };
    const text = "Removing this much always needs approval.";

    expect(decision).toMatchObject({ kind: "ask", rule, reason: text });
    expect(decision.trail).toContainEqual({ verdict: "ask", text, effect, rule });
    expect(decision).not.toHaveProperty("suggestion");
    expect(verdict([effect], { lists: { allow: ["Edit", "AnyTool"] } })).toBe("ask");
  });
});

describe("what a tool always asks about", () => {
  const effect = {
    kind: "unknown",
    origin: "AnyTool",
    because: "it pays",
    alwaysAsks: true,
  } as const;

  test("is asked about whatever rules say, except in the mode that opens all", () => {
    const lists = { allow: ["AnyTool"] };
    const decision = decide(requestOf([effect], { lists }));
    const text = "It pays. No rule can allow that.";

    expect(decision).toMatchObject({ kind: "ask", reason: text });
    expect(decision.trail).toContainEqual({ verdict: "ask", text, effect });
    expect(decision).not.toHaveProperty("suggestion");
    expect(decision).not.toHaveProperty("rule");
    expect(verdict([effect], { lists, mode: "bypassPermissions" })).toBe("allow");
    expect(verdict([{ ...effect, alwaysAsks: false }], { lists })).toBe("allow");
  });

  test("comes without a suggested rule, which would not answer it", () => {
    expect(decide(requestOf([effect]))).not.toHaveProperty("suggestion");
    expect(decide(requestOf([{ ...effect, alwaysAsks: false }]))).toHaveProperty("suggestion");
  });
});

test("a refusal is one of the boundary only by the rule of the boundary", () => {
  const outside = { rule: "restrictToWorkspace", list: "deny", scope: "boundary" } as const;
  const refusal = { kind: "deny", reason: "", trail: [] } as const;
  const walled = { boundary: { ...boundary, restrictToWorkspace: true } };
  const decision = decide(requestOf([readOf("/etc/hosts")], walled));

  expect(decision).toMatchObject({ kind: "deny", rule: outside });
  expect(denialCode({ ...refusal, rule: outside })).toBe("OUTSIDE_WORKSPACE");
  expect(denialCode({ ...refusal, rule: { ...outside, scope: "user" } })).toBe("PERMISSION_DENIED");
  expect(denialCode({ ...refusal, rule: { ...outside, rule: "x" } })).toBe("PERMISSION_DENIED");
});

test("a rule for a tool does not apply to another", () => {
  const effects = [readOf("/ws/a")];

  for (const list of ["deny", "ask"] as const) {
    expect(verdict(effects, { lists: { [list]: ["Other"] } })).toBe("allow");
    expect(verdict(effects, { lists: { [list]: ["AnyTool"] } })).toBe(list);
  }
  expect(verdict([readOf("/etc/a")], { lists: { allow: ["Other"] } })).toBe("ask");
});

test.each([
  { text: "LC_ALL=C npm test", is: "allow", because: "it is about words and numbers" },
  { text: "TERM=dumb npm test", is: "allow", because: "it is about a terminal" },
  { text: "XLC_ALL=C npm test", is: "ask", because: "that is another variable" },
  { text: "NODE_OPTIONS=x npm test", is: "ask", because: "it runs something else" },
])("$text, with a rule for the command alone: $is, because $because", ({ text, is }) => {
  expect(verdict([runOf(text)], { lists: { allow: ["Bash(npm test)"] } })).toBe(is);
});
