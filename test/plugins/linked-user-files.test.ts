// A user who keeps files for agents in a repository has links to it in the home directory.
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { pluginWorld } from "./plugin-world.ts";

const skill = "---\nname: my\ndescription: Mine.\n---\nBody\n";
const files = {
  "dot/settings.json": "{}",
  "dot/CLAUDE.md": "Be brief.\n",
  "dot/agents/x.md": "---\nname: x\ndescription: Mine.\n---\nBody\n",
  "dot/commands/y.md": "Body\n",
  "dot/skills/my/SKILL.md": skill,
};

test.each(Object.keys(files))(
  "a session in the repository does not change %s unasked",
  async (file) => {
    await using world = await pluginWorld(files);
    await mkdir(path.join(world.home, ".claude"));
    for (const name of ["settings.json", "CLAUDE.md", "agents", "commands"]) {
      await symlink(
        path.join(world.workspace, "dot", name),
        path.join(world.home, ".claude", name),
      );
    }
    await mkdir(path.join(world.home, ".claude/skills"));
    await symlink(
      path.join(world.workspace, "dot/skills/my"),
      path.join(world.home, ".claude/skills/my"),
    );
    const kit = await world.open({ mode: "acceptEdits", rules: { allow: ["Read", "Edit"] } });
    await kit.call({ name: "Read", input: { file_path: file } });

    const written = await kit.call({
      name: "Write",
      input: { file_path: file, content: "changed", overwrite: true },
    });
    const other = await kit.call({
      name: "Write",
      input: { file_path: "dot/notes.txt", content: "new" },
    });

    expect(written.error?.code).toBe("APPROVAL_REQUIRED");
    expect(await world.read(`workspace/${file}`)).not.toBe("changed");
    expect(other.status).toBe("ok");
  },
);

test("agents and commands of the user are found where their directories are links", async () => {
  await using world = await pluginWorld(files);
  await mkdir(path.join(world.home, ".claude"));
  for (const name of ["agents", "commands"]) {
    await symlink(path.join(world.workspace, "dot", name), path.join(world.home, ".claude", name));
  }
  const kit = await world.open({ model: "script:/none" });

  expect((await kit.agents.definitions()).agents.map(({ name }) => name)).toContain("x");
  expect((await kit.commands.list()).commands.map(({ name }) => name)).toContain("y");
  expect((await kit.definitions("mcp")).tools.map(({ name }) => name)).toContain("SlashCommand");
});
