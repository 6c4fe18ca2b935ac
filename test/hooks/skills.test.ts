import { assert, asyncProperty, constantFrom, subarray } from "fast-check";
import { symlinkSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { kitLibrary } from "../../src/server/index.ts";
import { hookWorld } from "./hook-world.ts";

const skill = (fields: string, body = "Do it.") => `---\n${fields}\n---\n${body}\n`;
const greet = skill(
  "name: greet\ndescription: Greets people.",
  "Say hello to $0 from ${CLAUDE_SKILL_DIR}.",
);
const reader = skill(
  "name: reader\ndescription: Reads only.\nallowed-tools: Read Bash(git status)",
);
const use = (name: string, args = "") => ({ name: "Skill", input: { skill: name, args } });
const at = (name: string) => `.claude/skills/${name}/SKILL.md`;

describe("skills", () => {
  test("are listed in the description of Skill, read, and used with arguments", async () => {
    await using world = await hookWorld(
      {},
      { [at("greet")]: greet, ".claude/skills/greet/more.md": "more" },
    );
    await using kit = await world.open();

    const { description } = kit.listings({ names: ["Skill"] })[0] ?? {};
    const used = await kit.call(use("greet", "Ada"));
    const file = await kit.call({ name: "ReadSkill", input: { name: "greet", file: "more.md" } });
    const outside = await kit.call({
      name: "ReadSkill",
      input: { name: "greet", file: "../../../a.txt" },
    });

    expect(description).toContain("- greet: Greets people.");
    expect(used.text).toContain(`Say hello to Ada from ${world.at(".claude/skills/greet")}.`);
    expect(file.text).toBe("more");
    expect(outside.isError).toBe(true);
    expect((await kit.call({ name: "ListSkills", input: {} })).text).toBe(
      "- greet: Greets people.",
    );
  });

  test("have files that ReadSkill reads as Read would, those of the user without a question", async () => {
    const rules = { deny: ["Read(./.claude/skills/greet/private/**)"], ask: ["Read(asked.md)"] };
    await using world = await hookWorld(
      {},
      {
        [at("greet")]: greet,
        ".claude/skills/greet/private/p.md": "PRIVATE",
        ".claude/skills/greet/asked.md": "ASKED",
        [`home/${at("mine")}`]: skill("name: mine\ndescription: x"),
        "home/.claude/skills/mine/more.md": "mine",
        ".haft/settings.json": JSON.stringify({ permissions: rules }),
      },
    );
    vi.stubEnv("HOME", world.at("home"));
    await using kit = await world.open();
    const read = async (name: string, file: string) =>
      await kit.call({ name: "ReadSkill", input: { name, file } });

    const denied = await read("greet", "private/p.md");
    const link = await read("greet", "sub/../private/p.md");
    const own = await kit.explain({ name: "ReadSkill", input: { name: "mine" } });

    expect(denied).toMatchObject({ status: "denied", error: { code: "PERMISSION_DENIED" } });
    expect(link.status).toBe("denied");
    expect((await read("greet", "asked.md")).status).toBe("denied");
    expect(JSON.stringify([denied, link])).not.toContain("PRIVATE");
    expect((await read("mine", "more.md")).text).toBe("mine");
    expect(own.effects).toEqual([
      { kind: "read", path: world.at("home/.claude/skills/mine/SKILL.md"), scope: "file" },
    ]);
    const resources = kitLibrary(kit);
    expect(await resources.read("skill://greet/private/p.md")).toBeUndefined();
    expect(await resources.read("skill://mine/more.md")).toMatchObject([{ text: "mine" }]);
  });

  test("are found where the directory of the program is a link, and name their own directory in limits", async () => {
    const linked = skill(
      'name: own\ndescription: Own.\nallowed-tools: ["Bash(sh ${CLAUDE_SKILL_DIR}/a.sh)"]',
    );
    await using world = await hookWorld({}, { "dotfiles/skills/own/SKILL.md": linked });
    symlinkSync(world.at("dotfiles"), world.at(".claude"));
    await using kit = await world.open();

    const [own] = await kit.skills.list();

    expect(own?.name).toBe("own");
    expect(own?.allowedTools).toEqual([`Bash(sh ${world.at("dotfiles/skills/own")}/a.sh)`]);
  });

  test("are not offered where there are none, or none can be used", async () => {
    await using world = await hookWorld({}, { [at("broken")]: skill("name: broken") });
    await using kit = await world.open();

    expect(kit.listings().map(({ name }) => name)).not.toContain("Skill");
    expect(kit.workspace.problems.map(({ message }) => message).join()).toMatch(
      /`description` is missing/u,
    );
  });

  test("with another name than their directory are offered under that of the directory", async () => {
    await using world = await hookWorld(
      {},
      { [at("greet")]: skill("name: Greet People\ndescription: x") },
    );
    await using kit = await world.open();

    expect((await kit.call(use("greet"))).status).toBe("ok");
    expect((await kit.call({ name: "ListSkills", input: {} })).text).toBe("- greet: x");
  });

  test("of a workspace that is not trusted are hidden from the model and named for the user", async () => {
    await using world = await hookWorld({}, { [at("greet")]: greet });
    await using kit = await world.open({ trust: false });

    expect(kit.listings().map(({ name }) => name)).not.toContain("Skill");
    expect(kit.workspace.problems.map(({ message }) => message).join()).toMatch(/skill greet/u);
  });

  test("are not read for a kit that offers none, which still lists them", async () => {
    await using world = await hookWorld(
      {},
      { [at("greet")]: greet, [at("broken")]: skill("name: broken") },
    );
    await using kit = await world.open({ skills: "none" });

    expect(kit.listings().map(({ name }) => name)).not.toContain("Skill");
    expect(kit.workspace.problems).toEqual([]);
    expect((await kit.skills.list()).map(({ name }) => name).toSorted()).toEqual([
      "broken",
      "greet",
    ]);
  });

  test("of a workspace that is not trusted are counted where there are many", async () => {
    const many = Array.from({ length: 30 }, (_each, index) => `s${index}`);
    await using world = await hookWorld(
      {},
      Object.fromEntries(many.map((name) => [at(name), skill(`name: ${name}\ndescription: x`)])),
    );
    await using kit = await world.open({ trust: false });

    const [problem] = kit.workspace.problems;
    expect(problem?.message).toContain("26 more of the kind, which haft trust lists");
    expect(problem?.message.match(/skill s/gu)).toHaveLength(4);
  });

  test("changed after the workspace was trusted are not used, also while the kit is open", async () => {
    await using world = await hookWorld(
      {},
      { [at("greet")]: greet, ".claude/skills/greet/run.sh": "echo" },
    );
    await world.trust();
    await using kit = await world.openRecorded();
    expect((await kit.call(use("greet"))).status).toBe("ok");

    await world.write(".claude/skills/greet/run.sh", "curl evil");
    const { error } = await kit.call(use("greet"));

    expect(error).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(error?.message).toMatch(/run\.sh changed after/u);
  });

  test("with the same name are reported, and the first one is used", async () => {
    const second = skill("name: greet\ndescription: Another one.");
    await using world = await hookWorld(
      {},
      { [at("greet")]: greet, ".haft/skills/greet/SKILL.md": second },
    );
    await using kit = await world.open();

    expect((await kit.call({ name: "ListSkills", input: {} })).text).toBe("- greet: Another one.");
    expect(kit.workspace.problems.map(({ message }) => message).join()).toMatch(
      /The name greet is taken by/u,
    );
  });

  test("do not run a command that arguments add, and none by themselves", async () => {
    const body = "Look: !`git status`\n$ARGUMENTS";
    await using world = await hookWorld(
      {},
      { [at("look")]: skill("name: look\ndescription: x", body) },
    );
    await using kit = await world.open({ mode: "bypassPermissions" });

    const { text } = await kit.call(use("look", "!`touch canary`"));

    expect(text).toContain("(Run this with Bash and read its output here: `git status`)");
    expect(text).toContain("\n!`touch canary`");
    expect(await world.read("canary")).toBeUndefined();
  });

  test.each([
    ["a hook that would not run", "hooks:\n  PreToolUze: []", /`hooks`: There is no event/u],
    ["a context that is not one", "context: spoon", /`context` is not "fork"/u],
    ["a misspelled limit", "allowed-tool: Read", /did you mean `allowed-tools`/u],
    ["an alias that expands", "metadata: &a { b: 1 }\nx: *a", /Anchors and aliases/u],
    ["a wrong type", "allowed-tools: 5", /not a text/u],
  ])("cannot be used with %s", async (_name, fields, why) => {
    const text = skill(`name: odd\ndescription: x\n${fields}`);
    await using world = await hookWorld({}, { [at("odd")]: text });
    await using kit = await world.open();

    expect(kit.workspace.problems.map(({ message }) => message).join()).toMatch(why);
    expect(kit.listings().map(({ name }) => name)).not.toContain("Skill");
  });

  test("with an agent and without a fork can be used: the agent has no effect", async () => {
    const text = skill("name: odd\ndescription: x\nagent: planner");
    await using world = await hookWorld({}, { [at("odd")]: text });
    await using kit = await world.open();

    const { problems = [] } =
      (await kit.settings.check()).find(({ kind }) => kind === "skill") ?? {};

    expect((await kit.call(use("odd"))).status).toBe("ok");
    expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toContain(
      "warning: `agent` has no effect without `context: fork`.",
    );
  });

  test("of 50 MB are reported and not read", async () => {
    await using world = await hookWorld({}, { [at("big")]: `${greet}${"x".repeat(50_000_000)}` });
    await using kit = await world.open();

    expect(kit.workspace.problems.length).toBeGreaterThan(0);
    expect(kit.listings().map(({ name }) => name)).not.toContain("Skill");
  });
});

describe("claude-code#89195: allowed-tools of an active skill is a limit", () => {
  test("that no mode, no rule and no child escapes, until the run has ended", async () => {
    await using world = await hookWorld({}, { [at("reader")]: reader, "a.txt": "alpha" });
    await using kit = await world.open({
      mode: "bypassPermissions",
      rules: { allow: ["Edit", "Bash"] },
    });
    const options = { sessionId: "s", runId: "r" };
    await kit.call(use("reader"), options);
    const write = { name: "Write", input: { file_path: "b.txt", content: "x" } };
    const child = kit.derive();

    for (const each of [kit, child, child.derive()]) {
      expect(
        (await each.call({ name: "Read", input: { file_path: "a.txt" } }, options)).status,
      ).toBe("ok");
      expect((await each.call(write, options)).error?.code).toBe("PERMISSION_DENIED");
      expect((await each.call(write, { sessionId: "s", agentId: "a", runId: "r2" })).status).toBe(
        "denied",
      );
      expect(
        (await each.call({ name: "Bash", input: { command: "touch b.txt" } }, options)).status,
      ).toBe("denied");
    }
    expect(await world.read("b.txt")).toBeUndefined();
    kit.events.emit({ type: "run-end", runId: "r", status: "done", text: "" });
    expect((await kit.call(write, options)).status).toBe("ok");
  });

  test("and a second skill without a limit does not lift it", async () => {
    await using world = await hookWorld({}, { [at("reader")]: reader, [at("greet")]: greet });
    await using kit = await world.open({ mode: "bypassPermissions" });
    const options = { sessionId: "s" };

    await kit.call(use("reader"), options);
    expect((await kit.call(use("greet"), options)).status).toBe("ok");

    const write = { name: "Write", input: { file_path: "b.txt", content: "x" } };
    expect((await kit.call(write, options)).status).toBe("denied");
  });

  test("for whatever it names: no call has an effect beyond it", async () => {
    const tools = ["Read", "Edit(src/**)", "Bash(git status)", "Bash(ls *)", "Glob"];
    const calls = [
      { name: "Read", input: { file_path: "a.txt" } },
      { name: "Write", input: { file_path: "src/x.txt", content: "x" } },
      { name: "Write", input: { file_path: "y.txt", content: "x" } },
      { name: "Bash", input: { command: "touch z.txt" } },
      { name: "Bash", input: { command: "ls && touch z.txt" } },
    ];
    await assert(
      asyncProperty(
        subarray(tools, { minLength: 1 }),
        constantFrom(...calls),
        async (allowed, call) => {
          const text = skill(`name: some\ndescription: x\nallowed-tools: ${allowed.join(" ")}`);
          await using world = await hookWorld(
            {},
            { [at("some")]: text, "a.txt": "a", "src/a.txt": "a" },
          );
          await using kit = await world.open({ mode: "bypassPermissions" });
          await kit.call(use("some"), { sessionId: "s" });

          const { status, error } = await kit.call(call, { sessionId: "s" });

          const { file_path: file } = call.input as { file_path?: string };
          const may =
            (call.name === "Read" && allowed.includes("Read")) ||
            (file === "src/x.txt" && allowed.includes("Read") && allowed.includes("Edit(src/**)"));
          expect([status === "ok", error === undefined]).toEqual([may, may]);
          expect(await world.read("z.txt")).toBeUndefined();
          expect(await world.read("y.txt")).toBeUndefined();
        },
      ),
      { numRuns: 15 },
    );
  });
});
