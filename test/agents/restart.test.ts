import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { contentText } from "../../src/core/index.ts";
import { createToolkit, type Kit } from "../../src/kit/index.ts";
import { openSessionStore } from "../../src/session/index.ts";
import { idIn, lastResult, scenes, starts, type Scenes } from "../support/agent-world.ts";

let folder = "";
const open: Kit[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-restart-")));
  mkdirSync(path.join(folder, "work"));
});

afterEach(async () => {
  await Promise.all(open.splice(0).map(async (kit) => await kit.dispose()));
  rmSync(folder, { recursive: true, force: true });
});

/** A kit as a process of its own would open it: it shares nothing with the others but the data directory. */
async function aProcess(table: Scenes, limits = {}) {
  const model = scenes(table);
  const kit = await createToolkit({
    model,
    workspace: path.join(folder, "work"),
    dataDirectory: path.join(folder, "data"),
    mode: "bypassPermissions",
    limits,
  });
  open.push(kit);
  return { kit, model };
}

async function stop(kit: Kit): Promise<void> {
  open.splice(open.indexOf(kit), 1);
  await kit.dispose();
}

/** Messages about ends of agents that a session has. */
async function endsIn(sessionId: string): Promise<readonly string[]> {
  const store = await openSessionStore({ file: path.join(folder, "data/sessions.db") });
  const messages = await store.messages(sessionId);
  await store.close();
  return messages.flatMap((message) =>
    message.role === "user" && contentText(message.content).startsWith("The agent ")
      ? [contentText(message.content)]
      : [],
  );
}

describe("another process", () => {
  test("lists an agent that has ended, and continues its conversation", async () => {
    const first = await aProcess({
      main: [starts("look", { description: "Look" })],
      look: [{ text: "Found it." }],
    });
    const { sessionId } = await first.kit
      .run({ task: "main", sessionId: "s" })
      .result.then(() => ({ sessionId: "s" }));
    const id = idIn(lastResult(first.model.requests.at(-1) ?? { messages: [] }));
    await stop(first.kit);

    const second = await aProcess({
      main: [
        {},
        {},
        { calls: [{ name: "AgentList" }] },
        starts("again", { resume: id }),
        { text: "ok" },
      ],
      look: [{}, { text: "Found more." }],
    });
    const result = await second.kit.run({ task: "go on", sessionId }).result;
    const [, list = "", resumed = ""] = second.model.requests.map((request) => lastResult(request));
    const own = second.model.requests.find(
      ({ messages }) =>
        JSON.stringify(messages).includes("again") &&
        !JSON.stringify(messages).includes("AgentList"),
    );

    expect(result.status).toBe("done");
    expect(list).toContain(id);
    expect(JSON.stringify(own?.messages)).toContain("Found it.");
    expect(`${resumed}${JSON.stringify(result.messages)}`).toContain("Found more.");
  });

  test("gives a fork the system prompt and the definitions of its original", async () => {
    const first = await aProcess({ main: [starts("part", { fork: true }), { text: "ok" }] });
    await first.kit.run({ task: "main", sessionId: "s" }).result;
    const id = idIn(lastResult(first.model.requests.at(-1) ?? { messages: [] }));
    const original = first.model.requests[0];
    await stop(first.kit);

    const second = await aProcess({
      main: [{}, {}, starts("more", { resume: id }), { text: "ok" }, { text: "ok" }],
    });
    await second.kit.run({ task: "go on", sessionId: "s", system: "Another prompt." }).result;
    const own = second.model.requests.find(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === "user" && contentText(last.content) === "more";
    });

    expect(own?.system).toBe(original?.system);
    expect(JSON.stringify(own?.tools)).toBe(JSON.stringify(original?.tools));
    expect(second.model.requests[0]?.system).toContain("Another prompt.");
  });

  test("gets the end of an agent in the background that the first one did not wait for, once", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = await aProcess({
      main: [starts("look", { mode: "background" }), { text: "I go on." }],
      look: [
        async () => {
          await held;
          return { text: "Found it." };
        },
      ],
    });
    await first.kit.run({ task: "main", sessionId: "s", waitForBackground: false }).result;
    const [agent] = await first.kit.agents.list();
    release();
    await first.kit.agents.wait(agent?.agentId ?? "");
    await stop(first.kit);

    const second = await aProcess({ main: [{}, {}, { text: "Thanks." }, { text: "Bye." }] });
    await second.kit.run({ task: "go on", sessionId: "s" }).result;
    await second.kit.run({ task: "and now", sessionId: "s" }).result;

    expect(await endsIn("s")).toEqual([expect.stringContaining("has ended: done.\n\nFound it.")]);
  });

  test("is not told again of an end that a call has shown", async () => {
    const first = await aProcess({
      main: [
        starts("look", { mode: "background" }),
        (request) => ({
          calls: [
            { name: "AgentStatus", input: { agentId: idIn(lastResult(request)), block: true } },
          ],
        }),
        { text: "ok" },
      ],
      look: [{ text: "Found it." }],
    });
    await first.kit.run({ task: "main", sessionId: "s" }).result;
    await stop(first.kit);
    const second = await aProcess({ main: [{}, {}, {}, { text: "Thanks." }] });
    const result = await second.kit.run({ task: "go on", sessionId: "s" }).result;

    expect(await endsIn("s")).toEqual([]);
    expect(JSON.stringify(result.messages)).toContain("Found it.");
  });
});

test("the session of an agent that was refused is asked for its worktree again", async () => {
  const { kit, model } = await aProcess(
    {
      main: [
        starts("look", { mode: "worktree" }),
        (request) => starts("again", { resume: idIn(lastResult(request)), mode: "background" }),
        { text: "ok" },
      ],
      look: [{ text: "no" }],
      again: [{ text: "no" }],
    },
    { agents: { depth: 3 } },
  );

  await kit.run({ task: "main", sessionId: "s" }).result;

  // The workspace is not a repository, so neither start may work in the workspace itself.
  expect(
    model.requests.filter(({ messages }) => JSON.stringify(messages[0]).includes("look")),
  ).toEqual([]);
  expect(await endsIn("s")).toEqual([expect.stringContaining("has ended: failed. UNAVAILABLE")]);
});

test("agents of spawned sessions count in the limits of the tree", async () => {
  const { kit, model } = await aProcess(
    {
      main: [
        {
          calls: [
            { name: "SessionsSpawn", input: { prompt: "one" } },
            { name: "SessionsSpawn", input: { prompt: "one" } },
          ],
        },
        starts("leaf"),
        { text: "ok" },
        { text: "ok" },
        { text: "ok" },
      ],
      one: [starts("leaf"), { text: "ok" }],
      leaf: [{ text: "leaf" }],
    },
    { agents: { total: 3 } },
  );

  const { result } = kit.run({ task: "main", sessionId: "s" });
  expect((await result).status).toBe("done");
  const texts = model.requests.map((request) => lastResult(request)).join("\n");
  const leaves = model.requests.filter(({ messages }) =>
    JSON.stringify(messages[0]).includes('"leaf"'),
  );

  expect(leaves).toHaveLength(1);
  expect(texts).toContain("This run has started 3 agents, which is the most.");
});
