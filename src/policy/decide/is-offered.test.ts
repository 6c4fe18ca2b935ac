import { describe, expect, test } from "vitest";
import { rulesOf } from "../../../test/policy/policy-world.ts";
import type { Mode } from "../../core/index.ts";
import { isHidden } from "./is-offered.ts";
import { noRules, type PolicyTool } from "../rules/rule-set.ts";

const tools = {
  Read: { name: "Read", touches: ["read"] },
  Grep: { name: "Grep", aliases: ["Search"], touches: ["read"] },
  Edit: { name: "Edit", touches: ["read", "write"] },
  Write: { name: "Write", touches: ["write"] },
  Bash: { name: "Bash", touches: ["read", "write", "execute", "connect", "unknown"] },
  WebFetch: { name: "WebFetch", touches: ["connect"] },
  Agent: { name: "Agent", touches: ["delegate"] },
  Notes: { name: "Notes", touches: [] },
  Server: { name: "mcp__a__b", touches: ["unknown"] },
} as const satisfies Record<string, PolicyTool>;

function hidden(deny: readonly unknown[]): readonly string[] {
  const { rules } = rulesOf({ deny });
  return Object.values(tools)
    .filter((tool) => isHidden(tool, rules, "default"))
    .map(({ name }) => name);
}

function shown(mode: Mode): readonly string[] {
  return Object.values(tools)
    .filter((tool) => !isHidden(tool, noRules, mode))
    .map(({ name }) => name);
}

describe("the model does not see a tool", () => {
  test.each([
    { deny: [], hides: [] },
    { deny: ["Bash"], hides: ["Bash"] },
    { deny: ["Bash(*)"], hides: ["Bash"] },
    { deny: ["Bash(rm *)"], hides: [] },
    { deny: ["mcp__*"], hides: ["mcp__a__b"] },
    { deny: ["mcp__a"], hides: ["mcp__a__b"] },
    { deny: ["Read"], hides: ["Read", "Grep"] },
    { deny: ["Read(.env)"], hides: [] },
    { deny: ["Edit"], hides: ["Edit", "Write"] },
    { deny: ["Write"], hides: ["Write"] },
    { deny: ["Search"], hides: ["Grep"] },
    { deny: ["WebFetch"], hides: ["WebFetch"] },
    { deny: ["WebFetch(domain:a.org)"], hides: [] },
    { deny: ["Task"], hides: ["Agent"] },
    { deny: ["Agent(tester)"], hides: [] },
    { deny: ["*"], hides: Object.values(tools).map(({ name }) => name) },
    { deny: [{ rule: "Bash", subagent: "x" }], hides: [] },
    { deny: [{ rule: "Bash", expires: "2026-01-01" }], hides: [] },
    { deny: [{ rule: "Bash", modes: ["plan"] }], hides: [] },
    { deny: [{ rule: "Bash", modes: ["default"] }], hides: ["Bash"] },
    { deny: ["Notes(x:1)"], hides: [] },
    ...["Read", "Edit", "WebFetch(domain:*)", "Agent(*)", "Bash(*)"].map((rule) => ({
      deny: [{ rule, subagent: "x" }],
      hides: [],
    })),
    { deny: ["WebFetch(domain:*)"], hides: ["WebFetch"] },
    { deny: ["Agent(*)"], hides: ["Agent"] },
  ])("denied by $deny: $hides", ({ deny, hides }) => {
    expect(hidden(deny)).toEqual(hides);
  });

  test("that its mode always refuses", () => {
    expect(shown("default")).toHaveLength(9);
    expect(shown("dontAsk")).toHaveLength(9);
    expect(shown("plan")).toEqual(["Read", "Grep", "Bash", "WebFetch", "Notes"]);
  });
});
