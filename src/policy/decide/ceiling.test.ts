import { describe, expect, test } from "vitest";
import {
  boundary,
  readOf,
  requestOf,
  rulesOf,
  runOf,
  unknownOf,
  verdict,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import type { Effect } from "../../core/index.ts";
import { ceilingsBelow } from "./ceiling.ts";
import { decide } from "./decide.ts";
import type { Ceiling, Policy } from "./request.ts";

function policyOf(more: Partial<Policy> = {}): Policy {
  return { rules: rulesOf({}).rules, mode: "default", boundary, trusted: true, ...more };
}

describe("the strictest of both decisions holds", () => {
  const effects = [writeOf("/ws/a")];
  const modeOf = { allow: "acceptEdits", ask: "default", deny: "plan" } as const;

  test.each([
    ["allow", "allow", "allow"],
    ["allow", "ask", "ask"],
    ["allow", "deny", "deny"],
    ["ask", "allow", "ask"],
    ["ask", "ask", "ask"],
    ["ask", "deny", "deny"],
    ["deny", "allow", "deny"],
    ["deny", "ask", "deny"],
    ["deny", "deny", "deny"],
  ] as const)("own %s and above %s is %s", (own, above, is) => {
    const ceilings = ceilingsBelow(policyOf({ mode: modeOf[above] }), "main");

    expect(verdict(effects, { mode: modeOf[own], ceilings })).toBe(is);
  });

  test("of every agent above, not only of the nearest", () => {
    const first = { ...policyOf({ mode: "plan" }), ceilings: undefined };
    const second = {
      ...policyOf({ mode: "acceptEdits" }),
      ceilings: ceilingsBelow(first, "first"),
    };
    const ceilings = ceilingsBelow(second, "second");

    expect(ceilings.map(({ kind, name }) => [kind, name])).toEqual([
      ["policy", "first"],
      ["policy", "second"],
    ]);
    expect(verdict(effects, { mode: "acceptEdits", ceilings })).toBe("deny");
  });
});

describe("a question where both would be asked", () => {
  const above = ceilingsBelow(policyOf({ rules: rulesOf({ ask: ["Edit"] }).rules }), "main");

  test("is the child's own, with what is withheld from either and every step of both", () => {
    const effects = [readOf("/ws", "tree"), writeOf("/ws/a")];
    const parent = policyOf({ rules: rulesOf({ deny: ["Read(/b)"], ask: ["Edit"] }).rules });
    const lists = { deny: ["Read(/c)"] };
    const decision = decide(requestOf(effects, { lists, ceilings: ceilingsBelow(parent, "main") }));
    const alone = decide(requestOf(effects, { lists }));
    const byParent = decide(requestOf(effects, { ...parent }));

    expect(decision).toMatchObject({
      kind: "ask",
      question: "Write to a?",
      reason: "Changing files in the workspace needs approval in default mode.",
    });
    expect(decision.trail).toEqual([...alone.trail, ...byParent.trail]);
    if (decision.kind === "deny") return;
    expect(decision.grant.effects).toBe(effects);
    expect(decision.grant.excludes("/ws/b", "read")).toBe("Read(/b)");
    expect(decision.grant.excludes("/ws/c", "read")).toBe("Read(/c)");
  });

  test("offers the rule that both would offer, and asks as the child is asked", () => {
    const effects = [writeOf("/ws/a")];
    const elsewhere = policyOf({ boundary: { ...boundary, roots: ["/ws/sub", "/ws"] } });
    const same = decide(requestOf(effects, { ceilings: ceilingsBelow(policyOf(), "main") }));
    const other = decide(requestOf(effects, { ceilings: ceilingsBelow(elsewhere, "main") }));

    expect(same).toHaveProperty("suggestion", "Edit(/a)");
    expect(other).toMatchObject({ kind: "ask", question: "Write to a?" });
  });

  test("offers no rule that would leave the parent's question open", () => {
    expect(decide(requestOf([writeOf("/ws/a")]))).toHaveProperty("suggestion", "Edit(/a)");
    expect(decide(requestOf([writeOf("/ws/a")], { ceilings: above }))).not.toHaveProperty(
      "suggestion",
    );
  });
});

describe("a refusal from above", () => {
  test("ends with a finding that says who refuses, after the steps of both", () => {
    const effects = [readOf("/ws/k")];
    const parent = policyOf({ rules: rulesOf({ deny: ["Read(/k)"] }).rules });
    const alone = decide(requestOf(effects));
    const decision = decide(requestOf(effects, { ceilings: ceilingsBelow(parent, "main") }));
    const rule = { rule: "Read(/k)", list: "deny", scope: "ceiling" };
    const reason =
      "main, which started this agent, may not do this either. Read(/k) (user) does not let this call read k.";

    expect(decision).toEqual({
      kind: "deny",
      rule,
      reason,
      trail: [
        ...alone.trail,
        ...decide(requestOf(effects, { ...parent })).trail,
        { verdict: "deny", text: reason, rule },
      ],
    });
  });
});

describe("the policy of a parent", () => {
  test("is the one it has when it is asked", () => {
    const parent = { ...policyOf(), mode: "acceptEdits" as Policy["mode"] };
    const ceilings = ceilingsBelow(parent, "main");
    const more = { ceilings, mode: "acceptEdits" } as const;

    expect(verdict([writeOf("/ws/a")], more)).toBe("allow");
    parent.mode = "plan";
    expect(verdict([writeOf("/ws/a")], more)).toBe("deny");
  });

  test("widens nothing by rules of a workspace that is not trusted", () => {
    const rules = rulesOf({ allow: ["Edit"] }, { scope: "project" }).rules;
    const lists = { allow: ["Edit"] };
    const below = (trusted: boolean): readonly Ceiling[] =>
      ceilingsBelow(policyOf({ rules, trusted }), "main");

    expect(verdict([writeOf("/ws/a")], { lists, ceilings: below(true) })).toBe("allow");
    expect(verdict([writeOf("/ws/a")], { lists, ceilings: below(false) })).toBe("ask");
  });

  test("has the usual built-in layer unless it names another, whatever its child has", () => {
    const lists = { allow: ["AnyTool"] };
    const effects: readonly Effect[] = [{ kind: "interact" }];
    const usual = ceilingsBelow(policyOf(), "main");
    const none = ceilingsBelow(policyOf({ builtIn: [] }), "main");

    expect(verdict(effects, { lists, builtIn: [], ceilings: usual })).toBe("allow");
    expect(verdict(effects, { lists, ceilings: none })).toBe("ask");
  });
});

function only(rules: readonly string[], scope: "option" | "project" = "option") {
  const ceiling: Ceiling = {
    kind: "only",
    name: "reviewer",
    rules: rulesOf({ allow: rules }, { scope }).rules,
  };
  return { ceilings: [ceiling], mode: "bypassPermissions" } as const;
}

describe("a list of what an agent was given", () => {
  test.each([
    { on: [{ kind: "interact" }], is: "allow", because: "showing something needs no rule" },
    {
      on: [runOf("ls", { consequences: "listed" })],
      is: "allow",
      because: "what a listed command does is listed with it",
    },
    {
      on: [runOf("npm test")],
      is: "deny",
      because: "a program that can run arbitrary code is not given",
    },
    { on: [readOf("/ws/a")], is: "deny", because: "no layer adds to the list" },
    { on: [writeOf("/ws/out/a")], is: "allow", because: "a rule names it" },
    { on: [writeOf("/ws/out/a"), readOf("/ws/a")], is: "deny", because: "each effect needs one" },
    { on: [unknownOf("AnyTool")], is: "deny", because: "no rule names it" },
  ] as const)("says $is to $on: $because", ({ on, is }) => {
    expect(verdict(on, only(["Edit(/out/**)"]))).toBe(is);
  });

  test("is not what the workspace brings, so trust does not matter", () => {
    expect(verdict([readOf("/ws/a")], { ...only(["Read"], "project"), trusted: false })).toBe(
      "allow",
    );
  });

  test("is not narrowed by what the session has seen", () => {
    const taint = { untrustedSeen: true, privateRead: true };
    const more = { ...only(["WebFetch(domain:*)"]), taint };
    const lists = { allow: ["WebFetch(domain:example.com)"] };

    expect(verdict([{ kind: "connect", host: "example.com" }], { ...more, lists })).toBe("allow");
  });

  test("refuses with a finding that names the effect, after the steps before it", () => {
    const effects = [writeOf("/ws/a")];
    const rule = { rule: "reviewer", list: "deny", scope: "ceiling" };
    const text = "It would write to a, which reviewer does not allow.";

    expect(decide(requestOf(effects, only([])))).toEqual({
      kind: "deny",
      rule,
      reason: text,
      trail: [
        ...decide(requestOf(effects, { mode: "bypassPermissions" })).trail,
        { verdict: "deny", text, effect: effects[0], rule },
      ],
    });
  });
});
