import { describe, expect, test } from "vitest";
import {
  allModes,
  readOf,
  requestOf,
  runOf,
  unknownOf,
  verdict,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Effect, Mode } from "../../core/index.ts";
import { decide } from "./decide.ts";

type Verdicts = readonly [Mode, "allow" | "ask" | "deny"][];

function inEveryMode(
  one: "allow" | "ask" | "deny",
  others: Partial<Record<Mode, "allow" | "ask" | "deny">> = {},
): Verdicts {
  return allModes.map((mode) => [mode, others[mode] ?? one] as const);
}

describe("what each mode says where no rule does", () => {
  const openRun = [runOf("npm test"), unknownOf("npm")];
  const table: readonly { what: string; on: readonly Effect[]; says: Verdicts }[] = [
    { what: "nothing", on: [], says: inEveryMode("allow") },
    { what: "showing something", on: [{ kind: "interact" }], says: inEveryMode("allow") },
    { what: "reading inside", on: [readOf("/ws/a")], says: inEveryMode("allow") },
    { what: "reading the workspace", on: [readOf("/ws", "tree")], says: inEveryMode("allow") },
    {
      what: "reading outside",
      on: [readOf("/etc/hosts")],
      says: inEveryMode("ask", { dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "reading in a directory next to the workspace",
      on: [readOf("/ws2/a")],
      says: inEveryMode("ask", { dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "writing inside",
      on: [writeOf("/ws/a")],
      says: inEveryMode("allow", { default: "ask", plan: "deny", dontAsk: "deny" }),
    },
    {
      what: "writing outside",
      on: [writeOf("/other/a")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "writing a protected path",
      on: [writeOf("/ws/.git/hooks/pre-commit")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "a listed command",
      on: [runOf("ls", { consequences: "listed" })],
      says: inEveryMode("allow"),
    },
    {
      what: "an open command",
      on: openRun,
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "connecting",
      on: [{ kind: "connect", host: "example.com" }],
      says: inEveryMode("ask", { dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "handing work on",
      on: [{ kind: "delegate", agent: "tester" }],
      says: inEveryMode("allow", { plan: "deny" }),
    },
    {
      what: "what is not known",
      on: [unknownOf("AnyTool")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny", bypassPermissions: "allow" }),
    },
    { what: "output to nowhere", on: [writeOf("/dev/null", "any")], says: inEveryMode("allow") },
    { what: "random numbers", on: [readOf("/dev/urandom")], says: inEveryMode("allow") },
    {
      what: "removing the whole workspace",
      on: [writeOf("/ws", "delete", "tree")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny" }),
    },
    {
      what: "removing a folder of the machine",
      on: [writeOf("/opt", "delete", "tree")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny" }),
    },
    {
      what: "one thing allowed and one not",
      on: [readOf("/ws/a"), writeOf("/ws/b")],
      says: inEveryMode("allow", { default: "ask", plan: "deny", dontAsk: "deny" }),
    },
  ];

  test.each(
    table.flatMap(({ what, on, says }) => says.map(([mode, is]) => ({ what, on, mode, is }))),
  )("$mode, $what: $is", ({ on, mode, is }) => {
    expect(verdict(on, { mode })).toBe(is);
  });

  test("the built-in layer can be removed", () => {
    expect(verdict([{ kind: "interact" }], { builtIn: [] })).toBe("ask");
    expect(verdict([{ kind: "delegate", agent: "a" }], { builtIn: [] })).toBe("ask");
    expect(verdict([writeOf("/dev/null")], { builtIn: [] })).toBe("ask");
  });

  test("the built-in layer can be made wider", () => {
    const builtIn = [{ on: "connect", says: "The network is open here." }] as const;

    expect(verdict([{ kind: "connect", host: "a.org" }], { builtIn })).toBe("allow");
  });

  test("a call that touches nothing costs no allocation", () => {
    expect(decide(requestOf([]))).toBe(decide(requestOf([])));
  });
});

describe("the order of lists", () => {
  const npm = "Bash(npm *)";
  const on = [runOf("npm test"), unknownOf("npm")];

  test.each([
    { lists: { deny: [npm], ask: [npm], allow: [npm] }, is: "deny" },
    { lists: { ask: [npm], allow: [npm] }, is: "ask" },
    { lists: { allow: [npm] }, is: "allow" },
    { lists: { deny: ["Bash(*)"], allow: ["Bash(npm test)"] }, is: "deny" },
    { lists: { ask: ["Bash"], allow: ["Bash(npm test)"] }, is: "ask" },
  ] as const)("$lists: $is", ({ lists, is }) => {
    expect(verdict(on, { lists })).toBe(is);
  });

  test.each(allModes)("in %s mode deny is final and ask is asked", (mode) => {
    expect(verdict([readOf("/ws/a")], { mode, lists: { deny: ["Read(/a)"] } })).toBe("deny");
    expect(verdict([], { mode, lists: { deny: ["AnyTool"] } })).toBe("deny");
    const asked = mode === "dontAsk" ? "deny" : "ask";
    expect(verdict([readOf("/ws/a")], { mode, lists: { ask: ["Read(/a)"] } })).toBe(asked);
    expect(verdict([], { mode, lists: { ask: ["AnyTool"] } })).toBe(asked);
  });

  test.each([undefined, null, "x", 5, [1]])("an input %j has no parameter", (input) => {
    expect(verdict([], { input, lists: { deny: ["AnyTool(x:1)"] } })).toBe("allow");
  });

  test("no allow rule opens what plan mode refuses", () => {
    const lists = { allow: ["Edit", "Bash", "mcp__a", "AnyTool", "Agent"] };

    expect(verdict([writeOf("/ws/a")], { mode: "plan", lists })).toBe("deny");
    expect(verdict([runOf("npm test")], { mode: "plan", lists })).toBe("deny");
    expect(verdict([unknownOf("AnyTool")], { mode: "plan", lists })).toBe("deny");
    expect(verdict([{ kind: "delegate", agent: "a" }], { mode: "plan", lists })).toBe("deny");
  });

  test("plan mode connects by rule", () => {
    const lists = { allow: ["WebFetch(domain:a.org)"] };

    expect(verdict([{ kind: "connect", host: "a.org" }], { mode: "plan", lists })).toBe("allow");
  });

  test("plan mode says that it is plan mode", () => {
    const decision = decide(requestOf([writeOf("/ws/a.ts")], { mode: "plan" }));

    expect(decision).toMatchObject({
      kind: "deny",
      reason: "Plan mode changes no file. It would write to a.ts.",
      rule: { scope: "mode", list: "deny" },
    });
  });

  test("an allowed command brings what it alone can know, and nothing of another", () => {
    const lists = { allow: ["Bash(npm test)"] };

    expect(verdict([runOf("npm test"), unknownOf("npm")], { lists })).toBe("allow");
    expect(verdict([runOf("npm test"), unknownOf("shell")], { lists })).toBe("ask");
    expect(verdict([runOf("npm test"), unknownOf("mcp__x")], { lists })).toBe("ask");
  });

  test("a tool's own rule brings no other server", () => {
    const tool = { name: "mcp__a__b", touches: ["unknown"] } as const;
    const of = (rule: string, origin: string): string =>
      verdict([unknownOf(origin)], { tool, lists: { allow: [rule] } });

    expect(of("mcp__a__b", "mcp__a")).toBe("allow");
    expect(of("mcp__a__b", "mcp__other")).toBe("ask");
    expect(of("mcp__a", "mcp__a__b")).toBe("ask");
  });

  test("a denied server is denied whichever tool brings it", () => {
    expect(verdict([unknownOf("mcp__a")], { lists: { deny: ["mcp__a"] } })).toBe("deny");
    expect(verdict([unknownOf("mcp__b")], { lists: { deny: ["mcp__a"] } })).toBe("ask");
    // That names the tool `b` of the server `a`.
    expect(verdict([unknownOf("mcp__a__b")], { lists: { deny: ["mcp__a__b"] } })).toBe("ask");
  });
});

describe("what a program does by itself", () => {
  const run = runOf("mkdir x");
  const own = { by: run.span };

  test.each([
    {
      rule: "Bash(mkdir *)",
      effect: { ...writeOf("/ws/x"), ...own },
      is: "allow",
      because: "inside the workspace",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...writeOf("/tmp/x"), ...own },
      is: "ask",
      because: "a star names no folder outside",
    },
    {
      rule: "Bash(mkdir x)",
      effect: { ...writeOf("/tmp/x"), ...own },
      is: "ask",
      because: "a relative name is another folder after cd",
    },
    {
      rule: "Bash(mkdir *)",
      effect: writeOf("/ws/x"),
      is: "ask",
      because: "a redirection is the shell's doing",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...writeOf("/ws/.git/hooks/x"), ...own },
      is: "ask",
      because: "protected anyway",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...writeOf("/ws/x"), by: { start: 90, end: 99 } },
      is: "ask",
      because: "another program's",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { kind: "connect", host: "a.org", ...own },
      is: "allow",
      because: "its connection",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...readOf("/ws/x"), ...own },
      is: "allow",
      because: "inside the workspace",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...readOf("/tmp/x"), ...own },
      is: "ask",
      because: "outside",
    },
  ] as const)("$rule and $effect: $is, $because", ({ rule, effect, is }) => {
    expect(verdict([run, effect], { lists: { allow: [rule] } })).toBe(is);
  });

  test.each([
    { words: "mkdir /tmp/x", path: "/tmp/x", is: "allow", because: "its words name the path" },
    { words: "mkdir /tmp", path: "/tmp/x", is: "allow", because: "or the folder it lies in" },
    { words: "cc --out=/tmp/x", path: "/tmp/x", is: "allow", because: "as the value of an option" },
    { words: "cc -o/tmp/x", path: "/tmp/x", is: "allow", because: "attached to an option" },
    { words: "dd of=/tmp/x", path: "/tmp/x", is: "allow", because: "as dd writes it" },
    { words: "mkdir ../tmp/x", path: "/tmp/x", is: "ask", because: "relative to who knows where" },
    { words: "mkdir /tmp/xy", path: "/tmp/x", is: "ask", because: "another path" },
    { words: "ls / x", path: "/tmp/x", is: "ask", because: "the root names nothing" },
  ])("outside, an exact rule for $words: $is, $because", ({ words, path, is }) => {
    const named = runOf(words);
    const effect = { ...writeOf(path), by: named.span };

    expect(verdict([named, effect], { lists: { allow: [`Bash(${words})`] } })).toBe(is);
  });

  test("where several programs may have done it, each must be named", () => {
    const one = runOf("npm ci");
    const other = { ...runOf("make x"), span: one.span };
    const effect = { ...writeOf("/ws/x"), by: one.span };

    expect(verdict([one, other, effect], { lists: { allow: ["Bash(npm ci)"] } })).toBe("ask");
    expect(
      verdict([one, other, effect], { lists: { allow: ["Bash(npm ci)", "Bash(make x)"] } }),
    ).toBe("allow");
  });

  test("a rule with a star lets find remove nothing", () => {
    const find = runOf("find build -delete", { consequences: "listed" });
    const removal = { ...writeOf("/ws/build", "delete", "tree"), by: find.span };

    expect(verdict([find, removal], { lists: { allow: ["Bash(find *)"] } })).toBe("ask");
    expect(verdict([find, removal], { lists: { allow: ["Bash(find build -delete)"] } })).toBe(
      "allow",
    );
  });

  test("git keeps its own folder where a rule names the command, and no file in it", () => {
    const commit = runOf("git commit");
    const lists = { allow: ["Bash(git commit *)"] };
    const of = (path: string, allowing = lists): string =>
      verdict([commit, { ...writeOf(path, "any", "tree"), by: commit.span }], { lists: allowing });

    expect(of("/ws/.git")).toBe("allow");
    expect(of("/ws/.git/hooks")).toBe("ask");
    expect(of("/ws/.git", { allow: ["Edit"] })).toBe("ask");
    const copy = runOf("cp a .git");
    expect(
      verdict([copy, { ...writeOf("/ws/.git", "any", "tree"), by: copy.span }], {
        lists: { allow: ["Bash(cp *)"] },
      }),
    ).toBe("ask");
  });

  test("a word not known yet may be what a rule denies, in every mode", () => {
    const lists = { deny: ["Bash(git push *)"] };

    expect(verdict([runOf("git $X")], { lists, mode: "bypassPermissions" })).toBe("ask");
    expect(verdict([runOf("$X push")], { lists, mode: "bypassPermissions" })).toBe("ask");
    expect(verdict([runOf("npm $X")], { lists, mode: "bypassPermissions" })).toBe("allow");
  });
});
