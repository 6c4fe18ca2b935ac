import { describe, expect, test } from "vitest";
import type { ToolkitOptions } from "../../src/kit/index.ts";
import { agentKit, idIn, lastResult, starts } from "../support/agent-world.ts";
import { gate, settled } from "../support/kit.ts";

const background = { mode: "background" };

describe("an agent in the background", () => {
  test("lets its parent go on, and its end wakes the parent once", async () => {
    const door = gate();
    const { kit, model } = await agentKit({
      go: [starts("work", background), { text: "Waiting." }, { text: "All done." }],
      work: [
        async () => {
          await door.passed;
          return { text: "The work is done." };
        },
      ],
    });
    const run = kit.run({ task: "go" });
    await expect.poll(() => model.requests.length).toBe(3);

    door.open();
    const result = await run.result;
    const told = JSON.stringify(result.messages).split("The work is done.").length - 1;

    expect(result).toMatchObject({ status: "done", text: "All done." });
    expect(told).toBe(1);
  });

  test("that fails is reported as failed, with what it did", async () => {
    const { kit } = await agentKit({
      go: [starts("work", background), { text: "Waiting." }, { text: "All done." }],
      work: [{ error: { message: "the provider is down" } }],
    });

    const result = await kit.run({ task: "go", retry: { attempts: 1 } }).result;
    const [agent] = await kit.agents.list();

    expect(agent?.status).toBe("failed");
    expect(JSON.stringify(result.messages)).toContain("has ended: failed. MODEL_FAILED");
  });

  test("whose end the parent waited for is not reported again", async () => {
    const { kit, model } = await agentKit({
      go: [
        starts("work", { run_in_background: true }),
        ({ messages }) => ({
          calls: [
            {
              name: "AgentStatus",
              input: { runId: idIn(lastResult({ messages })), block: true },
            },
          ],
        }),
        { text: "ok" },
      ],
      work: [{ text: "The work is done." }],
    });

    const result = await kit.run({ task: "go" }).result;

    expect(result.text).toBe("ok");
    expect(model.requests).toHaveLength(4);
    expect(lastResult(model.requests[3] ?? { messages: [] })).toContain("The work is done.");
  });

  test("whose end TaskOutput showed is not reported again", async () => {
    const { kit, model } = await agentKit({
      go: [
        starts("work", background),
        ({ messages }) => ({
          calls: [
            { name: "TaskOutput", input: { task_id: idIn(lastResult({ messages })), block: true } },
          ],
        }),
        { text: "ok" },
      ],
      work: [{ text: "The work is done." }],
    });

    const result = await kit.run({ task: "go" }).result;

    expect(result.text).toBe("ok");
    expect(model.requests).toHaveLength(4);
    expect(JSON.stringify(result.messages).split("The work is done.")).toHaveLength(2);
  });

  test("is in the task list of its session, and is stopped there", async () => {
    const { kit, model } = await agentKit({
      go: [
        starts("work", background),
        { calls: [{ name: "TaskList", input: {} }] },
        ({ messages }) => ({
          calls: [
            {
              name: "TaskStop",
              input: { task_id: /agent-[\w-]+/u.exec(lastResult({ messages }))?.[0] ?? "" },
            },
          ],
        }),
        { text: "ok" },
      ],
      work: [async () => await new Promise(() => undefined)],
    });

    const result = await kit.run({ task: "go" }).result;
    const [agent] = await kit.agents.list();
    const tasks = await kit.tasks.list();

    expect(result.status).toBe("done");
    expect(JSON.stringify(result.messages)).not.toContain("has ended");
    expect(lastResult(model.requests[3] ?? { messages: [] })).toMatch(/agent-[\w-]+ +running/u);
    expect(agent?.status).toBe("aborted");
    expect(tasks).toMatchObject([
      { id: agent?.agentId, kind: "agent", status: "stopped", sessionId: agent?.sessionId },
    ]);
  });

  test("reads a message before its next turn", async () => {
    const door = gate();
    const { kit } = await agentKit({
      go: [
        starts("work", background),
        ({ messages }) => ({
          calls: [
            {
              name: "AgentSend",
              input: { agent_id: idIn(lastResult({ messages })), message: "Also the docs." },
            },
          ],
        }),
        () => {
          door.open();
          return { text: "Sent." };
        },
        { text: "ok" },
      ],
      work: [
        async () => {
          await door.passed;
          return { text: "first" };
        },
        ({ messages }) => ({ text: `I read: ${JSON.stringify(messages.at(-1)?.content)}` }),
      ],
    });

    await kit.run({ task: "go" }).result;
    const [agent] = await kit.agents.list();

    expect(agent?.text).toContain("Also the docs.");
  });

  test("is stopped with those below it, and keeps its work", async () => {
    const files = {
      ".haft/agents/boss.md": "---\ndescription: starts others\ntools: Agent\n---\nStart others.\n",
    };
    const never = gate();
    const { kit } = await agentKit(
      {
        go: [starts("boss", { agent: "boss", ...background }), { text: "ok" }],
        boss: [{ text: "Starting.", ...starts("worker") }],
        worker: [
          async () => {
            await never.passed;
            return { text: "late" };
          },
        ],
      },
      { settings: "load", trust: true },
      { files },
    );
    const run = kit.run({ task: "go", waitForBackground: false });
    await run.result;
    await expect.poll(async () => (await kit.agents.list()).length).toBe(2);
    const boss = (await kit.agents.list()).find(({ agent }) => agent === "boss");

    const stopped = await kit.agents.stop(boss?.agentId ?? "");
    await settled();
    const states = (await kit.agents.list()).map(({ status }) => status);

    expect(stopped).toMatchObject({ status: "aborted", text: "Starting." });
    expect(states).toEqual(["aborted", "aborted"]);
  });

  test("without an event for the idle time is stopped, and says so", async () => {
    const never = gate();
    const { kit, host } = await agentKit({
      go: [starts("hang", background), { text: "Waiting." }, { text: "ok" }],
      hang: [
        async () => {
          await never.passed;
          return { text: "late" };
        },
      ],
    });
    const run = kit.run({
      task: "go",
      clock: { sleep: async () => undefined, timer: () => () => undefined },
    });
    await expect.poll(async () => (await kit.agents.list()).length).toBe(1);
    await settled();

    host.control.advance(600_000);
    await run.result;
    const [agent] = await kit.agents.list();

    expect(agent).toMatchObject({
      status: "failed",
      error: { code: "TIMEOUT", message: "No event of the agent for 600 s." },
    });
  });
});

describe("bad requests", () => {
  test("an agent that is still running is not resumed", async () => {
    const door = gate();
    const { kit } = await agentKit({
      work: [
        async () => {
          await door.passed;
          return { text: "done" };
        },
      ],
    });
    const { agentId } = await kit.agents.start({ prompt: "work", isBackground: true });

    await expect(kit.agents.start({ prompt: "more", resume: agentId })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: `The agent ${agentId} is still running.`,
      hint: "Send it a message with AgentSend, or wait for its end with AgentStatus.",
    });
    door.open();
    await kit.agents.wait(agentId);
  });

  test("an agent that is gone is not resumed", async () => {
    const { kit } = await agentKit({});

    await expect(kit.agents.start({ prompt: "x", resume: "agent-9" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      hint: "No agent was started here: start one with Agent.",
    });
  });

  test("an agent that has ended takes no message, and the hint says how it continues", async () => {
    const { kit } = await agentKit({ work: [{ text: "done" }] });
    const { agentId } = await kit.agents.start({ prompt: "work" });

    await expect(kit.agents.send(agentId, "more")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: `The agent ${agentId} has ended: done.`,
      hint: `Continue it with Agent and resume: "${agentId}".`,
    });
  });

  test("a model that is not available fails the agent, not the program", async () => {
    const { kit } = await agentKit({ work: [{ text: "done" }] });

    const agent = await kit.agents.start({ prompt: "work", model: "nowhere:model" });

    expect(agent).toMatchObject({ status: "failed", error: { hint: expect.any(String) } });
    expect(agent.error?.message).toContain("nowhere");
  });

  test("an agent sees no agent of its parent", async () => {
    const files = {
      ".haft/agents/peer.md": "---\ndescription: d\ntools: AgentStatus\n---\nLook.\n",
    };
    let first = "";
    const { kit, model } = await agentKit(
      {
        go: [
          starts("one"),
          ({ messages }) => {
            first = idIn(lastResult({ messages }));
            return starts("two", { agent: "peer" });
          },
          { text: "ok" },
        ],
        one: [{ text: "done" }],
        two: [() => ({ calls: [{ name: "AgentStatus", input: { id: first } }] }), { text: "ok" }],
      },
      { settings: "load", trust: true },
      { files },
    );

    await kit.run({ task: "go" }).result;

    expect(lastResult(model.requests[4] ?? { messages: [] })).toContain(
      `There is no agent ${first}.`,
    );
  });
});

/** A run that ends before the agent that it started in the background. */
async function endedLater(options: ToolkitOptions) {
  const door = gate();
  const { kit, model } = await agentKit(
    {
      go: [starts("work", background), { text: "Later." }, { text: "Heard." }, { text: "Why?" }],
      work: [
        async () => {
          await door.passed;
          return { text: "The work is done." };
        },
      ],
    },
    options,
  );
  const first = kit.run({ task: "go", sessionId: "s", messages: [], waitForBackground: false });
  const { messages } = await first.result;
  door.open();
  const [agent] = await kit.agents.list();
  await kit.agents.wait(agent?.agentId ?? "");
  return { kit, model, messages };
}

describe("a run that does not wait for an agent in the background", () => {
  test("leaves its end to the next run of the session", async () => {
    const { kit, messages } = await endedLater({});

    const next = await kit.run({ task: "And?", sessionId: "s", messages }).result;
    const third = await kit.run({ task: "Now?", sessionId: "s", messages: next.messages }).result;

    expect(JSON.stringify(messages)).not.toContain("The work is done.");
    expect(JSON.stringify(third.messages).split("The work is done.")).toHaveLength(2);
  });

  test("does not give its end to a run of another session", async () => {
    const { kit, messages } = await endedLater({});

    const other = await kit.run({ task: "And?", sessionId: "other", messages }).result;

    expect(JSON.stringify(other.messages)).not.toContain("The work is done.");
  });
});

test("a refused call of an agent is a denial of the run that started it", async () => {
  const { kit } = await agentKit(
    {
      go: [starts("middle", { agent: "lead" }), { text: "ok" }],
      middle: [starts("work", background), { text: "Waiting." }, { text: "ok" }],
      work: [{ calls: [{ name: "Read", input: { file_path: "a.txt" } }] }, { text: "ok" }],
    },
    { settings: "load", trust: true, rules: { deny: ["Read"] } },
    { files: { ".haft/agents/lead.md": "---\ndescription: d\ntools: Agent, Read\n---\nLead.\n" } },
  );

  const { status, denials } = await kit.run({ task: "go" }).result;
  const [work, lead] = await kit.agents.list();

  expect(status).toBe("done");
  expect(denials).toMatchObject([
    { tool: "Read", code: "PERMISSION_DENIED", agentId: work?.agentId },
  ]);
  expect(lead?.denials).toEqual(denials);
});
