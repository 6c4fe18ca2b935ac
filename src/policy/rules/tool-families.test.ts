import { describe, expect, test } from "vitest";
import { anyTool, readOf, runOf, verdict, writeOf } from "../../../test/policy/policy-world.ts";
import type { Effect } from "../../core/index.ts";
import { compileRules } from "./compile-rules.ts";
import { commonNames, families, primaryParameters, ruleAliases } from "./tool-families.ts";

const read = readOf("/ws/a");
const write = writeOf("/ws/a");
const run = runOf("npm test");
const connect: Effect = { kind: "connect", host: "a.org" };
const delegate: Effect = { kind: "delegate", agent: "tester" };

const table = [
  { name: "Read", on: read, pattern: "/a", isHead: true },
  { name: "Grep", on: read, pattern: "/a", isHead: false },
  { name: "Glob", on: read, pattern: "/a", isHead: false },
  { name: "ListDir", on: read, pattern: "/a", isHead: false },
  { name: "Edit", on: write, pattern: "/a", isHead: true },
  { name: "Write", on: write, pattern: "/a", isHead: false },
  { name: "NotebookEdit", on: write, pattern: "/a", isHead: false },
  { name: "Bash", on: run, pattern: "npm *", isHead: true },
  { name: "WebFetch", on: connect, pattern: "domain:a.org", isHead: true },
  { name: "Agent", on: delegate, pattern: "tester", isHead: true },
];

describe("a tool name in a rule", () => {
  test.each(table)(
    "$name with a pattern is about the effect, whichever tool has it",
    ({ name, on, pattern }) => {
      expect(verdict([on], { lists: { deny: [`${name}(${pattern})`] } })).toBe("deny");
    },
  );

  test.each(table)(
    "$name alone is about its calls, and about every such effect: $isHead",
    ({ name, on, isHead }) => {
      const lists = { deny: [name] };
      const mode = "bypassPermissions";

      expect(verdict([on], { lists, mode, tool: { ...anyTool, name } })).toBe("deny");
      expect(verdict([on], { lists, mode })).toBe(isHead ? "deny" : "allow");
    },
  );

  test("is in the table, which lists nothing else", () => {
    expect([...families.keys()]).toEqual(table.map(({ name }) => name));
    expect([...families].filter(([, { isHead }]) => isHead).map(([name]) => name)).toEqual(
      table.filter(({ isHead }) => isHead).map(({ name }) => name),
    );
  });

  test.each([
    ["Task(tester)", delegate],
    ["FileRead(/a)", read],
    ["FileEdit(/a)", write],
    ["FileWrite(/a)", write],
    ["MultiEdit(/a)", write],
    ["LS(/a)", read],
    ["Shell(npm test)", run],
  ] as const)("%s is another name", (rule, on) => {
    expect(Object.keys(ruleAliases)).toContain(rule.replace(/\(.*/u, ""));
    expect(verdict([on], { lists: { deny: [rule] } })).toBe("deny");
  });

  test("is known where no catalog is given", () => {
    expect(commonNames).toEqual([...families.keys(), "WebSearch", "Skill", "AskUser"]);
  });
});

test.each([
  ["Bash(command:rm)", "Bash(the command)"],
  ["Read(file_path:a)", "Read(path) or Edit(path)"],
  ["Read(path:a)", "Read(path) or Edit(path)"],
  ["NotebookEdit(notebook_path:a)", "Edit(path)"],
  ["WebFetch(url:a.org)", "WebFetch(domain:host)"],
])("%s names an input that has a form of its own, %s", (rule, form) => {
  const name = /\((\w+):/u.exec(rule)?.[1] ?? "";
  const anchors = { base: "/ws", cwd: "/ws", home: "/home/ada" };
  const { problems } = compileRules([{ scope: "user", list: "deny", rules: [rule], ...anchors }]);

  expect(primaryParameters[name]).toBe(form);
  expect(problems).toMatchObject([
    {
      severity: "error",
      message: `\`${name}\` has a form of its own and is not compared as a parameter.`,
      hint: expect.stringContaining(`Write ${form}.`),
    },
  ]);
});
