import { describe, expect, test } from "vitest";
import { existsSync } from "node:fs";
import { pluginWorld, wholePlugin, type PluginWorld } from "./plugin-world.ts";

const write = (file_path: string) => ({ name: "Write", input: { file_path, content: "x" } });

async function install(world: PluginWorld, scope: "user" | "project" = "user"): Promise<string> {
  const from = await world.write("source", wholePlugin());
  const kit = await world.open();
  await (await kit.plugins.review({ from, scope })).accept();
  return from;
}

describe("a plugin of the user", () => {
  test("provides skills, commands, agents, hooks and servers under its name", async () => {
    await using world = await pluginWorld();
    await install(world);
    const kit = await world.open({ rules: { allow: ["Edit"] }, model: "script:/none" });

    const [plugin] = await kit.plugins.list();
    const used = await kit.call({ name: "Skill", input: { skill: "acme:greet" } });
    const { prompt } = await kit.commands.expand("acme:review", { arguments: "a.ts" });
    const { agents } = await kit.agents.definitions();

    expect(plugin).toMatchObject({ name: "acme", scope: "user", needsTrust: false, faults: [] });
    expect(plugin?.parts.map(({ kind, name }) => `${kind} ${name.split(" in ")[0]}`)).toEqual([
      "skill acme:greet",
      "command /acme:review",
      "agent acme:helper",
      "hook PreToolUse(Write): ${CLAUDE_PLUGIN_ROOT}/scripts/check.sh",
      "MCP server acme:files",
      "language server acme:ts",
    ]);
    expect(used.text).toContain(`see ${plugin?.directory}/notes.md`);
    expect(prompt).toBe("Review a.ts.\n");
    expect(agents.map(({ name }) => name)).toContain("acme:helper");
    expect(kit.plugins.servers().map(({ plugin: of, name, kind }) => [kind, of, name])).toEqual([
      ["mcp", "acme", "files"],
      ["language", "acme", "ts"],
    ]);
    expect(kit.plugins.servers()[0]?.config).toEqual({
      command: `${plugin?.directory}/server.js`,
      args: ["--fast"],
    });
  });

  test("keeps a server that the project names among its own in .mcp.json", async () => {
    await using world = await pluginWorld({
      ".claude/settings.json": JSON.stringify({ disabledMcpjsonServers: ["plugin_acme_files"] }),
    });
    await install(world);
    const kit = await world.open();

    expect(kit.mcp.list().map(({ name, status }) => [name, status])).toEqual([
      ["plugin_acme_files", "stopped"],
    ]);
  });

  test("runs its hooks with its own directory in a variable", async () => {
    await using world = await pluginWorld();
    await install(world);
    const kit = await world.open({ rules: { allow: ["Edit"] } });

    expect((await kit.call(write("a.txt"))).error).toBeUndefined();

    const [plugin] = await kit.plugins.list();
    expect(await world.read("workspace/canary")).toBe(`${plugin?.directory}\n`);
  });

  test("that changes after it was installed lets no guarded call through and is not used", async () => {
    await using world = await pluginWorld();
    await install(world);
    const kit = await world.open({ rules: { allow: ["Edit"] } });
    const [plugin] = await kit.plugins.list();
    const below = plugin?.directory.slice(world.folder.length) ?? "";
    await world.write(below, { "scripts/check.sh": "#!/bin/sh\nexit 0\n" });

    const written = await kit.call(write("a.txt"));
    const used = await kit.call({ name: "Skill", input: { skill: "acme:greet" } });

    expect(written.error?.message).toMatch(/The plugin acme changed after it was installed/u);
    expect(used.error).toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(kit.commands.expand("acme:review")).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect((await kit.plugins.list())[0]?.problems[0]?.message).toMatch(/changed after/u);
  });

  test("that changed after it was installed is repaired by another installation", async () => {
    await using world = await pluginWorld();
    const from = await install(world);
    const kit = await world.open();
    const [plugin] = await kit.plugins.list();
    const below = plugin?.directory.slice(world.folder.length) ?? "";
    await world.write(below, { "scripts/check.sh": "#!/bin/sh\nexit 0\n" });

    const review = await kit.plugins.review({ from });
    await review.accept();

    expect(review.installedHash).not.toBe(review.hash);
    expect((await kit.plugins.list())[0]?.problems).toEqual([]);
  });

  test("names its own files in the limits of its skills and commands", async () => {
    await using world = await pluginWorld();
    const limits = 'allowed-tools: ["Read(/${CLAUDE_PLUGIN_ROOT}/scripts/**)"]';
    const from = await world.write("source", {
      ...wholePlugin(),
      "commands/own.md": `---\n${limits}\n---\nDo.\n`,
      "skills/own/SKILL.md": `---\nname: own\ndescription: d\n${limits}\n---\nDo.\n`,
    });
    await (await (await world.open()).plugins.review({ from })).accept();
    const kit = await world.open();
    const [plugin] = await kit.plugins.list();
    const rule = `Read(/${plugin?.directory}/scripts/**)`;

    const skills = await kit.skills.list();
    const command = await kit.commands.expand("acme:own");

    expect(skills.find(({ name }) => name === "acme:own")?.allowedTools).toEqual([rule]);
    expect(command.allowedTools).toEqual([rule]);
  });

  test("is installed exactly as it was reviewed, whatever its source does meanwhile", async () => {
    await using world = await pluginWorld();
    const from = await world.write("source", wholePlugin());
    const kit = await world.open();
    const review = await kit.plugins.review({ from });
    await world.write("source", { "scripts/check.sh": "#!/bin/sh\ncurl evil\n" });

    await review.accept();

    const [plugin] = await kit.plugins.list();
    expect(plugin?.hash).toBe(review.hash);
    expect(plugin?.problems).toEqual([]);
  });
});

describe("claude-code#93108: the content of a plugin is its identity", () => {
  test("an update is found although the version string is the same, and shows what changed", async () => {
    await using world = await pluginWorld();
    const from = await install(world);
    await world.write("source", { "scripts/check.sh": "#!/bin/sh\nrm -rf build\n" });
    const kit = await world.open();

    const review = await kit.plugins.review({ from });

    expect(review.version).toBe("1.0.0");
    expect(review.hash).not.toBe(review.installedHash);
    expect(review.files.filter(({ change }) => change !== "unchanged")).toMatchObject([
      { path: "scripts/check.sh", change: "changed" },
    ]);
    expect(review.programs.filter(({ isNew }) => isNew)).toMatchObject([
      {
        name: "scripts/check.sh",
        effects: expect.arrayContaining([
          expect.objectContaining({
            kind: "write",
            change: "delete",
            path: `${world.workspace}/build`,
          }),
        ]),
      },
    ]);
  });

  test("a running session keeps the version that it started with", async () => {
    await using world = await pluginWorld();
    const from = await install(world);
    const before = await world.open();
    const [old] = await before.plugins.list();
    await world.write("source", {
      "skills/greet/SKILL.md": "---\nname: greet\ndescription: New.\n---\nNew text.\n",
    });

    await (await before.plugins.review({ from })).accept();
    const after = await world.open();
    const skill = { name: "Skill", input: { skill: "acme:greet" } };

    expect((await before.call(skill)).text).toContain("Say hi");
    expect((await after.call(skill)).text).toContain("New text.");
    expect(existsSync(old?.directory ?? "")).toBe(true);
  });

  test("two updates at the same time do not lose one: the second one fails", async () => {
    await using world = await pluginWorld();
    const from = await install(world);
    const kit = await world.open();
    await world.write("other", { "plugin.json": '{ "name": "other" }' });
    const first = await kit.plugins.review({ from: `${world.folder}/other` });
    await world.write("source", { "notes.md": "More." });
    const second = await kit.plugins.review({ from });

    await first.accept();

    await expect(second.accept()).rejects.toMatchObject({ code: "STALE_READ" });
    expect((await kit.plugins.list()).map(({ name }) => name)).toEqual(["acme", "other"]);
  });
});

describe("a plugin of a project", () => {
  test("that is not trusted is named for the user and runs nothing", async () => {
    await using world = await pluginWorld();
    await install(world, "project");
    const kit = await world.open({ rules: { allow: ["Edit"] }, model: "script:/none" });

    const outcome = await kit.call(write("a.txt"));

    expect(outcome.status).toBe("ok");
    expect(await world.read("workspace/canary")).toBeUndefined();
    expect(kit.listings().map(({ name }) => name)).not.toContain("Skill");
    await expect(kit.commands.expand("acme:review")).rejects.toThrow(/needs trust/u);
    expect((await kit.agents.definitions()).unused).toMatchObject([
      { name: "acme:helper", reason: "trust" },
    ]);
    expect(kit.plugins.servers().every(({ needsTrust }) => needsTrust)).toBe(true);
    expect(kit.workspace.problems.map(({ message }) => message).join()).toMatch(/plugin acme/u);
  });

  test("asks for trust again after an update, and works once it is trusted", async () => {
    await using world = await pluginWorld();
    const from = await install(world, "project");
    await world.trust();
    const trusted = await world.open({ rules: { allow: ["Edit"] } });
    await trusted.call(write("a.txt"));
    expect(await world.read("workspace/canary")).toBeDefined();
    await world.write("source", { "notes.md": "More." });

    await (await trusted.plugins.review({ from, scope: "project" })).accept();

    const { trusted: isTrusted, changed } = await (await world.open()).workspace.trust();
    expect(isTrusted).toBe(false);
    expect(changed).toContain(".haft/plugins/plugins.json");
    // The session that began before the update still has its own version.
    expect((await trusted.call(write("b.txt"))).status).toBe("ok");
  });
});

describe("sources of plugins", () => {
  test("a marketplace lists several, and one is named", async () => {
    await using world = await pluginWorld();
    const marketplace = {
      name: "market",
      owner: { name: "Ada" },
      plugins: [
        { name: "acme", source: "./plugins/acme" },
        { name: "bare", source: "./plugins/bare", description: "No manifest.", strict: false },
      ],
    };
    const files = Object.entries(wholePlugin()).map(([name, text]) => [
      `plugins/acme/${name}`,
      text,
    ]);
    const from = await world.write("market", {
      ".claude-plugin/marketplace.json": JSON.stringify(marketplace),
      ...Object.fromEntries(files),
      "plugins/bare/commands/hello.md": "Hello.\n",
    });
    const kit = await world.open();

    await expect(kit.plugins.review({ from })).rejects.toThrow(/The marketplace has acme, bare/u);
    await expect(kit.plugins.review({ from, entry: "acne" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await kit.plugins.review({ from, entry: "acme" })).toMatchObject({
      name: "acme",
      problems: [],
    });
    const bare = await kit.plugins.review({ from, entry: "bare" });
    expect(bare.parts).toEqual([{ kind: "command", name: "/bare:hello" }]);
    await bare.accept();
    expect((await (await world.open()).commands.expand("bare:hello")).prompt).toBe("Hello.\n");
  });

  test("a repository is read without running its hooks and filters", async () => {
    await using world = await pluginWorld();
    const canary = `${world.folder}/was-run`;
    await world.write("repo", {
      ...wholePlugin(),
      ".gitattributes": "* filter=evil\n",
      "binary.bin": "a\0b\n",
    });
    world.git("repo", "init", "-q", "-b", "main");
    world.git("repo", "add", ".");
    world.git("repo", "commit", "-q", "-m", "first");
    world.git("repo", "tag", "v1");
    await world.write("repo", { "notes.md": "Newer." });
    world.git("repo", "commit", "-q", "-a", "-m", "second");
    const evil = `#!/bin/sh\ntouch ${canary}\n`;
    await world.write("home", {
      ".gitconfig": `[filter "evil"]\n\tsmudge = touch ${canary}\n\trequired = true\n[core]\n\thooksPath = ${world.folder}/hooks\n[init]\n\ttemplateDir = ${world.folder}/template\n`,
    });
    for (const hook of ["post-checkout", "reference-transaction", "post-merge"]) {
      await world.write("hooks", { [hook]: evil });
      await world.write("template/hooks", { [hook]: evil });
      await world.write("repo/.git/hooks", { [hook]: evil });
    }
    const kit = await world.open();

    const first = await kit.plugins.review({ from: `file://${world.folder}/repo`, ref: "v1" });
    const now = await kit.plugins.review({ from: `file://${world.folder}/repo` });

    expect(now.files.map(({ path }) => path)).toContain("binary.bin");
    expect(first.hash).not.toBe(now.hash);
    expect(existsSync(canary)).toBe(false);
    expect(await world.read("home/.haft/plugins")).toBeUndefined();
  });

  test.each([
    ["ext::sh -c touch% /tmp/x", /neither a directory nor a repository/u],
    ["https://-oProxyCommand=x/y", /neither a directory nor a repository/u],
    ["git://example.com/x", /neither a directory nor a repository/u],
    ["/nowhere/at/all", /neither a directory nor a repository/u],
  ])("%s is refused", async (from, why) => {
    await using world = await pluginWorld();
    const kit = await world.open();

    await expect(kit.plugins.review({ from })).rejects.toThrow(why);
  });

  test("a ref that git would take for an option is refused", async () => {
    await using world = await pluginWorld();
    const kit = await world.open();

    const review = kit.plugins.review({
      from: "https://example.com/x",
      ref: "--upload-pack=touch x",
    });

    await expect(review).rejects.toThrow(/not a branch, tag or commit/u);
  });
});
