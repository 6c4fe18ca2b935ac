import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { analyseCommand, callEffects } from "../shell/index.ts";
import { compileRules, decide } from "../policy/index.ts";
import type { Decision } from "../core/index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };

function decided(command: string, allow: readonly string[]): Decision {
  const anchors = { base: place.workspace, cwd: place.cwd, home: place.home };
  const { rules } = compileRules([{ scope: "user", list: "allow", rules: allow, ...anchors }]);
  return decide({
    tool: { name: "Bash", touches: ["read", "write", "connect", "execute", "unknown"] },
    input: { command },
    effects: callEffects(analyseCommand(command, place)),
    rules,
    mode: "default",
    boundary: { roots: [place.workspace], restrictToWorkspace: false, home: place.home },
    trusted: true,
    suggested: command.includes("\n") ? undefined : `Bash(${command})`,
  });
}

function offered(command: string): string | undefined {
  const decision = decided(command, []);
  return decision.kind === "ask" ? decision.suggestion : undefined;
}

const commands = ["rules", "attacks"].flatMap((name) => {
  const file = new URL(`../../test/cases/shell/${name}.jsonl`, import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line): string => JSON.parse(line).command);
});

test("a rule that is offered for a command allows this command", () => {
  const wrong = [...new Set(commands)].filter((command) => {
    const rule = offered(command);
    return rule !== undefined && decided(command, rule.split("\n")).kind !== "allow";
  });

  expect(wrong).toEqual([]);
});

describe("a rule is offered where it can name every place", () => {
  test.each([
    { command: "pytest /other", rule: "Bash(pytest /other)" },
    { command: "node /other/x.js", rule: "Bash(node /other/x.js)" },
    { command: "tsc @/x", rule: "Bash(tsc @/x)" },
    { command: "docker build /other", rule: "Bash(docker build /other)" },
    { command: `node -e "require('/other/x')"`, rule: `Bash(node -e "require('/other/x')")` },
    { command: "cmake ..", rule: undefined },
    { command: "npm --prefix=~/x test", rule: undefined },
    { command: "npm install -g x", rule: "Bash(npm install -g x)" },
    { command: "curl https://a.example:8443/", rule: "Bash(curl https://a.example:8443/)" },
  ])("$command: $rule", ({ command, rule }) => {
    expect(offered(command)).toBe(rule);
  });

  test("which holds nowhere else", () => {
    const allow = ["Bash(node /other/x.js)"];

    expect(decided("node /other/x.js", allow).kind).toBe("allow");
    expect(decided("cd /third && node /other/x.js", allow).kind).toBe("ask");
    expect(decided("node /other/y.js", allow).kind).toBe("ask");
  });
});
