import { describe, expect, test } from "vitest";
import { lastResult, scenes, type Turn } from "../support/agent-world.ts";
import { hookWorld } from "./hook-world.ts";

const calls = (name: string, input: Record<string, unknown>) => ({ calls: [{ name, input }] });
const write = (name: string) => calls("Write", { file_path: name, content: "x" });
const spawn = calls("SessionsSpawn", { prompt: "other" });
const done = { text: "done" };

const looking = `---
name: look
description: Looks only.
allowed-tools: Read SessionsSpawn Agent
---
Look around.
`;

/** A document with a hook that blocks Write. */
const guarded = (name: string, fields = ""): string => `---
name: ${name}
${fields}
description: Works with care.
hooks:
  PreToolUse:
    - matcher: Write
      hooks:
        - type: command
          command: echo not now >&2; exit 2
---
work on it
`;

const files = {
  ".claude/skills/look/SKILL.md": looking,
  ".claude/skills/careful/SKILL.md": guarded("careful"),
  ".claude/agents/guard.md": guarded("guard", "tools: Read, Write, SessionsSpawn"),
};

async function world(scenesOf: Record<string, readonly Turn[]>) {
  const found = await hookWorld({}, files);
  const model = scenes(scenesOf);
  const kit = await found.open({
    model,
    mode: "acceptEdits",
    sessions: "memory",
    rules: { allow: ["SessionsSpawn", "Agent"] },
  });
  const refusals = (): readonly string[] =>
    model.requests.map(lastResult).filter((text) => /not run|blocked/u.test(text));
  return {
    kit,
    refusals,
    read: async (name: string) => await found.read(name),
    async [Symbol.asyncDispose]() {
      await kit.dispose();
      await found[Symbol.asyncDispose]();
    },
  };
}

describe("a session that a run starts", () => {
  test("has the limits of the skill that the run uses, also after the run has ended", async () => {
    const { promise: parentEnded, resolve } = Promise.withResolvers<void>();
    await using place = await world({
      go: [calls("Skill", { skill: "look" }), spawn, done, done],
      other: [
        async () => {
          await parentEnded;
          return write("escaped.txt");
        },
        done,
      ],
    });
    const { kit } = place;
    const ended = Promise.withResolvers<void>();
    kit.events.subscribe((event) => {
      if (event.type === "run-end" && event.text === "done" && event.depth === 1) ended.resolve();
    });

    await kit.run({ task: "go", waitForBackground: false }).result;
    resolve();
    await ended.promise;

    expect(place.refusals().join()).toContain("escaped.txt");
    expect(await place.read("escaped.txt")).toBeUndefined();
  });

  test.each([
    { what: "skill", first: calls("Skill", { skill: "careful" }) },
    { what: "agent", first: calls("Agent", { prompt: "mid", agent: "guard" }) },
  ])("is guarded by the hooks of the $what that starts it", async ({ what, first }) => {
    const isAgent = what === "agent";
    await using place = await world({
      go: isAgent ? [first, done, done] : [first, spawn, done, done],
      mid: [spawn, done, done],
      other: [write("escaped.txt"), done],
    });

    await place.kit.run({ task: "go" }).result;

    expect(place.refusals().join()).toContain("not now");
    expect(await place.read("escaped.txt")).toBeUndefined();
  });
});

describe("an agent in the background", () => {
  test.each([
    { skill: "look", refusal: "late.txt" },
    { skill: "careful", refusal: "not now" },
  ])("keeps what the skill $skill brings after the run has ended", async ({ skill, refusal }) => {
    const { promise: parentEnded, resolve } = Promise.withResolvers<void>();
    await using place = await world({
      go: [
        calls("Skill", { skill }),
        calls("Agent", { prompt: "later", run_in_background: true }),
        done,
      ],
      later: [
        async () => {
          await parentEnded;
          return write("late.txt");
        },
        done,
      ],
    });
    const { kit } = place;
    const ended = Promise.withResolvers<void>();
    kit.events.subscribe((event) => {
      if (event.type === "agent-end") ended.resolve();
    });

    const run = kit.run({ task: "go", waitForBackground: false });
    await run.result;
    resolve();
    await ended.promise;
    const after = await kit.call(
      { name: "Write", input: { file_path: "after.txt", content: "x" } },
      { sessionId: run.sessionId },
    );

    expect(place.refusals().join()).toContain(refusal);
    expect(await place.read("late.txt")).toBeUndefined();
    expect(after.status).toBe("ok");
  });

  test("that began before the skill was used is not limited by it", async () => {
    const { promise: isLimited, resolve } = Promise.withResolvers<void>();
    await using place = await world({
      go: [
        calls("Agent", { prompt: "early", run_in_background: true }),
        calls("Skill", { skill: "look" }),
        async () => {
          resolve();
          return write("late.txt");
        },
        done,
        done,
      ],
      early: [
        async () => {
          await isLimited;
          return write("early.txt");
        },
        done,
      ],
    });

    await place.kit.run({ task: "go" }).result;

    expect(await place.read("early.txt")).toBe("x");
    expect(await place.read("late.txt")).toBeUndefined();
  });
});
