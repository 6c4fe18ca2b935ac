import { describe, expect, test } from "vitest";
import { defineTool, type OnAsk, type ToolkitOptions } from "../../src/index.ts";
import { lastResult, scenes } from "../support/agent-world.ts";
import { saying } from "../support/stored-kits.ts";
import { hookWorld } from "./hook-world.ts";

const write = { name: "Write", input: { file_path: "b.txt", content: "x" } };
const files = { "a.txt": "alpha" };

const asking = (more: object = {}, matcher = "Write") => ({
  PreToolUse: [
    { matcher, hooks: [{ type: "agent", prompt: "Is this fine? $ARGUMENTS", ...more }] },
  ],
});

const read = { calls: [{ name: "Read", input: { file_path: "a.txt" } }] };
const ok = { text: 'I looked.\n{"ok": true}' };
const json = { text: '{"ok": true}' };
const no = { text: '{"ok": false, "reason": "alpha is in it"}' };

describe("a hook that asks an agent", () => {
  test("lets it read files, and takes only a clear answer", async () => {
    await using world = await hookWorld(asking(), files);
    const outcomes: unknown[] = [];
    for (const answer of [json, no, ok]) {
      const model = scenes({ "Is this fine?": [read, answer] });
      await using kit = await world.open({ mode: "bypassPermissions", model });
      outcomes.push((await kit.call(write)).error?.code);
      expect(lastResult(model.requests[1] ?? { messages: [] })).toContain("alpha");
      expect(model.requests[0]?.tools.map(({ name }) => name).toSorted()).toEqual([
        "Glob",
        "Grep",
        "Read",
      ]);
    }
    expect(outcomes).toEqual([undefined, "BLOCKED_BY_HOOK", "BLOCKED_BY_HOOK"]);
  });

  test("gives it no way to write, run or leave the workspace, and asks nobody", async () => {
    await using world = await hookWorld(asking(), files);
    const tries = [
      { name: "Write", input: { file_path: "c.txt", content: "x" } },
      { name: "Bash", input: { command: "touch c.txt" } },
      { name: "Read", input: { file_path: "/etc/passwd" } },
    ];
    const model = scenes({ "Is this fine?": [{ calls: tries }, json] });
    const asked: string[] = [];
    const onAsk: OnAsk = async (ask) => {
      asked.push(ask.tool);
      return { kind: "once" };
    };
    await using kit = await world.open({ mode: "bypassPermissions", model, onAsk });

    const { status } = await kit.call(write);

    expect([status, asked]).toEqual(["ok", []]);
    expect(await world.read("c.txt")).toBeUndefined();
    expect(lastResult(model.requests[1] ?? { messages: [] })).not.toContain("root:");
  });

  test("is not asked about its own calls, which other hooks do see", async () => {
    const command = [{ type: "command", command: "cat >> seen.jsonl" }];
    await using world = await hookWorld(
      {
        PreToolUse: [...asking({}, "").PreToolUse, { matcher: "Read", hooks: command }],
        SubagentStart: [{ hooks: [{ type: "command", command: "touch started" }] }],
        UserPromptSubmit: [{ hooks: [{ type: "command", command: "touch started" }] }],
      },
      files,
    );
    const model = scenes({ "Is this fine?": [read, json] });
    await using kit = await world.open({ mode: "bypassPermissions", model });

    expect((await kit.call(write)).status).toBe("ok");

    expect(model.requests).toHaveLength(2);
    expect(await world.read("seen.jsonl")).toContain('"tool_name":"Read"');
    expect(await world.read("started")).toBeUndefined();
    expect(await kit.agents.list()).toEqual([]);
  });

  test("fails at its timeout, at its limits and without a model, and then blocks", async () => {
    await using world = await hookWorld(asking({ timeout: 0.5 }), files);
    const hanging = {
      id: "fake:hanging",
      // oxlint-disable-next-line require-yield -- it never answers
      async *stream({ signal }: { signal: AbortSignal }) {
        await new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
      },
    };
    const endless = scenes({ "Is this fine?": Array.from({ length: 30 }, () => read) });
    const why = async (options: ToolkitOptions) => {
      await using kit = await world.open({ mode: "bypassPermissions", ...options });
      return (await kit.call(write)).error?.message;
    };

    expect(await why({ model: hanging })).toMatch(/no answer came within 0\.5 s/u);
    expect(await why({})).toMatch(/failed/u);
    await world.write(".claude/settings.json", JSON.stringify({ hooks: asking() }));
    expect(await why({ model: endless })).toMatch(/its agent did not finish \(looping\)/u);
    await world.write(
      ".claude/settings.json",
      JSON.stringify({ hooks: asking({ onFailure: "allow" }) }),
    );
    expect(await why({ model: endless })).toBeUndefined();
  });

  test("spends the budget of the run", async () => {
    await using world = await hookWorld(asking(), files);
    const usage = { input: 600, output: 0 };
    const model = scenes({
      go: [{ calls: [write] }, { text: "done", usage }],
      "Is this fine?": [
        { ...read, usage },
        { ...read, usage },
        { ...json, usage },
      ],
    });
    await using kit = await world.open({ mode: "bypassPermissions", model });

    const { status } = await kit.run({ task: "go", model, limits: { maxTokens: 1000 } }).result;

    expect(status).toBe("max-tokens");
    expect(await world.read("b.txt")).toBeUndefined();
  });
});

const hooks = () => ({
  PreToolUse: [
    {
      matcher: "Write",
      hooks: [
        {
          type: "mcp_tool",
          server: "guard",
          tool: "check",
          input: { path: "${tool_input.file_path}", all: ["${tool_name} ${nothing.here}"] },
        },
      ],
    },
  ],
});
const guard = (answer: string, inputs: unknown[] = []) =>
  defineTool({
    name: "mcp__guard__check",
    description: "Check a path.",
    touches: [],
    input: { type: "object" },
    source: { id: "guard", name: "guard", kind: "mcp" },
    run: (input) => {
      inputs.push(input);
      if (answer === "throw") throw new Error("out of order");
      return { content: answer };
    },
  });

describe("a hook that calls an MCP tool", () => {
  const denial = JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "not this file",
    },
  });

  test("gives it fields of the event, and reads its text like that of a command", async () => {
    await using world = await hookWorld(hooks(), files);
    const inputs: unknown[] = [];
    const outcome = async (answer: string) => {
      const tools = { extra: [guard(answer, inputs)] };
      await using kit = await world.open({ mode: "bypassPermissions", tools });
      return (await kit.call(write)).error?.message;
    };

    expect(await outcome("")).toBeUndefined();
    expect(await outcome(denial)).toContain("not this file");
    expect(await outcome("throw")).toContain("out of order");
    expect(await outcome('{"hookSpecificOutputs": {}}')).toContain("has no key");
    expect(inputs[0]).toEqual({ path: world.at("b.txt"), all: ["Write "] });
  });

  test("fails where the server or the tool does not exist, or a rule denies the call", async () => {
    await using world = await hookWorld(hooks(), files);
    await using without = await world.open({ mode: "bypassPermissions" });
    await using denied = await world.open({
      mode: "bypassPermissions",
      tools: { extra: [guard("")] },
      rules: { deny: ["mcp__guard"] },
    });

    expect((await without.call(write)).error?.code).toBe("BLOCKED_BY_HOOK");
    expect((await denied.call(write)).error?.code).toBe("BLOCKED_BY_HOOK");
    expect(await world.read("b.txt")).toBeUndefined();
  });

  test("is not called for its own call, whatever it matches", async () => {
    const all = hooks().PreToolUse.map((each) => ({ ...each, matcher: "" }));
    await using world = await hookWorld({ PreToolUse: all, PostToolUse: all }, files);
    const inputs: unknown[] = [];
    const tools = { extra: [guard("", inputs)] };
    await using kit = await world.open({ mode: "bypassPermissions", tools });

    expect((await kit.call(write)).status).toBe("ok");

    expect(inputs).toHaveLength(2);
  });

  test("that never answers ends with the call", async () => {
    await using world = await hookWorld(hooks(), files);
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const never = defineTool({
      name: "mcp__guard__check",
      description: "Never answer.",
      touches: [],
      input: { type: "object" },
      run: async (_input, { signal }) => {
        start();
        await new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        });
        return { content: "" };
      },
    });
    await using kit = await world.open({ mode: "bypassPermissions", tools: { extra: [never] } });
    const controller = new AbortController();

    const call = kit.call(write, { signal: controller.signal });
    await started;
    controller.abort();

    expect((await call).status).toBe("aborted");
  });
});

test("hooks of these kinds in a project that is not trusted do not run", async () => {
  await using world = await hookWorld({ ...asking({}, "") }, files);
  const model = saying("no");
  await using kit = await world.open({
    mode: "bypassPermissions",
    trust: false,
    model: model.model,
  });

  expect((await kit.call(write)).status).toBe("ok");
  expect((await kit.hooks.list()).map(({ type, needsTrust }) => [type, needsTrust])).toEqual([
    ["agent", true],
  ]);
});
