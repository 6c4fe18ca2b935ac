// A program that trusts a workspace as it is, after another content was recorded.
import { expect, test } from "vitest";
import { pluginWorld, wholePlugin } from "./plugin-world.ts";

const script = (word: string): string =>
  `#!/bin/sh\ncat > /dev/null\necho ${word} > "$CLAUDE_PROJECT_DIR/ran"\n`;

/** A part of every kind. */
const project = (word: string) => ({
  ".haft/settings.json": JSON.stringify({
    permissions: { allow: ["Edit", `Bash(${word} *)`] },
    hooks: { PreToolUse: [{ matcher: "Write", hooks: [{ type: "command", command: "tools/h" }] }] },
  }),
  "tools/h": script(word),
  ".mcp.json": JSON.stringify({ mcpServers: { files: { command: `${word}-server` } } }),
  ".haft/commands/do.md": `Do ${word}.\n`,
  ".haft/skills/look/SKILL.md": `---\nname: look\ndescription: Looks.\nhooks:\n  PreToolUse:\n    - matcher: Write\n      hooks:\n        - type: command\n          command: tools/s\n---\nLook at ${word}.\n`,
  "tools/s": script(word).replace("/ran", "/ran-too"),
  ".haft/agents/helper.md": `---\nname: helper\ndescription: Helps ${word}.\n---\nHelp.\n`,
  ".haft/tools/own/tool.json": JSON.stringify({
    version: 1,
    name: "own",
    description: `Own ${word}.`,
    input: { type: "object" },
    touches: [],
    effects: [],
    language: "shell",
  }),
  ".haft/tools/own/run.sh": `echo ${word}\n`,
  ".haft/tools/own/examples.json": '[{"input":{}}]',
});

test.each(["without a record", "whatever an older record covers"])(
  "trust for once uses every part as it is, %s",
  async (title) => {
    await using world = await pluginWorld(project("old"));
    if (title !== "without a record") await world.trust();
    await world.write("workspace", project("new"));
    const installing = await world.open();
    const from = await world.write("source", wholePlugin());
    await (await installing.plugins.review({ from, scope: "project" })).accept();
    const kit = await world.open({
      trust: true,
      model: "script:/none",
      sandbox: { require: "off" },
    });

    const used = await kit.call({ name: "Skill", input: { skill: "look" } });
    const written = await kit.call({ name: "Write", input: { file_path: "a.txt", content: "x" } });
    const explained = await kit.explain({ name: "Bash", input: { command: "new a" } });
    const { prompt } = await kit.commands.expand("do");
    const ofPlugin = await kit.call({ name: "Skill", input: { skill: "acme:greet" } });
    const { agents, unused } = await kit.agents.definitions();

    expect(used.text).toContain("Look at new.");
    expect(ofPlugin.text).toContain("Say hi");
    expect(written.error).toBeUndefined();
    expect(await world.read("workspace/ran")).toBe("new\n");
    expect(await world.read("workspace/ran-too")).toBe("new\n");
    expect(explained.decision?.kind).toBe("allow");
    expect(prompt).toBe("Do new.\n");
    expect(agents.map(({ description }) => description)).toContain("Helps new.");
    expect(agents.map(({ name }) => name)).toContain("acme:helper");
    expect(unused).toEqual([]);
    expect(kit.mcp.list().find(({ name }) => name === "files")).toMatchObject({
      address: "new-server",
      status: expect.not.stringMatching("needs-trust"),
    });
    expect(kit.registry.getNames()).toContain("own");
    expect((await kit.plugins.list()).map(({ name, needsTrust }) => [name, needsTrust])).toEqual([
      ["acme", false],
    ]);
    expect(kit.workspace.problems).toEqual([]);
  },
);
