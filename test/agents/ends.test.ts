import { describe, expect, test } from "vitest";
import { createAgents, generalAgent, type ScriptTurn } from "../../src/agent/index.ts";
import type { Kit } from "../../src/kit/index.ts";
import { agentKit, starts } from "../support/agent-world.ts";
import { gate } from "../support/kit.ts";

/** Runs a parent whose agent in the background ends while the parent's second turn does this. */
async function endingDuring(turn: (kit: Kit, agentId: string) => Promise<ScriptTurn>) {
  const door = gate();
  const world = await agentKit({
    go: [
      starts("work", { mode: "background" }),
      async () => {
        door.open();
        const agentId = (await world.kit.agents.list())[0]?.agentId ?? "";
        await expect
          .poll(async () => (await world.kit.agents.list())[0]?.status)
          .not.toBe("running");
        return await turn(world.kit, agentId);
      },
      { text: "All done." },
      { text: "All done." },
    ],
    work: [
      async () => {
        await door.passed;
        return { text: "The work is done." };
      },
      { text: "The rest is done." },
    ],
  });
  const { messages } = await world.kit.run({ task: "go" }).result;
  return JSON.stringify(messages).split("The work is done.").length - 1;
}

describe("the end of an agent in the background reaches its parent once", () => {
  test("although the program has looked at the agent", async () => {
    const told = await endingDuring(async (kit, agentId) => {
      await kit.agents.get(agentId);
      await kit.agents.wait(agentId);
      return { text: "Waiting." };
    });

    expect(told).toBe(1);
  });

  test("although a call to continue it was only judged", async () => {
    const told = await endingDuring(async (kit, agentId) => {
      await kit.explain({ name: "Agent", input: { prompt: "more", resume: agentId } });
      return { text: "Waiting." };
    });

    expect(told).toBe(1);
  });

  test("although it is continued before its parent received it", async () => {
    const told = await endingDuring(async (_kit, agentId) => ({
      calls: [{ name: "Agent", input: { prompt: "more", resume: agentId } }],
    }));

    expect(told).toBe(1);
  });
});

test("an agent that was started counts, although its continuation was refused", async () => {
  const door = gate();
  const held = async (): Promise<ScriptTurn> => {
    await door.passed;
    return { text: "held" };
  };
  const { kit } = await agentKit(
    { first: [{ text: "one" }], held: [held], third: [{ text: "three" }] },
    { limits: { agents: { active: 1, total: 2 } } },
  );
  const options = { sessionId: "s" };
  const first = await kit.agents.start({ prompt: "first" }, options);
  const second = await kit.agents.start({ prompt: "held", isBackground: true }, options);
  const refused = await kit.agents.start({ prompt: "more", resume: first.agentId }, options);
  door.open();
  await kit.agents.wait(second.agentId);

  const third = await kit.agents.start({ prompt: "third" }, options);

  expect(refused.status).toBe("refused");
  expect(third).toMatchObject({ status: "refused", error: { code: "LIMIT_REACHED" } });
});

test("a process remembers at most 1000 agents that have ended", async () => {
  const toolkit = (await agentKit({})).kit;
  const result = Promise.resolve({
    status: "done",
    text: "",
    turns: 1,
    calls: 0,
    usage: { input: 0, output: 0 },
  });
  let ids = 0;
  const agents = createAgents({
    store: undefined,
    executor: { start: () => ({ result, send: () => false }) },
    limits: { depth: 3, active: 1, total: 1, idleMs: 1000 },
    definitions: async () => ({ agents: [generalAgent], unused: [] }),
    open: async () => ({ toolkit, close: async () => undefined }),
    run: () => undefined,
    startWork: () => () => undefined,
    subscribe: () => () => undefined,
    onSession: () => undefined,
    emit: () => undefined,
    newId: (prefix) => `${prefix}-${(ids += 1)}`,
    clock: { now: () => 0, timer: () => () => undefined },
  }).of(toolkit);
  const signal = new AbortController().signal;
  for (let count = 0; count < 1010; count += 1) {
    await agents.start({ prompt: "work" }, { sessionId: `s${count}`, callId: "c", signal });
  }

  expect(await agents.list({ callId: "c", signal })).toHaveLength(1000);
});
