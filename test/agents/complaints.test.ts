import { afterEach, describe, expect, test, vi } from "vitest";
import type { Model } from "../../src/agent/index.ts";
import { contentText } from "../../src/core/index.ts";
import { agentKit, idIn, lastResult, scenes, starts, type Turn } from "../support/agent-world.ts";
import { gate } from "../support/kit.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { bash, git, openedAt, repository, stateOf, write } from "../support/worktree-world.ts";

// Complaints about agents that people made about other tools, each by the name of its thread, and what keeps them from
// being made here.

const at = temporaryFolder("complaint");
afterEach(() => void vi.unstubAllEnvs());

const three = {
  calls: ["one", "two", "three"].map((prompt) => ({ name: "Agent", input: { prompt } })),
};

describe("more agents than were asked for", () => {
  test("claude-code#82565: three agents that try to start eight each stay three", async () => {
    const eight = {
      calls: Array.from({ length: 8 }, () => ({ name: "Agent", input: { prompt: "more" } })),
    };
    const child: readonly Turn[] = [eight, { text: "ok" }];
    const { kit, model } = await agentKit({
      go: [three, { text: "Done." }],
      one: child,
      two: child,
      three: child,
      more: [{ text: "more" }],
    });

    await kit.run({ task: "go" }).result;

    expect(await kit.agents.list()).toHaveLength(3);
    expect(model.requests).toHaveLength(8);
    expect(model.requests.map((request) => lastResult(request)).join()).toContain("UNKNOWN_TOOL");
  });

  test("claude-code#72566: a model that starts agents without end gets 50, and never more than 20 at once", async () => {
    const ten = {
      calls: Array.from({ length: 10 }, () => ({ name: "Agent", input: { prompt: "work" } })),
    };
    const { kit, model, events } = await agentKit({
      go: [...Array.from({ length: 9 }, () => ten), { text: "Done." }],
      work: [{ text: "ok" }],
    });
    let active = 0;
    let most = 0;
    kit.events.subscribe(({ type }) => {
      if (type === "agent-start") most = Math.max(most, (active += 1));
      if (type === "agent-end") active -= 1;
    });

    await kit.run({ task: "go", limits: { maxCalls: 200 } }).result;

    expect(events.filter(({ type }) => type === "agent-start")).toHaveLength(50);
    expect(most).toBeLessThanOrEqual(20);
    expect(model.requests).toHaveLength(60);
    expect(lastResult(model.requests.at(-1) ?? { messages: [] })).toContain(
      "This run has started 50 agents, which is the most.",
    );
  });

  test("claude-code#72732: the money of a run is a limit of all agents below it together", async () => {
    const usage = { input: 100_000, output: 0 };
    const base = scenes({
      go: [three, { text: "Done.", usage }],
      one: Array.from({ length: 50 }, () => ({
        calls: [{ name: "Glob", input: { pattern: "*" } }],
        usage,
      })),
      two: Array.from({ length: 50 }, () => ({
        calls: [{ name: "Glob", input: { pattern: "a*" } }],
        usage,
      })),
      three: Array.from({ length: 50 }, () => ({
        calls: [{ name: "Glob", input: { pattern: "b*" } }],
        usage,
      })),
    });
    const info = { usdPerMTok: { input: 10, output: 10 }, maxOutputTokens: 1000 };
    const model: Model = { id: base.id, info, stream: (request) => base.stream(request) };
    const { kit } = await agentKit({}, { model });

    const result = await kit.run({ task: "go", limits: { maxCost: 5 } }).result;
    const agents = await kit.agents.list();
    const spent = agents.reduce((sum, { costUsd = 0 }) => sum + costUsd, result.costUsd ?? 0);

    // A request costs 1 dollar here.
    expect(spent).toBeGreaterThan(1);
    expect(spent).toBeLessThanOrEqual(6);
    expect(agents.map(({ error }) => error?.data?.["limit"])).toContain("maxCost");
  });
});

describe("agents in the background", () => {
  const background = { mode: "background" };

  test.each([
    ["its model fails", { error: { message: "the provider is down" } }, "failed. MODEL_FAILED"],
    ["its model says nothing", {}, "failed"],
  ])("claude-code#67524: an agent does not die silently where %s", async (_why, turn, status) => {
    const { kit } = await agentKit({
      go: [starts("work", background), { text: "Waiting." }, { text: "I see." }, { text: "ok" }],
      work: [turn, turn],
    });

    const result = await kit.run({ task: "go", retry: { attempts: 1 } }).result;
    const [agent] = await kit.agents.list();
    const told = result.messages.flatMap((message) =>
      message.role === "user" ? [contentText(message.content)] : [],
    );

    expect(agent?.status).not.toBe("done");
    expect(
      told.filter((text) => text.includes("has ended: ") && text.includes(agent?.agentId ?? "?")),
    ).toHaveLength(1);
    expect(told.join()).toContain(`has ended: ${status}`);
  });

  test("claude-code#96170: an agent that is continued reports every end, not only the first", async () => {
    const ids: string[] = [];
    const { kit } = await agentKit({
      go: [
        starts("work", background),
        (request) => {
          ids.push(idIn(lastResult(request)));
          return { text: "Waiting." };
        },
        () => starts("more", { ...background, resume: ids[0] }),
        { text: "Waiting again." },
        () => starts("most", { ...background, resume: ids[0] }),
        { text: "Waiting once more." },
        { text: "All done." },
      ],
      work: [{ text: "first" }, { text: "second" }, { text: "third" }],
    });

    const result = await kit.run({ task: "go" }).result;
    const told = result.messages.flatMap((message) =>
      message.role === "user" && contentText(message.content).includes("has ended: done")
        ? [contentText(message.content).split("\n\n")[1]]
        : [],
    );

    expect(result.text).toBe("All done.");
    expect(told).toEqual(["first", "second", "third"]);
  });
});

describe("an agent that leaves its worktree", () => {
  const commits = [
    { calls: [write("mine.txt", "mine\n")] },
    { calls: [bash("git add -A && git commit -q -m mine")] },
    { text: "committed" },
  ];

  test("claude-code#62547: writes and commits of the agent are not in the checkout of its parent", async () => {
    const root = repository(at);
    await using world = await openedAt(at, { root, table: { work: commits } });
    const before = stateOf(root);

    const { worktree } = await world.kit.agents.start({ prompt: "work", isWorktree: true });

    expect(stateOf(root)).toBe(before);
    expect(worktree).toMatchObject({ commits: 1, changedFiles: 0 });
    expect(git(root, "show", `${worktree?.branch}:mine.txt`)).toBe("mine");
  });

  test("pi-subagents#250: nothing that the agent reads names the checkout of its parent", async () => {
    const root = repository(at);
    const looks = [
      { calls: [bash("pwd"), bash("git rev-parse --show-toplevel")] },
      { text: "here" },
    ];
    await using world = await openedAt(at, { root, table: { work: [...looks, ...looks] } });

    const { worktree, agentId } = await world.kit.agents.start({
      prompt: "work",
      isWorktree: true,
    });
    await world.kit.agents.start({ prompt: "again", resume: agentId });
    const read = world.model.requests.map(({ system, messages, tools }) =>
      JSON.stringify([system, messages, tools]),
    );

    expect(read).toHaveLength(4);
    expect(read.filter((text) => text.includes(root))).toEqual([]);
    expect(read[1]).toContain(worktree?.path ?? "?");
  });

  test.each(["sync", "background"])(
    "superpowers#2050: an agent that continues commits to its branch, also with mode %s",
    async (mode) => {
      const root = repository(at);
      const ids: string[] = [];
      await using world = await openedAt(at, {
        root,
        table: {
          go: [
            starts("work", { mode: "worktree", branch_name: "feature" }),
            (request) => starts("more", { mode, resume: (ids[0] ??= idIn(lastResult(request))) }),
            { text: "ok" },
            { text: "ok" },
          ],
          work: [
            ...commits,
            { calls: [write("more.txt", "more\n")] },
            { calls: [bash("git add -A && git commit -q -m more")] },
            { text: "committed again" },
          ],
        },
      });
      const main = git(root, "rev-parse", "main");

      await world.kit.run({ task: "go" }).result;

      expect(git(root, "rev-parse", "main")).toBe(main);
      expect(git(root, "status", "--porcelain")).toBe("");
      expect(git(root, "log", "--format=%s", "main..feature").split("\n")).toEqual([
        "more",
        "mine",
      ]);
    },
  );
});

describe("work that is lost", () => {
  const looks = { text: "I have found it.", calls: [{ name: "Glob", input: { pattern: "*" } }] };

  test.each([
    { id: "opencode#33028", when: "after work", before: [looks], said: "I have found it." },
    { id: "opencode#39196", when: "at once", before: [], said: "MODEL_FAILED" },
  ])("$id: an agent that fails $when has an id, and continues", async ({ before, said }) => {
    let failures = 1;
    const failsOnce: Turn = () =>
      (failures -= 1) >= 0 ? { error: { message: "down" } } : { text: "finished" };
    const { kit, model } = await agentKit({
      go: [
        starts("work"),
        (request) => starts("go on", { resume: idIn(lastResult(request)) }),
        { text: "ok" },
      ],
      work: [...before, failsOnce],
    });

    await kit.run({ task: "go", retry: { attempts: 1 } }).result;
    const [, failure = "", continued = ""] = model.requests
      .filter(({ messages }) => JSON.stringify(messages[0]).includes('"go"'))
      .map((request) => lastResult(request));

    expect(failure).toContain(said);
    expect(continued).toContain("finished");
  });

  test("opencode#48826: an aborted agent has its id and its work, and continues", async () => {
    const door = gate();
    let isFirst = true;
    const { kit, model } = await agentKit({
      work: [
        looks,
        async () => {
          if (!isFirst) return { text: "finished" };
          isFirst = false;
          door.open();
          return await new Promise(() => undefined);
        },
      ],
    });
    const controller = new AbortController();
    const started = kit.agents.start({ prompt: "work" }, { signal: controller.signal });
    await door.passed;
    controller.abort();
    const { agentId } = await started;
    const ended = await kit.agents.wait(agentId);

    const again = await kit.agents.start({ prompt: "go on", resume: agentId });

    expect(ended).toMatchObject({ status: "aborted", text: "I have found it." });
    expect(again).toMatchObject({ agentId, status: "done", text: "finished" });
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("I have found it.");
  });
});
