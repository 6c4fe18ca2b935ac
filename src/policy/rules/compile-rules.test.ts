import { describe, expect, test } from "vitest";
import {
  home,
  readOf,
  requestOf,
  rulesOf,
  runOf,
  source,
  unknownOf,
  verdict,
  workspace,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Effect } from "../../core/index.ts";
import { compileRules } from "./compile-rules.ts";
import { decide } from "../decide/decide.ts";
import type { RuleList } from "./rule.ts";

function problemsOf(list: RuleList, rule: unknown, options = {}): readonly string[] {
  return rulesOf({ [list]: [rule] }, options).problems.map(
    ({ severity, message, hint }) =>
      `${severity}: ${message}${hint === undefined ? "" : ` ${hint}`}`,
  );
}

describe("a rule that cannot be read", () => {
  test.each([
    ["Read(./a", "The parenthesis is not closed. It grants nothing."],
    ["Read()", "The parentheses are empty. It grants nothing."],
    ["", "A rule is a tool name, or a tool name and a pattern in parentheses. It grants nothing."],
    ["Read(a[b)", "`[` is not closed; write `\\[` for the character itself. It grants nothing."],
    ["Read(!a)", "A pattern cannot take something back with `!`. It grants nothing."],
    ["Raed(./a)", "No tool is called Raed. It grants nothing. Did you mean Read(./a)?"],
    [
      "Bash(a && b)",
      "A rule is compared with one command at a time, so a list, pipe or redirection never matches. It grants nothing. Write one rule for each command; what a redirection writes is a matter of Edit rules.",
    ],
    [
      "WebFetch(https://example.com/x)",
      "WebFetch takes a domain. It grants nothing. Write WebFetch(domain:example.com).",
    ],
    [
      "WebFetch(domain:a b)",
      "A domain is a host name such as `example.com` or `*.example.com`. It grants nothing. Write WebFetch(domain:example.com).",
    ],
    [
      "WebFetch(domain:a..b)",
      "A domain has no empty part between its dots. It grants nothing. Write WebFetch(domain:example.com).",
    ],
    ["WebSearch(cats)", "WebSearch takes no pattern. It grants nothing. Write WebSearch."],
    [
      "Bash(timeout:5)",
      "A parameter is compared in deny and ask lists only. It grants nothing. Deny the values that must not be, and allow Bash.",
    ],
    [
      "Grepper(limit:5)",
      "A parameter is compared in deny and ask lists only. It grants nothing. Deny the values that must not be, and allow Grepper.",
    ],
    [
      "Bash(command:rm)",
      "`command` has a form of its own and is not compared as a parameter. It grants nothing. Write Bash(the command).",
    ],
    [
      "mcp__*",
      "An allow rule may use `*` in a tool name only after a server: `mcp__server__*`. It grants nothing. Name the tools, one rule each.",
    ],
  ])("%j in an allow list grants nothing", (rule, problem) => {
    const { rules } = rulesOf({ allow: [rule] });

    expect(problemsOf("allow", rule)).toEqual([`error: ${problem}`]);
    expect(rules.rules).toEqual([]);
  });

  test.each<{ rule: unknown; on: Effect; is: "ask" | "deny"; because: string }>([
    { rule: "Read(./a", on: readOf("/ws/x"), is: "ask", because: "all reads may be meant" },
    { rule: "Read(a[b)", on: readOf("/ws/x"), is: "ask", because: "all reads may be meant" },
    { rule: "Edit(a[b)", on: writeOf("/ws/x"), is: "ask", because: "all writes may be meant" },
    { rule: "Raed(./a)", on: readOf("/ws/a"), is: "deny", because: "the nearest name is taken" },
    { rule: "Raed", on: readOf("/ws/a"), is: "deny", because: "the nearest name is taken" },
    { rule: "Bsah(rm *)", on: runOf("rm x"), is: "deny", because: "the nearest name is taken" },
    { rule: 5, on: readOf("/ws/a"), is: "ask", because: "anything may be meant" },
    { rule: { deny: "Read" }, on: readOf("/ws/a"), is: "ask", because: "anything may be meant" },
    { rule: "(x)", on: readOf("/ws/a"), is: "ask", because: "anything may be meant" },
    {
      rule: "WebFetch(domain:a b)",
      on: { kind: "connect", host: "x.org" },
      is: "ask",
      because: "all connections may be meant",
    },
    {
      rule: "WebFetch(evil.net)",
      on: { kind: "connect", host: "evil.net" },
      is: "ask",
      because: "the host is meant",
    },
    { rule: "Bash(curl * | sh)", on: runOf("sh"), is: "ask", because: "each part may be meant" },
    { rule: "Bash(command:rm *)", on: runOf("rm x"), is: "ask", because: "the command is meant" },
    { rule: "Read(file_path:./a)", on: readOf("/ws/a"), is: "ask", because: "the path is meant" },
  ])("deny $rule holds in the widest way: $because", ({ rule, on, is }) => {
    const { rules, problems } = rulesOf({ deny: [rule] });

    const decision = decide(requestOf([on], { rules, mode: "bypassPermissions" }));

    expect(problems.some(({ severity }) => severity === "error")).toBe(true);
    expect(problems[0]?.hint).toContain("Until it is corrected, it ");
    expect(decision.kind).toBe(is);
  });

  test("never takes another rule with it", () => {
    const { rules, problems } = rulesOf({ allow: ["Read(", "Edit(/src/**)"], deny: ["Read(./k)"] });

    expect(problems).toHaveLength(1);
    expect(verdict([writeOf("/ws/src/a")], { rules })).toBe("allow");
    expect(verdict([readOf("/ws/k")], { rules })).toBe("deny");
  });

  test("says where it stands", () => {
    const { problems } = compileRules([
      source("deny", ["Read", "Read("], {
        file: "/ws/.haft/settings.json",
        lines: [3, 4],
        scope: "project",
      }),
    ]);

    expect(problems).toEqual([
      {
        severity: "error",
        rule: "Read(",
        list: "deny",
        scope: "project",
        file: "/ws/.haft/settings.json",
        line: 4,
        message: "The parenthesis is not closed.",
        hint: "Until it is corrected, it asks about every use of Read.",
      },
    ]);
  });

  test("of a tool that is not there is a warning where the tools are known", () => {
    expect(problemsOf("deny", "Frobnicate")).toEqual([]);
    expect(problemsOf("deny", "Frobnicate", { known: ["Deploy"] })).toEqual([
      "warning: No tool is called Frobnicate. The rule waits for a tool of that name.",
    ]);
    expect(problemsOf("deny", "Deploi", { known: ["Deploy"] })).toEqual([
      "error: No tool is called Deploi. Until it is corrected, it holds as Deploy. Did you mean Deploy?",
    ]);
  });

  test.each(["Write(/src/**)", "Glob(/src/**)", "Grep(/src/**)", "NotebookEdit(/src/**)"])(
    "%s holds and is warned about",
    (rule) => {
      expect(problemsOf("deny", rule)).toEqual([
        expect.stringMatching(/^warning: \w+\(…\) is read as (?:Read|Edit)\(…\), for every tool/u),
      ]);
    },
  );

  test("aliases may be added", () => {
    const { rules, problems } = rulesOf({ deny: ["Peek(/a)"] }, { aliases: { Peek: "Read" } });

    expect(problems).toEqual([]);
    expect(verdict([readOf("/ws/a")], { rules })).toBe("deny");
  });

  test("is reported once, whatever else is wrong with it", () => {
    expect(problemsOf("allow", { rule: "Edit(", match: ["x"] })).toHaveLength(1);
  });

  test("several rules of one approval stand one a line", () => {
    const { rules } = rulesOf({ allow: ["Bash(npm ci)\nBash(npm test)"] });

    expect(rules.rules.map(({ ref }) => ref.rule)).toEqual(["Bash(npm ci)", "Bash(npm test)"]);
  });
});

describe("conditions of a rule", () => {
  const npm = [runOf("npm test"), unknownOf("npm")];

  test.each([
    { more: {}, request: {}, is: "allow", because: "there is no condition" },
    { more: { modes: ["plan"] }, request: {}, is: "ask", because: "another mode" },
    { more: { modes: ["default"] }, request: {}, is: "allow", because: "this mode" },
    { more: { subagent: "tester" }, request: {}, is: "ask", because: "no sub-agent calls" },
    {
      more: { subagent: "tester" },
      request: { agent: "tester" },
      is: "allow",
      because: "it calls",
    },
    {
      more: { subagent: "tester" },
      request: { agent: "other" },
      is: "ask",
      because: "another calls",
    },
    { more: { subagent: "*" }, request: { agent: "other" }, is: "allow", because: "any will do" },
    {
      more: { expires: "2026-01-01" },
      request: { now: Date.UTC(2025, 0) },
      is: "allow",
      because: "before",
    },
    {
      more: { expires: "2026-01-01" },
      request: { now: Date.UTC(2026, 0) },
      is: "ask",
      because: "that moment",
    },
    { more: { expires: "2026-01-01" }, request: {}, is: "ask", because: "no clock is given" },
  ])("allow with $more: $is, $because", ({ more, request, is }) => {
    const lists = { allow: [{ rule: "Bash(npm test)", ...more }] };

    expect(verdict(npm, { lists, ...request })).toBe(is);
  });

  test("a deny rule with a date holds where no clock is given, and ends on it", () => {
    const lists = { deny: [{ rule: "Read(./a)", expires: "2026-01-01" }] };

    expect(verdict([readOf("/ws/a")], { lists })).toBe("deny");
    expect(verdict([readOf("/ws/a")], { lists, now: Date.UTC(2026, 1) })).toBe("allow");
  });

  test("a rule's own message is what the model reads", () => {
    const lists = {
      deny: [{ rule: "Bash(git push *)", denyMessage: "Open a pull request instead." }],
    };

    const decision = decide(requestOf([runOf("git push x")], { lists }));

    expect(decision).toMatchObject({ kind: "deny", reason: "Open a pull request instead." });
  });

  test.each([
    [{ expire: "2026-01-01" }, 'A rule has no key "expire". Did you mean "expires"?'],
    [
      { expires: "tomorrow" },
      "`expires` is not a date. Write it as 2026-01-31 or 2026-01-31T12:00:00Z.",
    ],
    [{ expires: 5 }, "`expires` must be a text."],
    [
      { modes: ["fast"] },
      "`modes` contains an unknown mode. The modes are default, acceptEdits, plan, dontAsk, bypassPermissions.",
    ],
    [{ modes: "plan" }, "`modes` must be a list of texts."],
    [{ subagent: true }, "`subagent` must be a text."],
    [{ zzz: 1 }, 'A rule has no key "zzz".'],
  ])("%j is a mistake: an allow rule grants nothing, a deny rule holds always", (more, problem) => {
    expect(problemsOf("allow", { rule: "Bash(npm test)", ...more })).toEqual([`error: ${problem}`]);
    expect(verdict(npm, { lists: { allow: [{ rule: "Bash(npm test)", ...more }] } })).toBe("ask");
    expect(verdict(npm, { lists: { deny: [{ rule: "Bash(npm test)", ...more }] } })).toBe("deny");
  });

  test("an ask rule leaves alone what it excepts", () => {
    const lists = {
      ask: [
        { rule: "Bash(rm *)", except: ["Bash(rm -r dist)", "Bash(", "Bash(rm -r src && rm x)"] },
      ],
      allow: ["Bash(rm *)"],
    };

    expect(verdict([runOf("rm -r dist")], { lists })).toBe("allow");
    expect(verdict([runOf("rm -r src")], { lists })).toBe("ask");
  });
});

function effectsOf(): readonly Effect[] {
  return [runOf("npm a"), runOf("npm b")];
}

describe("examples of a rule", () => {
  test.each([
    { rule: "Bash(npm run *)", match: ["npm run x"], notMatch: ["npm install", "npm runner"] },
    { rule: "Edit(/src/**)", match: ["src/a.ts", "/ws/src/a/b"], notMatch: ["lib/a.ts"] },
    { rule: "Read(~/notes/)", match: ["~/notes/a"], notMatch: ["notes/a"] },
    {
      rule: "WebFetch(domain:*.a.org)",
      match: ["x.a.org", "https://x.a.org/y"],
      notMatch: ["a.org"],
    },
    { rule: "Agent(review*)", match: ["reviewer"], notMatch: ["tester"] },
    { rule: "Skill(deploy *)", match: ["deploy prod"], notMatch: ["deployer"] },
    { rule: "mcp__github__*", match: ["mcp__github__x"], notMatch: ["mcp__gitlab__x"] },
  ])("$rule keeps its word", (spec) => {
    expect(problemsOf("allow", spec)).toEqual([]);
  });

  test("a name with a slash at the end is a folder, in doubt to a deny rule only", () => {
    expect(problemsOf("deny", { rule: "Read(secrets/)", match: ["secrets"] })).toEqual([]);
    expect(problemsOf("allow", { rule: "Edit(/out/)", notMatch: ["out"] })).toEqual([]);
  });

  test.each([
    [
      { rule: "Bash(npm run *)", match: ["npm install"] },
      'It does not match its own example "npm install".',
    ],
    [{ rule: "Bash(npm*)", notMatch: ["npmx"] }, 'It matches "npmx", which it should not.'],
    [
      { rule: "Bash(npm *)", match: ["npm a && rm b"] },
      'It does not match its own example "npm a && rm b".',
    ],
  ])("%j breaks its word: an allow rule grants nothing", (spec, problem) => {
    expect(problemsOf("allow", spec)).toEqual([
      `error: ${problem} Change the rule or the example.`,
    ]);
    expect(rulesOf({ allow: [spec] }).rules.rules).toEqual([]);
    expect(rulesOf({ deny: [spec] }).rules.rules).toHaveLength(1);
  });

  test("are analyzed as shell commands where an analysis is available", () => {
    const spec = { rule: "Bash(npm *)", match: ["npm a && npm b"] };

    expect(problemsOf("allow", spec, { effectsOf })).toEqual([]);
  });
});

describe("where a rule comes from", () => {
  test.each(["project", "local"] as const)("%s rules widen only a trusted workspace", (scope) => {
    const { rules } = rulesOf({ allow: ["Edit(/src/**)"], deny: ["Read(./k)"] }, { scope });

    expect(verdict([writeOf("/ws/src/a")], { rules, trusted: true })).toBe("allow");
    expect(verdict([writeOf("/ws/src/a")], { rules, trusted: false })).toBe("ask");
    expect(verdict([readOf("/ws/k")], { rules, trusted: false })).toBe("deny");
  });

  test.each(["user", "session", "option", "managed"] as const)(
    "%s rules need no trust",
    (scope) => {
      const { rules } = rulesOf({ allow: ["Edit(/src/**)"] }, { scope });

      expect(verdict([writeOf("/ws/src/a")], { rules, trusted: false })).toBe("allow");
    },
  );

  test("a slash starts at the directory of the settings file", () => {
    const { rules } = compileRules([source("allow", ["Edit(/a)"], { base: `${home}/.haft` })]);

    expect(verdict([writeOf(`${home}/.haft/a`)], { rules })).toBe("ask");
    expect(verdict([writeOf("/ws/a")], { rules })).toBe("ask");
    const other = compileRules([source("allow", ["Edit(/a)"], { base: "/srv" })]);
    expect(verdict([writeOf("/srv/a")], { rules: other.rules })).toBe("allow");
  });

  test("deny patterns without an anchor hold in every workspace folder", () => {
    const boundary = { roots: [workspace, "/lib"], restrictToWorkspace: false, home };
    const { rules } = rulesOf({ deny: ["Read(.env)"] }, { roots: boundary.roots });

    expect(verdict([readOf("/lib/a/.env")], { rules, boundary })).toBe("deny");
    expect(verdict([readOf("/lib/a/env")], { rules, boundary })).toBe("allow");
  });

  test("a directory above the workspace does not match a bare name", () => {
    const { rules } = compileRules([
      source("deny", ["Read(build)"], { cwd: "/home/ada/build/x", base: "/home/ada/build/x" }),
    ]);
    const boundary = { roots: ["/home/ada/build/x"], restrictToWorkspace: false };

    expect(verdict([readOf("/home/ada/build/x/a")], { rules, boundary })).toBe("allow");
    expect(verdict([readOf("/home/ada/build/x/build/a")], { rules, boundary })).toBe("deny");
  });

  test("letter case counts unless the file system says otherwise", () => {
    const strict = rulesOf({ deny: ["Read(/Secrets/*.KEY)"] });
    const loose = rulesOf({ deny: ["Read(/Secrets/*.KEY)"] }, { ignoreCase: true });

    expect(verdict([readOf("/ws/secrets/a.key")], { rules: strict.rules })).toBe("allow");
    expect(verdict([readOf("/ws/SECRETS/A.key")], { rules: loose.rules })).toBe("deny");
  });
});
