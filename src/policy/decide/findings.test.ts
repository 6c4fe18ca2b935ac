import { describe, expect, test } from "vitest";
import {
  readOf,
  requestOf,
  runOf,
  source,
  unknownOf,
  verdict,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Decision, Effect } from "../../core/index.ts";
import { compileRules } from "../rules/compile-rules.ts";
import { decide } from "./decide.ts";
import type { RuleSource } from "../rules/rule.ts";

const connect: Effect = { kind: "connect", host: "a.org" };
const delegate: Effect = { kind: "delegate", agent: "tester" };

describe("a rule for another mode says nothing", () => {
  const kinds: readonly { rule: string; on: Effect }[] = [
    { rule: "AnyTool", on: readOf("/ws/a") },
    { rule: "Read(/a)", on: readOf("/ws/a") },
    { rule: "Edit(/a)", on: writeOf("/ws/a") },
    { rule: "Bash(npm *)", on: runOf("npm test") },
    { rule: "WebFetch(domain:a.org)", on: connect },
    { rule: "Agent(tester)", on: delegate },
    { rule: "mcp__a", on: unknownOf("mcp__a") },
  ];

  test.each(kinds)("$rule", ({ rule, on }) => {
    const lists = { deny: [{ rule, modes: ["plan"] }] };
    const mode = "bypassPermissions";

    expect(verdict([on], { mode, lists: { deny: [rule] } })).toBe("deny");
    expect(verdict([on], { mode, lists })).toBe("allow");
    expect(verdict([on], { mode, lists: { ask: [rule] } })).toBe("ask");
    expect(verdict([on], { mode, lists: { ask: lists.deny } })).toBe("allow");
  });
});

describe("what a call that can run arbitrary code is kept from", () => {
  const lists = {
    deny: ["Read(/k)", "Edit(/w)", { rule: "Read(/other)", modes: ["plan"] }],
    allow: ["AnyTool"],
  };

  function grantOf(effects: readonly Effect[], deny: readonly unknown[] = lists.deny) {
    const decision = decide(requestOf(effects, { lists: { ...lists, deny } }));
    if (decision.kind === "deny") throw new Error(decision.reason);
    return decision.grant;
  }

  test("is every path that is denied, as it is denied", () => {
    const grant = grantOf([readOf("/ws/a"), unknownOf("AnyTool")]);

    expect(grant.excludes("/ws/k", "read")).toBe("Read(/k)");
    expect(grant.excludes("/ws/k", "write")).toBe("Read(/k)");
    expect(grant.excludes("/ws/w", "write")).toBe("Edit(/w)");
    expect(grant.excludes("/ws/w", "read")).toBeUndefined();
    expect(grant.excludes("/ws/other", "read")).toBeUndefined();
    expect(grant.exclusions).toContainEqual({ root: "/ws", pattern: "/k", rule: "Read(/k)" });
  });

  test("is everything where a rule denies all", () => {
    const grant = grantOf([unknownOf("AnyTool")], ["Read"]);

    expect(grant.excludes("/anything", "read")).toBe("Read");
    expect(grantOf([unknownOf("AnyTool")], ["Edit(/w)"]).excludes("/ws/w", "write")).toBe(
      "Edit(/w)",
    );
  });

  test("is nothing where the call does what it lists", () => {
    expect(grantOf([readOf("/ws/a")]).excludes("/ws/k", "read")).toBeUndefined();
  });
});

describe("of several effects the heaviest names the rule of the decision", () => {
  const lists = {
    allow: ["Read(/a)", "Edit(/a)", "Bash(npm *)", "WebFetch(domain:a.org)", "Agent(tester)"],
  };
  const order: readonly [string, Effect][] = [
    ["built-in: interact", { kind: "interact" }],
    ["default: execute-listed", runOf("ls", { consequences: "listed" })],
    ["Read(/a)", readOf("/ws/a")],
    ["WebFetch(domain:a.org)", connect],
    ["Edit(/a)", writeOf("/ws/a", "modify")],
    ["Agent(tester)", delegate],
    ["Bash(npm *)", runOf("npm test")],
  ];

  test.each(order.slice(1).map((_, index) => [index + 1]))("number %i of them", (index) => {
    const effects = order.slice(0, index + 1).map(([, effect]) => effect);
    const [name] = order[index] ?? [];

    expect(decide(requestOf(effects, { lists })).rule).toMatchObject({ rule: name });
    expect(decide(requestOf(effects.toReversed(), { lists })).rule).toMatchObject({ rule: name });
  });

  test.each(["delete", "any"] as const)("and to %s weighs more than to modify", (change) => {
    const rules = { allow: ["Edit(/a)", "Edit(/b)"] };
    const effects = [writeOf("/ws/a"), writeOf("/ws/b", change)];

    expect(decide(requestOf(effects, { lists: rules })).rule).toMatchObject({ rule: "Edit(/b)" });
  });

  test("and of equals a rule of the user goes before a layer", () => {
    const effects = [readOf("/ws/b"), readOf("/ws/a")];

    expect(decide(requestOf(effects, { lists })).rule).toMatchObject({ rule: "Read(/a)" });
  });
});

describe("the steps of a decision", () => {
  test("name the effect and the rule of each", () => {
    const effects = [readOf("/ws/a"), writeOf("/ws/b")];
    const { trail } = decide(requestOf(effects, { lists: { allow: ["Read(/a)"] } }));

    expect(trail).toEqual([
      {
        verdict: "allow",
        text: "Read(/a) (user) allows it.",
        effect: effects[0],
        rule: { rule: "Read(/a)", list: "allow", scope: "user" },
      },
      {
        verdict: "ask",
        text: "Changing files in the workspace needs approval in default mode.",
        effect: effects[1],
      },
    ]);
  });

  test("note what is left out of a tree", () => {
    const rule = { rule: "Read(/k)", list: "deny", scope: "user" };
    const { trail } = decide(requestOf([readOf("/ws", "tree")], { lists: { deny: ["Read(/k)"] } }));

    expect(trail).toContainEqual({
      verdict: "note",
      text: "What Read(/k) (user) names is left out.",
      rule,
    });
  });

  test("end with the refusal of a rule, and what it refused", () => {
    const effect = readOf("/ws/k");
    const rule = { rule: "Read(/k)", list: "deny", scope: "user" };
    const reason = "Read(/k) (user) does not let this call read k.";

    expect(decide(requestOf([effect], { lists: { deny: ["Read(/k)"] } }))).toEqual({
      kind: "deny",
      rule,
      reason,
      trail: [{ verdict: "deny", text: reason, effect, rule }],
    });
    const all = "AnyTool (user) does not let AnyTool be used.";
    expect(decide(requestOf([effect], { lists: { deny: ["AnyTool"] } })).trail).toEqual([
      { verdict: "deny", text: all, rule: { rule: "AnyTool", list: "deny", scope: "user" } },
    ]);
  });

  test("end with the mode where it refuses what would be asked", () => {
    const effect = writeOf("/ws/a");
    const rule = { rule: "dontAsk", list: "deny", scope: "mode" };
    const asks = "Changing files in the workspace needs approval in dontAsk mode.";
    const reason = `${asks} dontAsk mode refuses instead of asking.`;

    expect(decide(requestOf([effect], { mode: "dontAsk" }))).toEqual({
      kind: "deny",
      rule,
      reason,
      trail: [
        { verdict: "ask", text: asks, effect },
        { verdict: "deny", text: reason, rule },
      ],
    });
  });

  test("say where a word is not known before the command runs", () => {
    const effect = runOf("rm $x");
    const decision = decide(
      requestOf([effect], { lists: { deny: ["Bash(rm -r *)"], allow: ["Bash(rm *)"] } }),
    );
    const rule = { rule: "Bash(rm -r *)", list: "deny", scope: "user" };
    const text =
      "A word of the command is not known before it runs, so Bash(rm -r *) (user) may deny it.";

    expect(decision).toMatchObject({ kind: "ask", rule });
    expect(decision.trail[0]).toEqual({ verdict: "ask", text, effect, rule });
    expect(decision).not.toHaveProperty("suggestion");
  });

  test("say which rule withholds parts of what a program reads", () => {
    const run = runOf("grep -r x", { consequences: "listed" });
    const effect = { ...readOf("/ws", "tree"), by: run.span };
    const decision = decide(requestOf([run, effect], { lists: { deny: ["Read(/k)"] } }));
    const rule = { rule: "Read(/k)", list: "deny", scope: "user" };
    const text =
      "Read(/k) (user) withholds parts of what a program would read here, and a program cannot be made to skip them.";

    expect(decision).toMatchObject({ kind: "ask", rule, reason: text });
    expect(decision.trail).toContainEqual({ verdict: "ask", text, effect, rule });
    expect(decision).not.toHaveProperty("suggestion");
  });
});

function askedBy(rule: unknown): Decision {
  return decide(requestOf([readOf("/ws/a")], { lists: { ask: [rule] } }));
}

function ofScope(scope: RuleSource["scope"], path: string): RuleSource {
  return source("ask", [`Read(/${path})`], { scope });
}

describe("the words of a question", () => {
  test("are an ask rule's own, quoted, where it has some", () => {
    expect(askedBy("Read(/a)")).toMatchObject({ reason: "Read(/a) (user) asks about this." });
    expect(askedBy({ rule: "Read(/a)", denyMessage: 'Mind "it"' })).toMatchObject({
      reason: String.raw`Read(/a) (user) asks about this: "Mind \"it\"".`,
    });
    expect(askedBy("Read(/a[)")).toMatchObject({
      reason:
        "Read(/a[) (user) cannot be read; until it is corrected, everything it may have meant is asked about.",
    });
    expect(askedBy("Read(/a)")).not.toHaveProperty("suggestion");
  });

  test("are three at most, those of the workspace last", () => {
    const { rules } = compileRules([
      ofScope("project", "a"),
      ofScope("local", "b"),
      ofScope("user", "c"),
      ofScope("user", "d"),
    ]);
    const effects = ["a", "b", "c", "d"].map((name) => readOf(`/ws/${name}`));

    expect(decide(requestOf(effects, { rules }))).toMatchObject({
      reason:
        "Read(/c) (user) asks about this. Read(/d) (user) asks about this. Read(/a) (project) asks about this.",
    });
    expect(decide(requestOf(effects.slice(0, 3), { rules }))).toMatchObject({
      reason:
        "Read(/c) (user) asks about this. Read(/a) (project) asks about this. Read(/b) (local) asks about this.",
    });
  });

  test("name a program once, with what it may do besides", () => {
    const effects = [runOf("npm test"), unknownOf("npm")];

    expect(decide(requestOf(effects))).toMatchObject({ question: "Run `npm test`?" });
    expect(decide(requestOf([...effects, unknownOf("make")]))).toMatchObject({
      question: "Run `npm test` and let make cause unknown effects (make can run arbitrary code)?",
    });
    expect(decide(requestOf([unknownOf("npm")]))).toMatchObject({
      question: "Let npm cause unknown effects (npm can run arbitrary code)?",
      reason: "npm can run arbitrary code. Its effects are unknown, so the user decides.",
    });
  });

  test("begin with a capital, except for the name of a program", () => {
    const effect = { ...unknownOf("AnyTool"), because: "it can run arbitrary code of npm" };

    expect(decide(requestOf([effect]))).toMatchObject({
      reason: "It can run arbitrary code of npm. Its effects are unknown, so the user decides.",
    });
  });

  test("say that data could be carried out, of what could carry it only", () => {
    const taint = { untrustedSeen: true, privateRead: true };
    const leak =
      "This session has read private files and content from outside, so anything that could carry data out needs your approval or your own rule that names it.";
    const rule = { rule: "taint", list: "ask", scope: "taint" };

    for (const effect of [connect, runOf("npm test"), unknownOf("npm")]) {
      expect(decide(requestOf([effect], { taint }))).toMatchObject({ reason: leak, rule });
    }
    const inside = decide(requestOf([writeOf("/ws/a")], { taint }));
    expect(inside).toMatchObject({
      reason: "Changing files in the workspace needs approval in default mode.",
    });
    expect(inside).not.toHaveProperty("rule");
    expect(decide(requestOf([connect]))).not.toHaveProperty("rule");
  });

  test("offer a rule only where it would answer all of them", () => {
    const lists = { ask: ["Read(/a)"] };

    expect(decide(requestOf([writeOf("/ws/b")], { lists }))).toHaveProperty("suggestion");
    expect(decide(requestOf([writeOf("/ws/b"), readOf("/ws/a")], { lists }))).not.toHaveProperty(
      "suggestion",
    );
  });
});
