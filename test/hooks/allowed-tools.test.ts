import { expect, test, vi } from "vitest";
import { entryProblem } from "../../src/policy/index.ts";
import { builtInTools } from "../../src/tools/index.ts";
import { agentKit, starts } from "../support/agent-world.ts";
import { testKit } from "../support/kit.ts";
import { hookWorld } from "./hook-world.ts";

const skill = (name: string, tools: string) =>
  `---\nname: ${name}\ndescription: Does it.\nallowed-tools: ${tools}\n---\nDo it.\n`;
const command = (tools: string) => `---\nallowed-tools: ${tools}\n---\nDo it.\n`;

async function world(files: Readonly<Record<string, string>>) {
  const opened = await hookWorld({}, files);
  vi.stubEnv("HOME", opened.at("home"));
  await opened.write("home/x", "");
  return opened;
}

test("a skill or command that lists tools of other programs is used within what is left", async () => {
  await using opened = await world({
    ".haft/skills/s/SKILL.md": skill("s", "Read, TodoWrite, LSP, Reed, WebSearch(x)"),
    ".haft/commands/c.md": command("Read, TodoWrite, LSP, Reed, WebSearch(x)"),
    "a.txt": "alpha",
  });
  await using kit = await opened.open({ mode: "bypassPermissions" });

  for (const [sessionId, used] of [
    ["1", { name: "Skill", input: { skill: "s" } }],
    ["2", { name: "SlashCommand", input: { command: "c" } }],
  ] as const) {
    const first = await kit.call(used, { sessionId });
    const read = await kit.call({ name: "Read", input: { file_path: "a.txt" } }, { sessionId });
    const run = await kit.call({ name: "Bash", input: { command: "touch x" } }, { sessionId });

    expect([first.status, read.status, run.status]).toEqual(["ok", "ok", "denied"]);
  }
  const { allowedTools } = await kit.commands.expand("c");

  expect(allowedTools).toEqual(["Read"]);
  await using child = kit.derive({ ceiling: allowedTools ?? [] });
  expect(child.listings().length).toBeGreaterThan(0);
});

test("one that cannot be read says so in every check and when it is used", async () => {
  await using opened = await world({
    ".haft/skills/good/SKILL.md": skill("good", "Read"),
    ".haft/skills/s/SKILL.md": skill("s", "Read Bash("),
    ".haft/commands/c.md": command("Read, Bash("),
  });
  await using kit = await opened.open();

  const listed = await kit.skills.list();
  const files = await kit.settings.check();
  const used = await kit.call({ name: "Skill", input: { skill: "s" } });
  const ran = await kit.call({ name: "SlashCommand", input: { command: "c" } });

  const message = expect.stringContaining("`Bash(` in `allowed-tools` cannot be read");
  expect(listed.find(({ name }) => name === "s")?.faults).toEqual([{ message, line: 4 }]);
  expect(kit.listings({ names: ["Skill"] })[0]?.description).not.toContain("- s:");
  for (const [path, line] of [
    [".haft/skills/s/SKILL.md", 4],
    [".haft/commands/c.md", 2],
  ] as const) {
    const file = files.find((each) => each.path === opened.at(path));
    expect(file?.problems).toMatchObject([
      { severity: "error", message, line, hint: expect.stringContaining("is not used") },
    ]);
  }
  for (const [outcome, at] of [
    [used, "SKILL.md:4"],
    [ran, "c.md:2"],
  ] as const) {
    expect(outcome.error).toMatchObject({ code: "UNAVAILABLE", message });
    expect(outcome.text).toContain(at);
  }
});

test("settings that name a tool which does not exist open the toolkit within what is left", async () => {
  const settings = { allowedTools: ["Read", "Frobnicate"] };
  const { kit } = await testKit({ settings }, { files: { "a.txt": "alpha" } });

  const read = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect(read.status).toBe("ok");
  const write = { name: "Write", input: { file_path: "b.txt", content: "b" } };
  expect((await kit.explain(write)).decision?.kind).toBe("deny");
});

test("an agent whose definition lists tools of other programs is started", async () => {
  const definition =
    "---\nname: x\ntools: Read(a.txt), TodoWrite, Reed, Write(a.txt)\n---\nDo it.\n";
  const reads = { name: "Read", input: { file_path: "a.txt" } };
  const { kit, model } = await agentKit(
    {
      go: [starts("work", { agent: "x" }), { text: "end" }],
      work: [{ calls: [reads] }, { text: "tried" }],
    },
    { settings: "load", mode: "bypassPermissions" },
    { files: { "a.txt": "alpha", "/home/user/.haft/agents/x.md": definition } },
  );

  await kit.run({ task: "go" }).result;

  expect(JSON.stringify(model.requests[2]?.messages)).toContain("alpha");
});

test("every built-in tool is known to lists of allowed tools, with its other names", () => {
  const unknown = builtInTools
    .flatMap(({ name, aliases = [] }) => [name, ...aliases])
    .filter((name) => /^[A-Z]/u.test(name) && entryProblem(name)?.kind === "unknown");

  expect(unknown).toEqual([]);
});
