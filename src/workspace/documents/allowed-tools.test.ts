import { describe, expect, test } from "vitest";
import { readMarkdownCommand } from "../commands/read-command.ts";
import { readAgent } from "../agents/read-agent.ts";
import { readSkill } from "../skills/read-skill.ts";

/** A skill and a command with this line, and whether each can be used. */
async function readBoth(line: string) {
  const fields = (name: string) =>
    `---\nname: ${name}\ndescription: Does it.\n${line}\n---\nDo it.\n`;
  const skill = await readSkill(fields("s"), "s");
  const source = { name: "c", file: "/ws/c.md", text: fields("c") };
  const { command, problems } = await readMarkdownCommand(source);
  const said = problems.filter(({ line: at }) => at === 4);
  return {
    skill: { allowedTools: skill.allowedTools, faults: skill.faults, notes: skill.notes },
    command: {
      allowedTools: command?.allowedTools,
      faults: said.filter(({ severity }) => severity === "error"),
      notes: said.filter(({ severity }) => severity === "warning"),
    },
    isUsable: { skill: skill.faults.length === 0, command: command !== undefined },
  };
}

const usable = { skill: true, command: true };

describe("allowed-tools", () => {
  test.each([
    { line: "allowed-tools: TodoWrite NotebookRead PowerShell", because: "others have them" },
    { line: "allowed-tools: LSP, SlashCommand, AgentSend", because: "haft may not offer them" },
    { line: "allowed-tools: task todoread", because: "case does not count" },
    { line: "allowed-tools: mcp__* mcp__git__* mcp__git", because: "they are patterns of tools" },
    { line: "allowed-tools: Write(src/**), Grep(src/**)", because: "they have their families" },
    { line: "allowed-tools: Read(${CLAUDE_SKILL_DIR}/**)", because: "the path is known later" },
    { line: "allowed-tools: Bash(git add:*) Bash(*)", because: "they are rules" },
    { line: "allowed-tools: []", because: "nothing may be all that it needs" },
  ])("has nothing wrong in `$line`: $because", async ({ line }) => {
    const { skill, command, isUsable } = await readBoth(line);

    expect(isUsable).toEqual(usable);
    expect([skill.notes, command.notes]).toEqual([[], []]);
    expect(command.allowedTools).toEqual(skill.allowedTools);
    expect(skill.allowedTools).toBeDefined();
  });

  test.each([
    { line: "allowed-tools: Read, Reed", says: "No tool is called Reed. Did you mean Read?" },
    { line: "allowed-tools: Zyx", says: "No tool is called Zyx." },
    { line: "allowed-tools: No*te", says: "may use `*` in a tool name only after `mcp__`" },
    { line: "allowed-tools: Bash(ls; pwd)", says: "compared with one command at a time" },
    { line: "allowed-tools: WebSearch(x)", says: "WebSearch takes no pattern." },
  ])("with an entry that permits nothing is used, and noted: $line", async ({ line, says }) => {
    const { skill, command, isUsable } = await readBoth(line);

    expect(isUsable).toEqual(usable);
    for (const { notes, allowedTools } of [skill, command]) {
      expect(notes).toMatchObject([{ line: 4, message: expect.stringContaining(says) }]);
      expect(allowedTools).toBeDefined();
    }
  });

  test.each([
    { line: "allowed-tools: Bash(", says: "`Bash(` in `allowed-tools` cannot be read:" },
    { line: "allowed-tools: Bash(ls, Read", says: "The parenthesis is not closed." },
    { line: 'allowed-tools: ["Read", "Bash("]', says: "`Bash(`" },
    { line: "allowed-tools: '!Read'", says: "A rule is a tool name" },
    { line: "allowed-tools: Bash()", says: "The parentheses are empty." },
    { line: 'allowed-tools: "\\u202ERead"', says: String.raw`\u{202e}Read` },
    { line: "allowed-tools: {Read: true}", says: "is not a text or a list of texts." },
    { line: "allowed-tools: 5", says: "is not a text or a list of texts." },
    { line: "alowed-tools: Read", says: "`alowed-tools`" },
    { line: "allowedTools: Read", says: "`allowedTools`" },
    { line: "disallowed-tools: Bash", says: "`disallowed-tools`" },
  ])("that may have been meant to be anything is not used: $line", async ({ line, says }) => {
    const { skill, command, isUsable } = await readBoth(line);

    expect(isUsable).toEqual({ skill: false, command: false });
    for (const { faults } of [skill, command]) {
      expect(faults).toMatchObject([{ line: 4, message: expect.stringContaining(says) }]);
    }
  });

  test.each(["*", "Read, *"])("with %s has no limit, as without the field", async (entries) => {
    const { skill, command, isUsable } = await readBoth(`allowed-tools: "${entries}"`);

    expect(isUsable).toEqual(usable);
    expect([skill, command]).toEqual([
      { allowedTools: undefined, faults: [], notes: [] },
      { allowedTools: undefined, faults: [], notes: [] },
    ]);
  });
});

test("an agent whose tools cannot be read is not used", async () => {
  const text = "---\nname: x\ndescription: d\ntools: [Read, 'Bash(']\n---\nDo it.\n";

  expect(await readAgent({ path: "/ws/x.md", text })).toMatchObject({
    kind: "invalid",
    problems: [{ line: 4, message: "tools: Bash( cannot be read: The parenthesis is not closed." }],
  });
});
