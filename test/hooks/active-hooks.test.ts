import { describe, expect, test } from "vitest";
import type { Kit } from "../../src/index.ts";
import { lastResult, scenes, starts } from "../support/agent-world.ts";
import { hookWorld } from "./hook-world.ts";

const write = { name: "Write", input: { file_path: "b.txt", content: "x" } };
const use = (skill: string) => ({ name: "Skill", input: { skill } });
const skillFile = ".claude/skills/guarded/SKILL.md";

/** A document with a hook that blocks Write. */
const guarded = (fields: string, command = "echo not now >&2; exit 2", body = "work on it") => `---
name: guarded
description: Works with care.
${fields}
hooks:
  PreToolUse:
    - matcher: Write
      hooks:
        - type: command
          command: ${JSON.stringify(command)}
---
${body}
`;

describe("hooks of a skill", () => {
  test("run while it is active in its session, and not before, elsewhere or after its run", async () => {
    await using world = await hookWorld({}, { [skillFile]: guarded("") });
    await using kit = await world.open({ mode: "bypassPermissions" });
    const options = { sessionId: "s", runId: "r" };

    const before = await kit.call(write, options);
    await kit.call(use("guarded"), options);
    const active = await kit.call(write, options);
    const below = await kit.derive().call(write, { sessionId: "s", agentId: "a", runId: "r2" });
    const elsewhere = await kit.call(write, { sessionId: "other" });
    kit.events.emit({ type: "run-end", runId: "r", status: "done", text: "" });
    const after = await kit.call(write, options);

    expect([before.status, elsewhere.status, after.status]).toEqual(["ok", "ok", "ok"]);
    expect(active.error).toMatchObject({ code: "BLOCKED_BY_HOOK" });
    expect(active.text).toContain("not now");
    expect(below.error?.code).toBe("BLOCKED_BY_HOOK");
  });

  test("know the directory of the skill, and run once for each use where they say once", async () => {
    const text = guarded("", 'echo "$CLAUDE_SKILL_DIR" >> used.txt; exit 0');
    await using world = await hookWorld(
      {},
      { [skillFile]: text.replace("- type", "- once: true\n          type") },
    );
    await using kit = await world.open({ mode: "bypassPermissions" });
    const options = { sessionId: "s", runId: "r" };

    for (let uses = 0; uses < 2; uses += 1) {
      await kit.call(use("guarded"), options);
      await kit.call(write, options);
      await kit.call(write, options);
    }

    const directory = world.at(".claude/skills/guarded");
    expect(await world.read("used.txt")).toBe(`${directory}\n${directory}\n`);
  });

  test("changed while it is active fail, and block", async () => {
    const text = guarded("", "bash .claude/skills/guarded/check.sh");
    await using world = await hookWorld(
      {},
      { [skillFile]: text, ".claude/skills/guarded/check.sh": "exit 0" },
    );
    await world.trust();
    await using kit = await world.openRecorded();
    kit.setMode("bypassPermissions");
    await kit.call(use("guarded"), { sessionId: "s" });
    expect((await kit.call(write, { sessionId: "s" })).status).toBe("ok");

    await world.write(".claude/skills/guarded/check.sh", "touch canary");
    const { error } = await kit.call(write, { sessionId: "s" });

    expect(error?.code).toBe("BLOCKED_BY_HOOK");
    expect(error?.message).toMatch(/check\.sh changed after/u);
    expect(await world.read("canary")).toBeUndefined();
  });

  test("run a script outside the skill only as it was trusted", async () => {
    const text = guarded("", "bash tools/check.sh");
    await using world = await hookWorld({}, { [skillFile]: text, "tools/check.sh": "exit 0" });
    await world.trust();
    await using kit = await world.openRecorded();
    kit.setMode("bypassPermissions");
    await kit.call(use("guarded"), { sessionId: "s" });

    expect((await kit.call(write, { sessionId: "s" })).status).toBe("ok");
    await world.write("tools/check.sh", "touch canary");
    expect((await kit.call(write, { sessionId: "s" })).error?.code).toBe("BLOCKED_BY_HOOK");
    expect(await world.read("canary")).toBeUndefined();
  });

  test("are off where the settings switch hooks off", async () => {
    await using world = await hookWorld(
      {},
      { [skillFile]: guarded(""), ".haft/settings.json": '{"disableAllHooks":true}' },
    );
    await using kit = await world.open({ mode: "bypassPermissions" });

    await kit.call(use("guarded"), { sessionId: "s" });

    expect((await kit.call(write, { sessionId: "s" })).status).toBe("ok");
  });

  test("of a workspace that is not trusted do not run", async () => {
    await using world = await hookWorld({}, { [skillFile]: guarded("", "touch canary") });
    await using kit = await world.open({ mode: "bypassPermissions", trust: false });

    await kit.call(use("guarded"), { sessionId: "s" });
    await kit.call(write, { sessionId: "s" });

    expect(await world.read("canary")).toBeUndefined();
  });
});

describe("hooks of an agent", () => {
  const file = ".claude/agents/guarded.md";

  test("run for it and the agents below it, and for nothing else", async () => {
    const text = guarded("tools: Write, Agent");
    await using world = await hookWorld({}, { [file]: text });
    const model = scenes({
      outer: [{ calls: [write] }, starts("inner"), { text: "done" }],
      inner: [{ calls: [write] }, { text: "done" }],
    });
    await using kit = await world.open({ mode: "bypassPermissions", model });

    const agent = await kit.agents.start({ prompt: "outer", agent: "guarded" });
    const mine = await kit.call(write);

    expect(agent.status).toBe("done");
    const results = model.requests.map(lastResult).filter((each) => each.includes("not now"));
    expect(results.length).toBeGreaterThanOrEqual(2);
    expect(agent.denials).toHaveLength(2);
    expect(mine.status).toBe("ok");
  });

  test("see its end as the end of an agent", async () => {
    const text = `---\nname: guarded\ndescription: x\nhooks:\n  Stop:\n    - hooks: [{ type: command, command: "cat > end.json" }]\n---\nWork.`;
    await using world = await hookWorld({}, { [file]: text });
    await using kit = await world.open({ model: scenes({ task: [{ text: "done" }] }) });

    await kit.agents.start({ prompt: "task", agent: "guarded" });

    expect(JSON.parse((await world.read("end.json")) ?? "{}")).toMatchObject({
      hook_event_name: "SubagentStop",
      agent_type: "guarded",
    });
  });

  test("that cannot be read make it unusable", async () => {
    const text = guarded("").replace("PreToolUse", "PreToolUze");
    await using world = await hookWorld({}, { [file]: text });
    await using kit = await world.open();

    const { unused } = await kit.agents.definitions();

    expect(unused.map(({ message }) => message).join()).toMatch(/no event "PreToolUze"/u);
  });
});

const forked = (fields: string) => guarded(`context: fork\n${fields}`);

describe("a skill with context: fork", () => {
  test("is worked on by an agent of its own, within its limits and hooks; the caller is free", async () => {
    await using world = await hookWorld(
      {},
      { [skillFile]: forked("allowed-tools: Read Write"), "a.txt": "alpha" },
    );
    const bash = { name: "Bash", input: { command: "touch c.txt" } };
    const model = scenes({
      main: [{ calls: [use("guarded")] }, { calls: [write] }, { text: "end" }],
      "work on it": [{ calls: [write] }, { calls: [bash] }, { text: "the report" }],
    });
    await using kit = await world.open({ mode: "bypassPermissions", model });

    await kit.run({ task: "main", model }).result;

    const results = model.requests.map(lastResult);
    expect(results.filter((each) => each.includes("not now"))).toHaveLength(1);
    expect(results.some((each) => each.includes("the report"))).toBe(true);
    expect(await world.read("b.txt")).toBe("x");
    expect(await world.read("c.txt")).toBeUndefined();
  });

  test("keeps its limits when its agent is continued", async () => {
    await using world = await hookWorld({}, { [skillFile]: forked("allowed-tools: Read") });
    const bash = { name: "Bash", input: { command: "touch c.txt" } };
    const model = scenes({ "work on it": [{ text: "one" }, { calls: [bash] }, { text: "two" }] });
    await using kit = await world.open({ mode: "bypassPermissions", model });
    await kit.call(use("guarded"), { sessionId: "s" });
    const [agent] = await kit.agents.list();

    const again = await kit.agents.start(
      { prompt: "more", resume: agent?.agentId },
      { sessionId: "s" },
    );

    expect(again.text).toBe("two");
    expect(again.denials).toHaveLength(1);
    expect(await world.read("c.txt")).toBeUndefined();
  });

  test("is not continued where its skill is no longer trusted, or changed since", async () => {
    await using world = await hookWorld({}, { [skillFile]: forked("allowed-tools: Read") });
    await world.trust();
    const model = scenes({ "work on it": [{ text: "one" }, { text: "two" }] });
    const resume = async (kit: Kit): Promise<string | undefined> => {
      const request = { prompt: "more", resume: agentId };
      return (await kit.agents.start(request, { sessionId: "s" })).error?.code;
    };
    let agentId: string | undefined;
    {
      await using kit = await world.open({ mode: "bypassPermissions", model });
      await kit.call(use("guarded"), { sessionId: "s" });
      agentId = (await kit.agents.list())[0]?.agentId;
    }

    await using untrusted = await world.open({ trust: false, mode: "bypassPermissions", model });
    const withoutTrust = await resume(untrusted);
    await using changed = await world.openRecorded({ mode: "bypassPermissions", model });
    await world.write(".claude/skills/guarded/more.sh", "true");
    const afterChange = await resume(changed);

    expect(agentId).toBeDefined();
    expect([withoutTrust, afterChange]).toEqual(["NOT_FOUND", "PERMISSION_DENIED"]);
  });

  test("uses the tools of the agent that it names, which must exist", async () => {
    const agent = "---\nname: reader\ndescription: x\ntools: Read\n---\nRead.";
    await using world = await hookWorld(
      {},
      { [skillFile]: forked("agent: reader"), ".claude/agents/reader.md": agent },
    );
    const model = scenes({ "work on it": [{ text: "one" }] });
    await using kit = await world.open({ mode: "bypassPermissions", model });

    const { status } = await kit.call(use("guarded"));
    const names = model.requests[0]?.tools.map(({ name }) => name);

    expect([status, names]).toEqual(["ok", ["Read"]]);
    await world.write(skillFile, forked("agent: nowhere"));
    await using other = await world.open({ mode: "bypassPermissions", model });
    expect((await other.call(use("guarded"))).error?.message).toMatch(/no agent called "nowhere"/u);
  });

  test("needs an agent, and is refused by a rule about agents", async () => {
    await using world = await hookWorld({}, { [skillFile]: forked("") });
    await using alone = await world.open({ mode: "bypassPermissions" });
    await using denied = await world.open({
      model: scenes({}),
      rules: { deny: ["Agent(general)"] },
    });

    expect((await alone.call(use("guarded"))).error?.code).toBe("UNAVAILABLE");
    expect((await denied.call(use("guarded"))).error?.code).toBe("PERMISSION_DENIED");
  });
});

describe("a skill that the user starts", () => {
  test("is the task of a run, whose hooks run until the run has ended", async () => {
    await using world = await hookWorld({}, { [skillFile]: guarded("model: m:x") });
    const model = scenes({ "Skill guarded, in ": [{ calls: [write] }, { text: "end" }] });
    await using kit = await world.open({ mode: "bypassPermissions", model });

    const command = await kit.commands.expand("guarded", { sessionId: "s" });
    const run = { task: command.prompt, model, sessionId: "s" };
    const { denials } = await kit.run(run).result;
    const after = await kit.call(write, { sessionId: "s" });

    expect(command.model).toBe("m:x");
    expect(denials).toHaveLength(1);
    expect(after.status).toBe("ok");
  });

  test("is listed as a command, hides a command of its name, and needs a session for its hooks", async () => {
    await using world = await hookWorld(
      {},
      { [skillFile]: guarded(""), ".claude/commands/guarded.md": "the command" },
    );
    await using kit = await world.open();

    const { commands } = await kit.commands.list();

    expect(commands.map(({ name, file }) => [name, file])).toEqual([
      ["guarded", world.at(skillFile)],
    ]);
    await expect(kit.commands.expand("guarded")).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  test("of a workspace that is not trusted needs trust", async () => {
    await using world = await hookWorld({}, { [skillFile]: guarded("", "touch canary") });
    await using kit = await world.open({ trust: false });

    const expanded = kit.commands.expand("guarded", { sessionId: "s" });

    await expect(expanded).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("that only models may use is not a command", async () => {
    await using world = await hookWorld({}, { [skillFile]: guarded("user-invocable: false") });
    await using kit = await world.open();

    expect((await kit.commands.list()).commands).toEqual([]);
  });
});
