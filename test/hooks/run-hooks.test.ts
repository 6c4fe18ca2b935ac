import { describe, expect, test } from "vitest";
import { scenes } from "../support/agent-world.ts";
import { saying } from "../support/stored-kits.ts";
import { answering, hookWorld } from "./hook-world.ts";

const note = "cat >> seen.jsonl; echo >> seen.jsonl";

async function eventsIn(world: { read(name: string): Promise<string | undefined> }) {
  const text = (await world.read("seen.jsonl")) ?? "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
}

const only = (matcher: string) => [{ matcher, hooks: [{ type: "command", command: note }] }];

describe("hooks of a run", () => {
  test("run at its start and end, and when its session ends", async () => {
    const events = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd", "SubagentStart"];
    await using world = await hookWorld(Object.fromEntries(events.map((name) => [name, note])));
    const kit = await world.open();

    await kit.run({ task: "say hi", model: saying("hi").model, sessionId: "s1" }).result;
    await kit.run({ task: "again", model: saying("hi").model, sessionId: "s1" }).result;
    await kit.dispose();

    const seen = await eventsIn(world);
    expect(seen.map((event) => event["hook_event_name"])).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "Stop",
      "UserPromptSubmit",
      "Stop",
      "SessionEnd",
    ]);
    expect(seen[0]).toMatchObject({ session_id: "s1", source: "startup" });
    expect(seen[1]).toMatchObject({ prompt: "say hi" });
    expect(seen[2]).toMatchObject({ stop_hook_active: false, last_assistant_message: "hi" });
  });

  test("of a sub-agent have events of their own, with its id", async () => {
    const events = ["SessionStart", "SubagentStart", "SubagentStop", "Stop"];
    await using world = await hookWorld(Object.fromEntries(events.map((name) => [name, note])));
    await using kit = await world.open();

    const run = { task: "look", model: saying("done").model, agentId: "explore-1", depth: 1 };
    await kit.derive().run(run).result;

    const seen = await eventsIn(world);
    expect(seen.map((event) => [event["hook_event_name"], event["agent_id"]])).toEqual([
      ["SubagentStart", "explore-1"],
      ["SubagentStop", "explore-1"],
    ]);
  });

  test("of a sub-agent are chosen by the type of the agent, and learn it", async () => {
    await using world = await hookWorld({
      SubagentStart: only("general"),
      SubagentStop: only("general"),
      PreToolUse: only(""),
    });
    const calls = [{ name: "Glob", input: { pattern: "*" } }];
    const model = scenes({ look: [{ calls }, { text: "done" }] });
    await using kit = await world.open({ model });

    await kit.agents.start({ prompt: "look" });

    const seen = await eventsIn(world);
    expect(seen.map((event) => [event["hook_event_name"], event["agent_type"]])).toEqual([
      ["SubagentStart", "general"],
      ["PreToolUse", "general"],
      ["SubagentStop", "general"],
    ]);
  });

  test("add to the task, as text or in an answer", async () => {
    const answer = answering({
      hookSpecificOutput: {
        hookEventName: "UserPromptSubmit",
        additionalContext: "Today is Monday.",
      },
    });
    await using world = await hookWorld({
      SessionStart: "echo On branch main",
      UserPromptSubmit: answer,
    });
    await using kit = await world.open();
    const asked = saying("ok");

    await kit.run({ task: "go", model: asked.model }).result;

    expect(JSON.stringify(asked.requests[0]?.messages)).toContain(
      String.raw`go\n\nOn branch main\n\nToday is Monday.`,
    );
  });

  test.each([
    ["blocks it", "echo contains a secret >&2; exit 2", /contains a secret/u],
    ["fails", "exit 1", /ended with code 1/u],
  ])("a task does not reach the model if a hook %s", async (_name, command, why) => {
    await using world = await hookWorld({ UserPromptSubmit: command });
    await using kit = await world.open();
    const asked = saying("ok");

    const result = await kit.run({ task: "go", model: asked.model }).result;

    expect(result.error).toMatchObject({ code: "BLOCKED_BY_HOOK" });
    expect(result.error?.message).toMatch(why);
    expect(asked.requests).toEqual([]);
  });

  test("let the model continue where it wanted to end", async () => {
    const command = `if [ -e once ]; then exit 0; fi; touch once; echo run the tests first >&2; exit 2`;
    await using world = await hookWorld({ Stop: command });
    await using kit = await world.open();
    const asked = saying("done", "tests are green");

    const result = await kit.run({ task: "go", model: asked.model }).result;

    expect(result).toMatchObject({ status: "done", text: "tests are green", turns: 2 });
    expect(JSON.stringify(asked.requests[1]?.messages)).toContain("run the tests first");
  });

  test("end the run where they say so", async () => {
    await using world = await hookWorld({
      Stop: answering({ continue: false, stopReason: "over" }),
    });
    await using kit = await world.open();

    const result = await kit.run({ task: "go", model: saying("done").model }).result;

    expect(result).toMatchObject({ status: "aborted", error: { message: "over" } });
  });

  test("ask the model of the run, and only a clear yes lets a call run", async () => {
    const hooks = [{ type: "prompt", prompt: "Is this task harmless? $ARGUMENTS" }];
    await using world = await hookWorld({ UserPromptSubmit: [{ hooks }] });
    await using kit = await world.open();
    const status = async (...texts: readonly string[]) =>
      (await kit.run({ task: "go", model: saying(...texts).model }).result).status;

    expect(await status('{"ok": true}', "done")).toBe("done");
    expect(await status('{"ok": false, "reason": "no"}', "done")).toBe("failed");
    expect(await status("I think it is fine", "done")).toBe("failed");
  });

  test.each([
    ["its name", "script:judge.json", {}],
    ["an alias", "judge", { models: { aliases: { judge: "script:judge.json" } } }],
  ])("ask the model that the hook names by %s, not that of the run", async (_how, name, more) => {
    const hooks = [{ type: "prompt", prompt: "Is this fine?", model: name }];
    await using world = await hookWorld({ UserPromptSubmit: [{ hooks }] });
    await world.write(".haft/settings.json", JSON.stringify(more));
    const answers = async (text: string) => {
      await world.write("judge.json", scriptOf(text));
      await using kit = await world.open();
      return await kit.run({ task: "go", model: saying("done").model }).result;
    };

    expect(await answers('{"ok": true}')).toMatchObject({ status: "done", text: "done" });
    expect(await answers('{"ok": false, "reason": "not this"}')).toMatchObject({
      status: "failed",
      error: { code: "BLOCKED_BY_HOOK", message: expect.stringContaining("not this") },
    });
  });

  test("ask the model that a hook names about a call without a run", async () => {
    const hooks = [{ type: "prompt", prompt: "Is this fine?", model: "script:judge.json" }];
    await using world = await hookWorld({ PreToolUse: [{ hooks }] }, { "a.txt": "one" });
    await world.write("judge.json", scriptOf('{"ok": true}'));
    await using kit = await world.open();

    expect((await kit.call({ name: "Read", input: { file_path: "a.txt" } })).status).toBe("ok");
  });

  test("with an unknown model are a problem of their file, and fail", async () => {
    const hooks = [{ type: "prompt", prompt: "Is this fine?", model: "haiku" }];
    await using world = await hookWorld({ PreToolUse: [{ hooks }] }, { "a.txt": "one" });
    await using kit = await world.open();

    const { error } = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

    expect(kit.workspace.problems).toEqual([
      {
        severity: "warning",
        file: world.at(".claude/settings.json"),
        line: expect.any(Number),
        message:
          'This hook names the model "haiku", and no alias has that name: the hook will fail.',
        hint: 'Add it to models.aliases of the settings, as in { "haiku": "provider:model" }.',
      },
    ]);
    expect(error).toMatchObject({
      code: "BLOCKED_BY_HOOK",
      message: expect.stringContaining('"haiku" is not a model'),
    });
  });
});

/** Script of a model that says one text. */
function scriptOf(text: string): string {
  return JSON.stringify({ format: 1, name: "judge", turns: [{ text }] });
}
