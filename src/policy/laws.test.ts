import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  allModes,
  anyTool,
  boundary,
  home,
  readOf,
  requestOf,
  rulesOf,
  runOf,
  unknownOf,
  verdict,
  writeOf,
} from "../../test/policy/policy-world.ts";
import type { Effect } from "../core/index.ts";
import { ceilingsBelow } from "./decide/ceiling.ts";
import { compileRules } from "./rules/compile-rules.ts";
import { decide } from "./decide/decide.ts";
import { explainDecision } from "./decide/explain-decision.ts";
import type { Ceiling, DecideRequest, Policy } from "./decide/request.ts";
import { runs } from "../../test/support/law-runs.ts";

const rule = fc.constantFrom(
  "Read",
  "Read(.env)",
  "Read(/src/**)",
  "Read(//etc/**)",
  "Edit",
  "Edit(/src/**)",
  "Edit(*.ts)",
  "Bash",
  "Bash(npm *)",
  "Bash(git push)",
  "WebFetch(domain:a.org)",
  "Agent(tester)",
  "mcp__a",
  "AnyTool",
  "AnyTool(x:1)",
  "Edit(",
);
const lists = fc.record({
  deny: fc.array(rule, { maxLength: 2 }),
  ask: fc.array(rule, { maxLength: 2 }),
  allow: fc.array(rule, { maxLength: 5 }),
});
const effect = fc.constantFrom<Effect>(
  readOf("/ws/src/a.ts"),
  readOf("/ws/.env"),
  readOf("/ws", "tree"),
  readOf("/etc/hosts"),
  writeOf("/ws/src/a.ts"),
  writeOf("/ws/.git/config"),
  writeOf("/ws", "any", "tree"),
  writeOf("/tmp/x", "delete", "tree"),
  writeOf("/", "delete", "tree"),
  runOf("npm test"),
  runOf("ls", { consequences: "listed" }),
  runOf("git $X"),
  unknownOf("npm"),
  unknownOf("mcp__a"),
  { kind: "connect", host: "a.org" },
  { kind: "connect", host: "b.org" },
  { kind: "delegate", agent: "tester" },
  { kind: "interact" },
);
const effects = fc.array(effect, { maxLength: 4 });
const policy: fc.Arbitrary<Policy> = fc
  .record({
    lists,
    mode: fc.constantFrom(...allModes),
    roots: fc.constantFrom(["/ws"], ["/ws", "/tmp"], ["/ws/src"]),
    restrictToWorkspace: fc.boolean(),
    trusted: fc.boolean(),
    scope: fc.constantFrom("user", "project"),
  })
  .map(({ lists: made, mode, roots, restrictToWorkspace, trusted, scope }) => ({
    rules: rulesOf(made, { scope }).rules,
    mode,
    boundary: { roots, restrictToWorkspace, home },
    trusted,
  }));

const rank = { allow: 0, ask: 1, deny: 2 } as const;

function rankOf(request: DecideRequest): number {
  return rank[decide(request).kind];
}

describe("laws of decisions", () => {
  test("deciding twice gives the same answer", () => {
    fc.assert(
      fc.property(policy, effects, (own, on) => {
        const request = requestOf(on, own);
        expect(explainDecision(decide(request))).toEqual(explainDecision(decide(request)));
      }),
    );
  });

  test("another deny or ask rule never widens", () => {
    fc.assert(
      fc.property(lists, rule, effects, (made, extra, on) => {
        const before = rankOf(requestOf(on, { lists: made }));
        const denied = { ...made, deny: [extra, ...made.deny] };
        const asked = { ...made, ask: [...made.ask, extra] };
        expect(rankOf(requestOf(on, { lists: denied }))).toBeGreaterThanOrEqual(before);
        expect(rankOf(requestOf(on, { lists: asked }))).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("another effect never makes a verdict milder", () => {
    fc.assert(
      fc.property(policy, effects, effect, (own, on, extra) => {
        // A program comes with its own unknown effect; without the program, no rule covers that effect.
        fc.pre(extra.kind !== "execute" || on.every(({ kind }) => kind !== "unknown"));
        const before = rankOf(requestOf(on, own));
        expect(rankOf(requestOf([...on, extra], own))).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("an untrusted workspace never widens", () => {
    fc.assert(
      fc.property(policy, effects, (own, on) => {
        expect(rankOf(requestOf(on, { ...own, trusted: false }))).toBeGreaterThanOrEqual(
          rankOf(requestOf(on, { ...own, trusted: true })),
        );
      }),
    );
  });

  test("a rule of any text compiles or is reported, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.anything()), (text) => {
        const { rules, problems } = rulesOf({ allow: [text], deny: [text], ask: [text] });
        expect(rules.rules.length + problems.length).toBeGreaterThan(0);
        expect(decide(requestOf([readOf("/ws/a"), runOf("x")], { rules })).kind).toBeTypeOf(
          "string",
        );
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("ceilings", () => {
  test("no child, however it is derived, may do what one above it may not", () => {
    fc.assert(
      fc.property(fc.array(policy, { minLength: 2, maxLength: 4 }), effects, (line, on) => {
        let ceilings: readonly Ceiling[] = [];
        let parent: Policy | undefined;
        const ranks: number[] = [];
        for (const own of line) {
          if (parent !== undefined) ceilings = ceilingsBelow({ ...parent, ceilings }, "parent");
          ranks.push(rankOf(requestOf(on, { ...own, ceilings })));
          parent = own;
        }
        expect(ranks).toEqual(ranks.toSorted((left, right) => left - right));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("what only one of them withholds is withheld", () => {
    fc.assert(
      fc.property(policy, policy, (above, own) => {
        const ceilings = ceilingsBelow(above, "parent");
        const on = [readOf("/ws", "tree")];
        const parents = decide(requestOf(on, above));
        const child = decide(requestOf(on, { ...own, ceilings }));
        if (parents.kind !== "allow" || child.kind !== "allow") return;
        for (const path of ["/ws/.env", "/ws/src/a.ts", "/ws/x"]) {
          const withheld = parents.grant.excludes(path, "read");
          const isLost = withheld !== undefined && child.grant.excludes(path, "read") === undefined;
          expect(isLost).toBe(false);
        }
        expect(child.grant.exclusions.length).toBeGreaterThanOrEqual(
          parents.grant.exclusions.length,
        );
      }),
    );
  });

  const parent = { ...requestOf([]), rules: rulesOf({ deny: ["Read(/k)"] }).rules };
  const ceilings = ceilingsBelow(parent, "main");

  test("name the ceiling that denies", () => {
    const decision = decide(requestOf([readOf("/ws/k")], { ceilings }));

    expect(decision).toMatchObject({
      kind: "deny",
      reason:
        "main, which started this agent, may not do this either. Read(/k) (user) does not let this call read k.",
      rule: { rule: "Read(/k)", scope: "ceiling" },
    });
    expect(decision.trail.at(-1)?.verdict).toBe("deny");
  });

  test("ask where one above would be asked, with its suggestion", () => {
    const allowing = { allow: ["Edit(/a)"] };
    const decision = decide(requestOf([writeOf("/ws/a")], { ceilings, lists: allowing }));

    expect(decision).toMatchObject({
      kind: "ask",
      question: "Write to a?",
      suggestion: "Edit(/a)",
    });
  });

  test("offer no rule where not the same one would answer both", () => {
    const elsewhere = { ...parent, boundary: { ...boundary, roots: ["/other"] } };
    const other = ceilingsBelow(elsewhere, "main");
    const decision = decide(requestOf([writeOf("/ws/a")], { ceilings: other }));
    const unsaved = decide(requestOf([writeOf("/ws/.npmrc")], { ceilings }));

    expect(decision.kind).toBe("ask");
    expect(decision).not.toHaveProperty("suggestion");
    expect(unsaved).not.toHaveProperty("suggestion");
  });

  test("one's own refusal stands first", () => {
    const decision = decide(
      requestOf([readOf("/ws/k")], { ceilings, lists: { deny: ["Read(/*)"] } }),
    );

    expect(decision).toMatchObject({ kind: "deny", rule: { rule: "Read(/*)", scope: "user" } });
  });

  test("a list of what an agent was given holds whatever its rules say", () => {
    const { rules } = compileRules([
      {
        scope: "option",
        list: "allow",
        rules: ["Read", "Bash(npm test)", "Edit(/out/**)"],
        base: "/ws",
        cwd: "/ws",
        home,
      },
    ]);
    const only: readonly Ceiling[] = [{ kind: "only", name: "reviewer", rules }];
    const more = { ceilings: only, mode: "bypassPermissions" } as const;

    expect(verdict([readOf("/ws/a"), { kind: "interact" }], more)).toBe("allow");
    expect(verdict([runOf("npm test"), unknownOf("npm")], more)).toBe("allow");
    expect(verdict([runOf("ls", { consequences: "listed" })], more)).toBe("allow");
    expect(verdict([writeOf("/ws/out/a")], more)).toBe("allow");
    expect(verdict([writeOf("/ws/a")], more)).toBe("deny");
    expect(verdict([runOf("npm ci")], more)).toBe("deny");
    expect(verdict([readOf("/ws/a")], { ...more, lists: { deny: ["Read(/a)"] } })).toBe("deny");
    expect(decide(requestOf([writeOf("/ws/a")], more))).toMatchObject({
      reason: "It would write to a, which reviewer does not allow.",
      rule: { rule: "reviewer", scope: "ceiling" },
      trail: [{ verdict: "allow" }, { verdict: "deny" }],
    });
  });

  test("a policy above keeps its own boundary, mode and built-in layer", () => {
    const above: Policy = {
      rules: rulesOf({}).rules,
      mode: "plan",
      boundary: { ...boundary, roots: ["/ws/src"] },
      trusted: true,
      builtIn: [],
    };
    const own = { ceilings: ceilingsBelow(above, "planner"), mode: "bypassPermissions" } as const;

    expect(verdict([readOf("/ws/src/a")], own)).toBe("allow");
    expect(verdict([readOf("/ws/a")], own)).toBe("ask");
    expect(verdict([writeOf("/ws/src/a")], own)).toBe("deny");
    expect(verdict([{ kind: "interact" }], own)).toBe("ask");
  });
});

describe("an explanation", () => {
  test("names every step and ends with the verdict", () => {
    const on = [readOf("/ws/a"), writeOf("/ws/b")];

    expect(explainDecision(decide(requestOf(on)))).toMatchInlineSnapshot(`
      [
        "allow: Files inside the workspace may be read.",
        "ask: Changing files in the workspace needs approval in default mode.",
        "Asked: Write to b? To allow it from now on: Edit(/b)",
      ]
    `);
    expect(explainDecision(decide(requestOf(on, { lists: { allow: ["Edit"] } }))).at(-1)).toBe(
      "Allowed by Edit (user).",
    );
    expect(explainDecision(decide(requestOf(on, { mode: "plan" }))).at(-1)).toBe(
      "Denied by plan: write-inside (mode).",
    );
    const unsaved = decide(requestOf([writeOf("/ws/.npmrc")], { tool: anyTool }));
    expect(explainDecision(unsaved).at(-1)).toBe("Asked: Write to .npmrc?");
  });

  test("names file and line of a rule", () => {
    const { rules } = compileRules([
      {
        scope: "project",
        list: "deny",
        rules: ["Read(/k)"],
        base: "/ws",
        cwd: "/ws",
        home,
        file: ".claude/settings.json",
        lines: [4],
      },
    ]);

    expect(explainDecision(decide(requestOf([readOf("/ws/k")], { rules })))).toEqual([
      "deny: Read(/k) (.claude/settings.json:4) does not let this call read k.",
      "Denied by Read(/k) (.claude/settings.json:4).",
    ]);
  });
});
