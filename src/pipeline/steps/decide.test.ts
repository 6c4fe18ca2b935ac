import { describe, expect, test } from "vitest";
import {
  boundary,
  readOf,
  rulesOf,
  unknownOf,
  writeOf,
  type RuleLists,
} from "../../../test/policy/policy-world.ts";
import { simpleTool } from "../../../test/support/kit.ts";
import type { Effect, RuleRef } from "../../core/index.ts";
import { ceilingsBelow } from "../../policy/index.ts";
import { deniedByRules } from "../approval/denial-messages.ts";
import { notHooked, type CallState } from "../call-state.ts";
import type { Resolved } from "../step.ts";
import { judge } from "./decide.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";

interface Given {
  readonly effects?: readonly Effect[];
  readonly state?: Partial<Record<keyof CallState, unknown>>;
  readonly lists?: RuleLists;
  readonly scope?: "project";
  readonly environment?: Partial<PipelineEnvironment>;
  readonly suggestRule?: () => unknown;
}

/** Decides about a call of a tool and returns the decision with the resulting state. */
function judged(given: Given = {}) {
  const { effects = [writeOf("/ws/a")], lists = {}, scope, suggestRule } = given;
  const traits = suggestRule === undefined ? {} : { suggestRule: suggestRule as () => string };
  const state = {
    tool: simpleTool("Tool", () => ({ content: "" }), { touches: ["write", "read"], ...traits }),
    input: {},
    effects,
    requested: undefined,
    hooked: notHooked,
    options: {},
    ...given.state,
  } as unknown as Resolved;
  const told: string[] = [];
  const environment = {
    rules: () => rulesOf(lists, scope === undefined ? {} : { scope }).rules,
    mode: () => "default",
    boundary: () => boundary,
    trusted: true,
    taint: () => ({
      untrustedSeen: false,
      privateRead: false,
      mayBeUntrusted: false,
      mayBePrivate: false,
      secretsHidden: false,
    }),
    builtIn: undefined,
    ceilings: [],
    now: () => Date.UTC(2026, 0),
    onBadSuggestion: (tool: string, why: string) => told.push(`${tool}: ${why}`),
    ...given.environment,
  } as unknown as PipelineEnvironment;
  let error: unknown;
  try {
    judge(state, environment);
  } catch (cause) {
    error = cause;
  }
  return { decision: state.decision, grant: state.grant, kind: state.decision?.kind, error, told };
}

const answers = { allow: ["Edit(/a)"] };

describe("a decision holds against", () => {
  test("the effects, and what they were asked for as", () => {
    const requested = new Map([["/ws/a", ["/ws/link"]]]);

    expect(judged().kind).toBe("ask");
    expect(judged({ lists: answers }).kind).toBe("allow");
    expect(judged({ lists: answers, state: { requested } }).kind).toBe("ask");
  });

  test("the input", () => {
    const lists = { ask: ["Tool(level:high)"], ...answers };

    expect(judged({ lists, state: { input: { level: "high" } } }).kind).toBe("ask");
    expect(judged({ lists, state: { input: { level: "low" } } }).kind).toBe("allow");
  });

  test("the mode and the boundary as they are now", () => {
    const outside = [readOf("/other/a")];

    expect(judged({ environment: { mode: () => "acceptEdits" } }).kind).toBe("allow");
    expect(judged({ effects: outside }).kind).toBe("ask");
    const wider = { boundary: () => ({ ...boundary, roots: ["/ws", "/other"] }) };
    expect(judged({ effects: outside, environment: wider }).kind).toBe("allow");
  });

  test("rules of the workspace only where it is trusted", () => {
    const given = { lists: answers, scope: "project" } as const;

    expect(judged(given).kind).toBe("allow");
    expect(judged({ ...given, environment: { trusted: false } }).kind).toBe("ask");
  });

  test("what the session of the call has seen", () => {
    const lists = { allow: ["WebFetch(domain:*)"] };
    const effects: readonly Effect[] = [{ kind: "connect", host: "a.org" }];
    const seen = {
      untrustedSeen: true,
      privateRead: true,
      mayBeUntrusted: false,
      mayBePrivate: false,
      secretsHidden: false,
    };
    const taint = (id: string | undefined) =>
      id === "seen" ? seen : { ...seen, privateRead: false };
    const of = (sessionId: string) =>
      judged({ effects, lists, environment: { taint }, state: { options: { sessionId } } }).kind;

    expect(of("seen")).toBe("ask");
    expect(of("other")).toBe("allow");
  });

  test("the built-in layer of the kit", () => {
    const effects: readonly Effect[] = [{ kind: "interact" }];

    expect(judged({ effects }).kind).toBe("allow");
    expect(judged({ effects, environment: { builtIn: [] } }).kind).toBe("ask");
  });

  test("everybody above the agent", () => {
    const parent = {
      rules: rulesOf({}).rules,
      mode: "plan",
      boundary,
      trusted: true,
    } as const;
    const { kind, grant, error } = judged({
      lists: answers,
      environment: { ceilings: ceilingsBelow(parent, "main") },
    });

    expect(kind).toBe("deny");
    expect(grant).toBeUndefined();
    expect(error).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("rules for this agent, and none for another", () => {
    const lists = { allow: [{ rule: "Edit(/a)", subagent: "tester" }] };

    expect(judged({ lists, state: { options: { agentId: "tester" } } }).kind).toBe("allow");
    expect(judged({ lists, state: { options: { agentId: "other" } } }).kind).toBe("ask");
    expect(judged({ lists }).kind).toBe("ask");
  });

  test("the time of the kit's clock", () => {
    const lists = { allow: [{ rule: "Edit(/a)", expires: "2026-06-01" }] };

    expect(judged({ lists }).kind).toBe("allow");
    expect(judged({ lists, environment: { now: () => Date.UTC(2027, 0) } }).kind).toBe("ask");
  });
});

describe("what follows from a decision", () => {
  test.each([
    { lists: answers, kind: "allow" },
    { lists: {}, kind: "ask" },
  ])("$kind grants the effects", ({ lists, kind }) => {
    const effects = [writeOf("/ws/a")];
    const result = judged({ effects, lists });

    expect(result.kind).toBe(kind);
    expect(result.grant?.effects).toBe(effects);
    expect(result.error).toBeUndefined();
  });

  test.each([
    { scope: "floor", rule: "destructive floor", isFixed: true },
    { scope: "boundary", rule: "haft's own data", isFixed: true },
    { scope: "boundary", rule: "stored sessions", isFixed: true },
    { scope: "boundary", rule: "restrictToWorkspace", isFixed: false },
  ] as const)("$rule is said to be fixed: $isFixed", ({ scope, rule, isFixed }) => {
    const refusal: RuleRef = { scope, rule, list: "deny" };
    const { hint } = deniedByRules("Tool", {
      kind: "deny",
      rule: refusal,
      reason: "It must not.",
      trail: [],
    });

    expect(hint?.includes("no rule and no mode can allow this")).toBe(isFixed);
  });

  test.each([
    ["mode", "mode"],
    ["user", "rule"],
  ] as const)("the hint for a refusal by %s says to change the %s", (scope, what) => {
    const { hint } = deniedByRules("Tool", {
      kind: "deny",
      rule: { scope, rule: "plan", list: "deny" },
      reason: "It must not.",
      trail: [],
    });

    expect(hint).toContain(`ask the user to change the ${what};`);
  });

  test("deny grants nothing any more, and tells by which rule and why", () => {
    const rule = { rule: "Edit(/a)", list: "deny", scope: "user" };
    const result = judged({ lists: { deny: ["Edit(/a)"] }, state: { grant: "an older one" } });

    expect(result.grant).toBeUndefined();
    expect(result.error).toMatchObject({
      code: "PERMISSION_DENIED",
      message: "Tool was not run: Edit(/a) (user) does not let this call write to a.",
      hint: "Do it another way, or ask the user to change the rule; repeating the call will not help.",
      data: {
        rule,
        trail: [
          "deny: Edit(/a) (user) does not let this call write to a.",
          "Denied by Edit(/a) (user).",
        ],
      },
    });
  });
});

describe("a tool's own idea of a rule", () => {
  test("is offered where it answers the question", () => {
    const { decision, told } = judged({ suggestRule: () => "Edit(/**)" });

    expect(decision).toMatchObject({ kind: "ask", suggestion: "Edit(/**)" });
    expect(told).toEqual([]);
  });

  test("that is good and does not answer it is not offered, and no fault", () => {
    const { decision, told } = judged({ suggestRule: () => "Edit(/b)" });

    expect(decision).toMatchObject({ kind: "ask", suggestion: "Edit(/a)" });
    expect(told).toEqual([]);
  });

  test.each([
    { suggestRule: () => "Edit(/a", told: /^Tool: The parenthesis is not closed/u },
    { suggestRule: () => 7, told: /^Tool: it returned something other than a text\.$/u },
    {
      suggestRule: () => {
        throw new Error("It failed.");
      },
      told: /^Tool: .*It failed/u,
    },
  ])(
    "that is invalid is reported, and another offered: $told",
    ({ suggestRule, told: expected }) => {
      const { decision, told } = judged({ suggestRule });

      expect(decision).toMatchObject({ kind: "ask", suggestion: "Edit(/a)" });
      expect(told).toEqual([expect.stringMatching(expected)]);
    },
  );

  test("is not looked at where nothing is asked", () => {
    expect(judged({ lists: answers, suggestRule: () => "Edit(/a" }).told).toEqual([]);
    expect(judged({ suggestRule: () => undefined }).told).toEqual([]);
    expect(judged({ effects: [unknownOf("x")] }).told).toEqual([]);
  });
});
