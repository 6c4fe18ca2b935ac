import { describe, expect, test } from "vitest";
import { agentKit, lastResult, starts } from "../support/agent-world.ts";

const loaded = { settings: "load", trust: true } as const;
const reviewer = [
  "---",
  "name: reviewer",
  "description: Reviews a change.",
  "tools: Read, Grep, Bash(git diff *)",
  "model: sonnet",
  "maxTurns: 2",
  "color: blue",
  "---",
  "Report each fault.",
].join("\n");

async function unusedOf(files: Readonly<Record<string, string>>, trust = true) {
  const { kit } = await agentKit({}, { settings: "load", trust }, { files });
  return await kit.agents.definitions();
}

function definition(fields: string): string {
  return `---\n${fields}\n---\nWork.\n`;
}

test("a definition gives instructions, tools and limits; a foreign model name is the caller's", async () => {
  const glob = { calls: [{ name: "Grep", input: { pattern: "x" } }] };
  const { kit, model } = await agentKit(
    {
      go: [starts("review it", { subagent_type: "reviewer" }), { text: "ok" }],
      review: [glob, glob],
    },
    loaded,
    { files: { ".claude/agents/deep/reviewer.md": reviewer } },
  );

  await kit.run({ task: "go" }).result;
  const request = model.requests[1];
  const [agent] = await kit.agents.list();

  expect(request?.system).toContain("Report each fault.");
  expect(request?.tools.map(({ name }) => name)).toEqual(["Bash", "Grep", "Read"]);
  expect(agent).toMatchObject({ agent: "reviewer", status: "max-turns", turns: 2 });
});

test("a key that programs add for themselves is noted, and the agent is used", async () => {
  const { agents, unused } = await unusedOf({
    ".claude/agents/a.md": definition(
      "description: d\ncapabilities: [review]\nversion: 2\ntriggers: [pr]",
    ),
  });

  expect(agents.map(({ name }) => name)).toEqual(["general", "a"]);
  expect(unused).toEqual([]);
});

describe("a definition is not used", () => {
  test("with an unknown key, which is named with the nearest one", async () => {
    const { agents, unused } = await unusedOf({
      ".haft/agents/a.md": definition("description: d\ntols: Read"),
    });

    expect(agents.map(({ name }) => name)).toEqual(["general"]);
    expect(unused).toMatchObject([
      {
        name: "a",
        reason: "invalid",
        message: 'Line 3: The key "tols" is not known. Did you mean tools?',
      },
    ]);
  });

  test.for(["allowed-paths: [src]", "sandboxed: true", "read_only: true", "network: none"])(
    "with a key that may limit it, as in %s",
    async (line) => {
      const { agents, unused } = await unusedOf({
        ".haft/agents/a.md": definition(`description: d\n${line}`),
      });

      expect(agents.map(({ name }) => name)).toEqual(["general"]);
      expect(unused).toMatchObject([
        {
          name: "a",
          message: expect.stringMatching(
            /^Line 3: The key "\S+" is not known\. It may be meant as a limit: remove it/u,
          ),
        },
      ]);
    },
  );

  test("with a name that another one has already, also in other letter case", async () => {
    const { agents, unused } = await unusedOf({
      ".haft/agents/a.md": definition("name: reviewer"),
      ".haft/agents/b.md": definition("name: Reviewer"),
      "/home/user/.haft/agents/c.md": definition("name: reviewer"),
    });

    expect(agents.filter(({ name }) => /reviewer/iu.test(name))).toHaveLength(1);
    expect(unused.map(({ name, message }) => [name, message])).toEqual([
      ["Reviewer", expect.stringMatching(/a\.md has this name already, as reviewer; rename/u)],
      ["reviewer", expect.stringMatching(/a\.md has this name already; rename/u)],
    ]);
  });

  test.each([
    ["letters of two alphabets", "name: g\u0435neral"],
    ["wide letters", "name: \uff47eneral"],
    ["a hidden character", "name: gen\u200deral"],
  ])("with a name of %s, which looks like another one", async (_what, field) => {
    const { unused } = await unusedOf({ ".haft/agents/a.md": definition(field) });

    expect(unused.map(({ message }) => message)).toEqual([
      "Line 2: name must be a name of letters of one alphabet, digits, - and _.",
    ]);
  });

  test("with a name of its file alone that looks like another one", async () => {
    const { agents, unused } = await unusedOf({
      ".haft/agents/g\u0435neral.md": definition("description: d"),
      ".haft/agents/\u043e\u0431\u0437\u043e\u0440.md": definition("description: d"),
    });

    expect(unused).toMatchObject([{ reason: "invalid" }]);
    expect(agents.map(({ name }) => name)).toContain("\u043e\u0431\u0437\u043e\u0440");
  });

  test("with a value of the wrong kind, or without instructions", async () => {
    const { unused } = await unusedOf({
      ".haft/agents/a.md": definition("maxTurns: many"),
      ".haft/agents/b.md": "---\ndescription: d\n---\n",
    });

    expect(unused.map(({ message }) => message)).toEqual([
      "Line 2: maxTurns must be a whole number above 0.",
      "It has no instructions below its fields.",
    ]);
  });

  test("in a cycle of agents that start each other", async () => {
    const { agents, unused } = await unusedOf({
      ".haft/agents/a.md": definition("tools: Agent(b)"),
      ".haft/agents/b.md": definition("tools: Agent(a), Read"),
    });

    expect(agents.map(({ name }) => name)).toEqual(["general"]);
    expect(unused.map(({ name, message }) => [name, message])).toEqual([
      ["a", "These agents start each other without end: a, then b, then a."],
      ["b", "These agents start each other without end: a, then b, then a."],
    ]);
  });

  test("from a workspace that is not trusted; the user's own are", async () => {
    const { agents, unused } = await unusedOf(
      {
        ".haft/agents/theirs.md": definition("description: d"),
        "/home/user/.haft/agents/mine.md": definition("description: d"),
      },
      false,
    );

    expect(unused).toMatchObject([{ name: "theirs", reason: "trust" }]);
    expect(agents.some(({ name }) => name === "theirs")).toBe(false);
  });

  test.each([{}, { mode: "background" }])("and starting it says why: %j", async (more) => {
    const { kit, model } = await agentKit(
      { go: [starts("x", { agent: "a", ...more }), { text: "ok" }] },
      loaded,
      { files: { ".haft/agents/a.md": definition("tols: Read") } },
    );

    await kit.run({ task: "go" }).result;

    const text = lastResult(model.requests.at(-1) ?? { messages: [] });
    expect(text).toContain(
      'UNAVAILABLE: The agent a cannot be used. Line 2: The key "tols" is not known.',
    );
    expect(text).not.toContain("resume");
    expect(await kit.agents.list()).toEqual([]);
  });
});

test("Agent(a, b) in a definition lets it start only these", async () => {
  const { kit, model } = await agentKit(
    {
      go: [starts("lead", { agent: "lead" }), { text: "ok" }],
      lead: [starts("other", { agent: "general" }), { text: "tried" }],
      other: [{ text: "never" }],
    },
    loaded,
    { files: { ".haft/agents/lead.md": definition("tools: Agent(helper), Read") } },
  );

  await kit.run({ task: "go" }).result;

  const text = lastResult(model.requests[2] ?? { messages: [] });
  expect(text).toContain("PERMISSION_DENIED: This agent may not start the agent general.");
  expect(text).toContain("It may start helper.");
  expect(await kit.agents.list()).toMatchObject([{ agent: "lead" }]);
});

test.each([
  { input: { run_in_background: true }, isBackground: true },
  { input: { background: true }, isBackground: true },
  { input: { isolation: "none", maxIterations: 3 }, isBackground: false },
])("options of other programs are understood: $input", async ({ input, isBackground }) => {
  const { kit } = await agentKit({
    go: [starts("x", input), { text: "ok" }, { text: "ok" }],
    x: [{ text: "done" }],
  });

  await kit.run({ task: "go" }).result;
  const [agent] = await kit.agents.list();

  expect(agent).toMatchObject({ status: "done", isBackground });
});

test("a definition with background: true runs in the background unless the call says otherwise", async () => {
  const files = { ".haft/agents/slow.md": definition("background: true") };
  const { kit } = await agentKit({ x: [{ text: "done" }] }, loaded, { files });

  const first = await kit.agents.start({ prompt: "x", agent: "slow" });
  const second = await kit.agents.start({ prompt: "x", agent: "slow", isBackground: false });
  await kit.agents.wait(first.agentId);

  expect(first).toMatchObject({ status: "running", isBackground: true });
  expect(second).toMatchObject({ status: "done", isBackground: false });
});
