import { mkdirSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import type { ScriptTurn } from "../../src/agent/index.ts";
import type { OnAsk } from "../../src/core/index.ts";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/kit/index.ts";
import { agentKit, lastResult, scenes, type Scenes } from "../support/agent-world.ts";
import { gate } from "../support/kit.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const within = temporaryFolder("sessions");
const stored: ToolkitOptions = { sessions: "memory" };
const free = { allow: ["SessionsSpawn", "SessionsSend"] };

function calls(name: string, input: object): ScriptTurn {
  return { calls: [{ name, input }] };
}

/** Turns that start a session on a task and wait for it. */
function spawn(task: string): ScriptTurn[] {
  return [calls("SessionsSpawn", { prompt: task }), { text: "waiting" }, { text: "ok" }];
}

/** Id of the session that a result names. */
function sessionIn(text: string): string {
  return /session-\S+/u.exec(text)?.[0] ?? "";
}

describe("SessionsSpawn", () => {
  test("starts a session that is stored, and its end is reported once", async () => {
    const { kit, model } = await agentKit(
      {
        go: [
          calls("SessionsSpawn", { prompt: "other", title: "Side" }),
          { text: "x" },
          { text: "ok" },
        ],
        other: [{ text: "The other is done." }],
      },
      { ...stored, rules: free },
    );

    const result = await kit.run({ task: "go" }).result;
    const id = sessionIn(lastResult(model.requests[1] ?? { messages: [] }));

    expect(result).toMatchObject({ status: "done", text: "ok" });
    expect(JSON.stringify(result.messages).split("The other is done.")).toHaveLength(2);
    expect(await kit.sessions.get(id)).toMatchObject({ title: "Side", status: "done" });
  });

  test("asks the user, also where agents are allowed by name", async () => {
    const asked: string[] = [];
    const onAsk: OnAsk = async ({ tool }) => {
      asked.push(tool);
      return { kind: "deny" };
    };
    const { kit } = await agentKit(
      { other: [{ text: "x" }] },
      { ...stored, onAsk, rules: { allow: ["Agent"] } },
    );

    const outcome = await kit.call({ name: "SessionsSpawn", input: { prompt: "other" } });

    expect(outcome.status).toBe("denied");
    expect(asked).toEqual(["SessionsSpawn"]);
    expect(await kit.sessions.list()).toEqual([]);
  });

  test("is refused in plan mode", async () => {
    const { kit } = await agentKit({ other: [{ text: "x" }] }, { ...stored, mode: "plan" });

    const outcome = await kit.call({ name: "SessionsSpawn", input: { prompt: "other" } });

    expect(outcome.status).toBe("denied");
  });

  test("has the kind of agent that is named, and no other", async () => {
    const { kit, model } = await agentKit(
      { other: [{ text: "done" }] },
      { ...stored, rules: free, settings: "load", trust: true },
      { files: { ".haft/agents/look.md": "---\ndescription: d\ntools: Read\n---\nLook.\n" } },
    );

    const input = { prompt: "other", agentId: "look" };
    const { text } = await kit.call({ name: "SessionsSpawn", input });
    await expect.poll(async () => (await kit.sessions.get(sessionIn(text)))?.status).toBe("done");
    const wrong = await kit.call({
      name: "SessionsSpawn",
      input: { prompt: "other", agent_id: "nobody" },
    });

    expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["Read"]);
    expect(wrong).toMatchObject({ isError: true, error: { code: "INVALID_INPUT" } });
  });

  test("counts in the budget and the depth of the run that starts it", async () => {
    const { kit, model } = await agentKit(
      { a: spawn("b"), b: spawn("c"), c: spawn("d"), d: [{ text: "too deep" }] },
      { ...stored, rules: free, limits: { agents: { depth: 2 } } },
    );

    const result = await kit.run({ task: "a", limits: { maxTurns: 50 } }).result;
    const texts = model.requests.map((request) => lastResult(request)).join("\n");

    expect(result.status).toBe("done");
    expect(texts).toContain("LIMIT_REACHED: Agents may be 2 below each other");
    expect(await kit.sessions.list()).toHaveLength(3);
  });
});

const open: Kit[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map(async (kit) => await kit.dispose()));
});

/** A kit with stored sessions in a directory that others share. */
async function sharing(table: Scenes, rules: ToolkitOptions["rules"] = free) {
  const model = scenes(table);
  mkdirSync(within("work"), { recursive: true });
  const kit = await createToolkit({
    model,
    workspace: within("work"),
    dataDirectory: within("data"),
    ...(rules === undefined ? {} : { rules }),
  });
  open.push(kit);
  return { kit, model };
}

describe("SessionsSend", () => {
  test("reaches a session that another process runs, and wakes it", async () => {
    const door = gate();
    const receiver = await sharing({
      wait: [
        calls("Agent", { prompt: "held", mode: "background" }),
        { text: "waiting" },
        { text: "read it" },
        { text: "end" },
      ],
      held: [
        async () => {
          await door.passed;
          return { text: "held is done" };
        },
      ],
    });
    const sender = await sharing({ x: [] });
    const run = receiver.kit.run({ task: "wait" });
    await expect.poll(() => receiver.model.requests.length).toBe(3);

    const sent = await sender.kit.call(
      { name: "SessionsSend", input: { sessionId: run.sessionId, message: "Hurry." } },
      { sessionId: "mine" },
    );
    await expect.poll(() => receiver.model.requests.length, { timeout: 20_000 }).toBe(4);
    door.open();
    const result = await run.result;

    expect(sent.text).toContain(`Sent to ${run.sessionId}`);
    expect(result.status).toBe("done");
    const text = JSON.stringify(result.messages);
    expect(text.split("Message of the session mine:\\n\\nHurry.")).toHaveLength(2);
  });

  test("that arrives during the last answer of a run continues the run", async () => {
    const door = gate();
    const receiver = await sharing({
      go: [
        async () => {
          await door.passed;
          return { text: "My last answer." };
        },
        { text: "I read it." },
      ],
    });
    const sender = await sharing({});
    const run = receiver.kit.run({ task: "go", sessionId: "target" });
    await expect.poll(() => receiver.model.requests.length).toBe(1);

    await sender.kit.call(
      { name: "SessionsSend", input: { session_id: "target", message: "One more thing." } },
      { sessionId: "mine" },
    );
    door.open();
    const { text, messages } = await run.result;
    const next = await receiver.kit.run({ task: "go on", sessionId: "target" }).result;

    expect(text).toBe("I read it.");
    expect(JSON.stringify(messages).split("One more thing.")).toHaveLength(2);
    expect(JSON.stringify(next.messages).split("One more thing.")).toHaveLength(2);
  });

  test.each([
    { what: "that has ended", id: "target", code: "UNAVAILABLE", hint: "SessionsSpawn" },
    { what: "that does not exist", id: "nothing", code: "NOT_FOUND", hint: "SessionsList" },
    { what: "that is its own", id: "mine", code: "INVALID_INPUT", hint: "another session" },
  ])("to a session $what is refused", async ({ id, code, hint }) => {
    const { kit } = await sharing({ go: [{ text: "one" }] });
    await kit.run({ task: "go", sessionId: "target" }).result;

    const { error } = await kit.call(
      { name: "SessionsSend", input: { session_id: id, message: "Hello." } },
      { sessionId: "mine" },
    );

    expect(error).toMatchObject({ code, hint: expect.stringContaining(hint) });
  });
});

test("SessionsList and SessionsHistory show the sessions of this workspace only", async () => {
  const { kit } = await sharing({ first: [{ text: "The answer." }], second: [{ text: "b" }] });
  await kit.run({ task: "first", sessionId: "one" }).result;
  await kit.run({ task: "second", sessionId: "two" }).result;
  mkdirSync(within("other"));
  await using elsewhere = await createToolkit({
    model: scenes({}),
    workspace: within("other"),
    dataDirectory: within("data"),
  });

  const all = await kit.call({ name: "SessionsList", input: {} });
  const page = await kit.call({ name: "SessionsList", input: { limit: 1, offset: 1 } });
  const history = await kit.call({ name: "SessionsHistory", input: { sessionId: "one" } });
  const last = await kit.call({ name: "SessionsHistory", input: { sessionId: "one", limit: 1 } });
  const other = await elsewhere.call({ name: "SessionsList", input: {} });
  const secret = await elsewhere.call({ name: "SessionsHistory", input: { sessionId: "one" } });

  expect(all.text).toMatch(/^two {2}done {2}2 messages {2}second\none {2}done/u);
  expect(page.text).toMatch(/^one {2}done/u);
  expect(history.text).toContain("user: first\n\nassistant: The answer.");
  expect(last.text).not.toContain("user: first");
  expect(history.trust).toBe("untrusted");
  expect(other.text).toBe("No sessions.");
  expect(secret.error?.code).toBe("NOT_FOUND");
});

describe("SessionsYield", () => {
  test("ends the run with its message", async () => {
    const { kit, model } = await agentKit(
      { go: [calls("SessionsYield", { message: "That is all." }), { text: "never" }] },
      stored,
    );

    const result = await kit.run({ task: "go" }).result;

    expect(result).toMatchObject({ status: "done", text: "That is all.", turns: 1 });
    expect(model.requests).toHaveLength(1);
    expect(result.messages.at(-1)).toMatchObject({ role: "assistant" });
  });

  test("waits for agents in the background, whose end wakes the run", async () => {
    const { kit } = await agentKit(
      {
        go: [
          calls("Agent", { prompt: "work", mode: "background" }),
          calls("SessionsYield", { message: "Waiting." }),
          { text: "The message of the call is the answer of this turn." },
          { text: "All done." },
        ],
        work: [{ text: "The work is done." }],
      },
      stored,
    );

    const result = await kit.run({ task: "go" }).result;

    expect(result.text).toBe("All done.");
    expect(JSON.stringify(result.messages)).toContain("The work is done.");
  });

  test("is refused where the answer has a schema, and outside a run", async () => {
    const { kit, model } = await agentKit(
      { go: [calls("SessionsYield", { message: "no" }), { text: "{}" }] },
      stored,
    );

    await kit.run({ task: "go", output: { type: "object" } }).result;
    const outside = await kit.call({ name: "SessionsYield", input: { message: "x" } });

    expect(lastResult(model.requests[1] ?? { messages: [] })).toContain("has a schema");
    expect(outside.error?.code).toBe("UNAVAILABLE");
  });
});

test("the tools for sessions are offered only where sessions are stored", async () => {
  const { kit: without } = await agentKit({});
  const { kit: having } = await agentKit({}, stored);
  const names = async (kit: typeof without) => {
    const all = JSON.stringify(await kit.definitions("anthropic", { all: true }));
    return all.match(/"Sessions\w+"/gu) ?? [];
  };

  expect(await names(without)).toEqual([]);
  expect(await names(having)).toHaveLength(5);
});
