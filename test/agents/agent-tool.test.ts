import { describe, expect, test } from "vitest";
import { agentKit, idIn, lastResult, starts } from "../support/agent-world.ts";
import { gate, settled } from "../support/kit.ts";

const read = (path: string) => ({ calls: [{ name: "Read", input: { file_path: path } }] });

const ids = /agent-[\da-f]+-\d+|run-[\da-f]+-\d+|session-[\da-f]+-\d+/gu;

describe("an agent that is started", () => {
  test("answers with its last message and with ids", async () => {
    const { kit, model } = await agentKit({
      go: [starts("find it", { description: "Find it" }), { text: "ok" }],
      "find it": [{ text: "Found it in a.txt.", usage: { input: 10, output: 5 } }],
    });

    const result = await kit.run({ task: "go" }).result;

    expect(result.text).toBe("ok");
    expect(lastResult(model.requests.at(-1) ?? { messages: [] }).replaceAll(ids, "ID"))
      .toMatchInlineSnapshot(`
        "Found it in a.txt.

        (agentId ID, runId ID, sessionId ID: done; 1 turn, 0 calls, 15 tokens)"
      `);
  });

  test("sees only its task, and has no tool that starts agents", async () => {
    const { kit, model } = await agentKit({
      go: [starts("look"), { text: "ok" }],
      look: [{ text: "seen" }],
    });

    await kit.run({ task: "go" }).result;
    const request = model.requests[1];
    const names = (request?.tools ?? []).map(({ name }) => name);

    expect(request?.messages).toHaveLength(1);
    expect(names).toContain("Read");
    expect(names.filter((name) => name.startsWith("Agent"))).toEqual([]);
  });

  test("and its parent have the same ids at the provider and never exchange results", async () => {
    const files = { "a.txt": "of the parent\n", "b.txt": "of the child\n" };
    const { kit, model } = await agentKit(
      {
        go: [starts("read"), read("a.txt"), { text: "ok" }],
        read: [read("b.txt"), { text: "read" }],
      },
      {},
      { files },
    );

    await kit.run({ task: "go" }).result;

    expect(lastResult(model.requests[2] ?? { messages: [] })).toContain("of the child");
    expect(lastResult(model.requests.at(-1) ?? { messages: [] })).toContain("of the parent");
  });

  test("is announced to every listener with its parent and depth", async () => {
    const { kit, events } = await agentKit({
      go: [starts("look", { description: "Look" }), { text: "ok" }],
      look: [{ calls: [{ name: "Glob", input: { pattern: "*" } }] }, { text: "seen" }],
    });

    await kit.run({ task: "go", agentId: "main" }).result;
    const own = events.filter(({ type }) => type.startsWith("agent-"));
    const types = own.map(({ type }) => type);

    expect(types[0]).toBe("agent-start");
    expect(types).toContain("agent-event");
    expect(types.at(-1)).toBe("agent-end");
    expect(own.at(-1)).toMatchObject({
      parentAgentId: "main",
      depth: 1,
      agent: { description: "Look", status: "done", text: "seen", turns: 2, calls: 1 },
    });
  });
});

describe("every outcome has an id with which the agent continues, and the work so far", () => {
  test("a failed model: the call fails, it is never a success", async () => {
    let isDown = true;
    const provider = () => {
      const turn = isDown ? { error: { message: "the provider is down" } } : { text: "All of it." };
      isDown = false;
      return turn;
    };
    const { kit, model } = await agentKit({
      go: [
        starts("work"),
        ({ messages }) => starts("again", { resume: idIn(lastResult({ messages })) }),
        { text: "ok" },
      ],
      work: [{ text: "First part.", calls: [{ name: "Glob", input: { pattern: "*" } }] }, provider],
    });

    const run = kit.run({ task: "go", retry: { attempts: 1 } });
    const result = await run.result;
    const failed = result.messages[2];

    expect(failed).toMatchObject({ content: [{ isError: true }] });
    expect(lastResult(model.requests[3] ?? { messages: [] })).toContain("First part.");
    expect(result.messages[4]).toMatchObject({ content: [{ isError: false }] });
    expect(JSON.stringify(result.messages[4])).toContain("All of it.");
  }, 30_000);

  test("an aborted call", async () => {
    const door = gate();
    const { kit } = await agentKit({
      go: [starts("wait"), { text: "ok" }],
      wait: [
        { text: "Half of it.", calls: [{ name: "Glob", input: { pattern: "*" } }] },
        async () => {
          await door.passed;
          return { text: "late" };
        },
      ],
    });
    const run = kit.run({ task: "go" });
    await expect.poll(async () => (await kit.agents.list())[0]?.calls).toBe(1);

    run.abort();
    const result = await run.result;
    door.open();
    const [agent] = await kit.agents.list();

    expect(result.status).toBe("aborted");
    expect(JSON.stringify(result.messages)).toContain(agent?.agentId);
    expect(agent).toMatchObject({ status: "aborted", text: "Half of it." });
  });
});

test("a kind of agent that does not exist is refused, with those that do", async () => {
  const { kit, model } = await agentKit({
    go: [starts("x", { agent: "nothing" }), { text: "ok" }],
  });

  await kit.run({ task: "go" }).result;
  const text = lastResult(model.requests.at(-1) ?? { messages: [] });

  expect(text).toContain('There is no agent called "nothing".');
  expect(text).toContain("Use one of general.");
  expect(text).not.toContain("resume");
});

describe("limits", () => {
  test("agents are at most 3 deep", async () => {
    const { kit, events } = await agentKit(
      {
        go: [starts("one", { agent: "nester" }), { text: "ok" }],
        one: [starts("two", { agent: "nester" }), { text: "1" }],
        two: [starts("three", { agent: "nester" }), { text: "2" }],
        three: [starts("four", { agent: "nester" }), { text: "3" }],
        four: [{ text: "never" }],
      },
      { settings: "load", trust: true },
      {
        files: { ".haft/agents/nester.md": "---\ndescription: nests\ntools: Agent\n---\nNest.\n" },
      },
    );

    const result = await kit.run({ task: "go" }).result;
    const list = await kit.agents.list();

    expect(result.status).toBe("done");
    expect(list.map(({ depth, status }) => [depth, status])).toEqual([
      [4, "refused"],
      [3, "done"],
      [2, "done"],
      [1, "done"],
    ]);
    expect(list[0]?.error).toMatchObject({
      code: "LIMIT_REACHED",
      data: { limit: "agents.depth" },
    });
    expect(events.some((event) => event.type === "run-start" && event.task === "four")).toBe(false);
  });

  test("a limited number of agents is active at once, and the rest can be resumed", async () => {
    const door = gate();
    const waiting = async () => {
      await door.passed;
      return { text: "done" };
    };
    const { kit } = await agentKit(
      {
        go: [
          { calls: ["a", "b", "c"].map((prompt) => ({ name: "Agent", input: { prompt } })) },
          { text: "ok" },
        ],
        a: [waiting],
        b: [waiting],
        c: [waiting],
      },
      { limits: { agents: { active: 2 } } },
    );
    const run = kit.run({ task: "go" });
    await expect.poll(async () => (await kit.agents.list()).length).toBe(3);
    await settled();

    const states = (await kit.agents.list()).map(({ status }) => status).toSorted();
    door.open();
    await run.result;
    const refused = (await kit.agents.list()).find(({ status }) => status === "refused");
    const resumed = await kit.agents.start({ prompt: "now", resume: refused?.agentId ?? "" });

    expect(states).toEqual(["refused", "running", "running"]);
    expect(resumed).toMatchObject({ status: "done", agentId: refused?.agentId });
  });

  test("a tree has one budget: requests of children count in the limit of the run", async () => {
    const usage = { input: 400, output: 100 };
    const { kit } = await agentKit({
      go: [
        { ...starts("child"), usage },
        { text: "ok", usage },
      ],
      child: Array.from({ length: 20 }, () => ({
        calls: [{ name: "Glob", input: { pattern: "*" } }],
        usage,
      })),
    });

    const result = await kit.run({ task: "go", limits: { maxTurns: 4 } }).result;
    const [agent] = await kit.agents.list();

    expect(result.status).toBe("max-turns");
    expect(agent).toMatchObject({ status: "max-turns", turns: 3 });
  });
});

describe("rules and modes", () => {
  test("a denied agent is not started", async () => {
    const { kit, model } = await agentKit(
      { go: [starts("x", { agent: "general" }), { text: "ok" }], x: [{ text: "never" }] },
      { rules: { deny: ["Agent(general)"] } },
    );

    const result = await kit.run({ task: "go" }).result;

    expect(result.denials).toMatchObject([{ tool: "Agent", code: "PERMISSION_DENIED" }]);
    expect(model.requests).toHaveLength(2);
  });

  test("a rule for an agent applies to its resumption too", async () => {
    const { kit } = await agentKit({
      go: [starts("x"), { text: "ok" }],
      x: [{ text: "one" }, { text: "two" }],
    });
    await kit.run({ task: "go" }).result;
    const [agent] = await kit.agents.list();
    const input = { prompt: "more", resume: agent?.agentId };

    const { effects } = await kit.explain({ name: "Agent", input });

    expect(effects).toEqual([{ kind: "delegate", agent: "general", target: "agent" }]);
  });

  test("a child in a wider mode still asks what its parent asks", async () => {
    const write = { calls: [{ name: "Write", input: { file_path: "x", content: "x" } }] };
    const { kit, host } = await agentKit({
      go: [starts("write", { permission_mode: "bypassPermissions" }), { text: "ok" }],
      write: [write, { text: "tried" }],
    });

    await kit.run({ task: "go" }).result;

    expect(host.control.texts()["/project/x"]).toBeUndefined();
  });

  test("a child's tools are those of its parent, and fewer where the call says so", async () => {
    const { kit, model } = await agentKit({
      go: [starts("x", { tools: ["Read", "Bash(ls *)"] }), { text: "ok" }],
      x: [{ calls: [{ name: "Bash", input: { command: "pwd" } }] }, { text: "tried" }],
    });

    await kit.run({ task: "go" }).result;

    expect(model.requests[1]?.tools.map(({ name }) => name)).toEqual(["Bash", "Read"]);
  });
});
