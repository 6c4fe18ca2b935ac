import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { ScriptTurn } from "../../src/agent/index.ts";
import type { OnAsk } from "../../src/core/index.ts";
import { delegatePrompts } from "../../src/agent/index.ts";
import { createToolkit } from "../../src/kit/index.ts";
import { agentKit, lastResult, scenes } from "../support/agent-world.ts";
import { settled } from "../support/kit.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const within = temporaryFolder("delegate");

async function at(name: string): Promise<string> {
  const folder = within(name);
  await mkdir(folder, { recursive: true });
  return folder;
}

const allowed = { mode: "acceptEdits" } as const;

function writes(name: string): ScriptTurn {
  return { calls: [{ name: "Write", input: { file_path: name, content: "x\n" } }] };
}

describe("kit.delegate", () => {
  test("reports what the agent did, with its steps and the files it changed", async () => {
    const { kit } = await agentKit(
      {
        make: [
          { calls: [{ name: "Glob", input: { pattern: "*" } }] },
          writes("new.txt"),
          { calls: [{ name: "Read", input: { file_path: "missing.txt" } }] },
          { text: "The file is there.\n\nIt has one line." },
        ],
      },
      allowed,
    );

    const result = await kit.delegate({
      task: "make a file",
      context: "It is called new.txt.",
      expectedOutcome: "new.txt exists",
    });

    expect(result).toMatchObject({
      success: true,
      summary: "The file is there.",
      details: "The file is there.\n\nIt has one line.",
      filesModified: ["new.txt"],
      toolCallCount: 3,
      steps: [
        { toolName: "Glob", status: "completed" },
        { toolName: "Write", status: "completed", arguments: { file_path: "new.txt" } },
        { toolName: "Read", status: "failed" },
      ],
    });
    expect(result.errors).toHaveLength(1);
    expect(result.errors[0]).toMatch(/^Read: /u);
    expect(result.executionTimeMs).toBeGreaterThanOrEqual(0);
    expect((await kit.agents.list())[0]?.agentId).toBe(result.agentId);
  });

  test("calls back for each step, text and error", async () => {
    const { kit } = await agentKit(
      {
        make: [
          { text: "I begin.", ...writes("new.txt") },
          { calls: [{ name: "Read", input: { file_path: "missing.txt" } }] },
          { text: "Done." },
        ],
      },
      allowed,
    );
    const heard: string[] = [];

    await kit.delegate(
      { task: "make" },
      {
        onStepStart: ({ toolName, status }) => void heard.push(`start ${toolName} ${status}`),
        onStepComplete: ({ toolName, status }) => void heard.push(`end ${toolName} ${status}`),
        onStepSummary: (_summary, { toolName }) => void heard.push(`summary ${toolName}`),
        onTextChunk: (text) => void heard.push(`text ${text}`),
        onProgress: (message) => void heard.push(`progress ${message}`),
        onError: ({ code }) => {
          heard.push(`error ${code}`);
          throw new Error("A callback that fails changes nothing.");
        },
      },
    );

    expect(heard).toEqual([
      "text I begin.",
      "start Write running",
      "progress Write",
      "end Write completed",
      "summary Write",
      "start Read running",
      "progress Read",
      "end Read failed",
      "summary Read",
      "error NOT_FOUND",
      "text Done.",
    ]);
  });

  test("fails if every call failed, although the model says so", async () => {
    const { kit } = await agentKit({
      make: [
        { calls: [{ name: "Read", input: { file_path: "missing.txt" } }] },
        { text: "Everything is fine." },
      ],
    });

    const result = await kit.delegate({ task: "make" });

    expect(result).toMatchObject({ success: false, summary: "Everything is fine." });
  });

  test("fails if the model fails", async () => {
    const { kit } = await agentKit({ make: [{ error: { message: "the provider is down" } }] });

    const result = await kit.delegate({ task: "make" });

    expect(result.success).toBe(false);
    expect(result.summary).toMatch(/^The task did not finish: .*the provider is down/u);
    expect(result.errors[0]).toMatch(/^MODEL_FAILED: /u);
  });

  test("names files that a shell command wrote, and none that a refused call would have", async () => {
    const folder = await at("shell");
    const make = "touch by-shell.txt && printf x > printed.txt && rm gone.txt";
    await writeFile(`${folder}/gone.txt`, "x");
    const model = scenes({
      make: [
        { calls: [{ name: "Bash", input: { command: make } }] },
        writes("denied.txt"),
        { text: "Done." },
      ],
    });
    await using kit = await createToolkit({
      workspace: folder,
      model,
      mode: "acceptEdits",
      sandbox: { require: "off" },
      rules: { allow: ["Bash"], deny: ["Edit(denied.txt)"] },
    });

    const { filesModified, steps } = await kit.delegate({ task: "make" });

    expect(steps.map(({ status }) => status)).toEqual(["completed", "failed"]);
    expect(filesModified.toSorted()).toEqual(["by-shell.txt", "gone.txt", "printed.txt"]);
  });

  test("stops after the calls and the time that the settings allow", async () => {
    const forever: ScriptTurn[] = Array.from({ length: 9 }, (_, index) => writes(`${index}.txt`));
    const settings = { toolAgentSettings: { maxToolCalls: 2 } };
    const { kit, host } = await agentKit(
      { make: forever, hang: [async () => await new Promise(() => undefined)] },
      { settings, ...allowed },
    );

    const calls = await kit.delegate({ task: "make" });
    const hanging = kit.delegate({ task: "hang" }, { timeoutMs: 50 });
    await settled();
    host.control.advance(50);
    const time = await hanging;

    expect(calls).toMatchObject({ success: false, toolCallCount: 2 });
    expect(time).toMatchObject({ success: false, toolCallCount: 0 });
    expect(time.errors[0]).toMatch(/^(?:TIMEOUT|LIMIT_REACHED): /u);
  });

  test("uses the model of the settings, and that of the call first", async () => {
    const settings = { toolAgentSettings: { providerId: "nowhere", model: "small" } };
    const { kit } = await agentKit({ make: [{ text: "Done." }] }, { settings });

    const own = await kit.delegate({ task: "make" });
    const named = await kit.delegate({ task: "make" }, { model: "elsewhere:large" });

    expect(own.errors[0]).toContain("nowhere");
    expect(named.errors[0]).toContain("elsewhere");
  });

  test("refuses options that it does not know", async () => {
    const { kit } = await agentKit({});

    // @ts-expect-error A mistyped option.
    await expect(kit.delegate({ task: "x" }, { maxCalls: 1 })).rejects.toThrow(TypeError);
    await expect(kit.delegate({ task: "" })).rejects.toThrow(TypeError);
  });
});

describe("autoConfirmDangerous", () => {
  const asked: string[] = [];
  const onAsk: OnAsk = async ({ tool, input }) => {
    asked.push(`${tool} ${JSON.stringify(input)}`);
    return { kind: "deny" };
  };

  async function delegating(call: { name: string; input: object }, isOn: boolean) {
    asked.length = 0;
    const { kit } = await agentKit(
      { make: [{ calls: [call] }, { text: "Done." }] },
      { onAsk, rules: { ask: ["Edit(asked.txt)"], deny: ["Edit(denied.txt)"] } },
    );
    const options = { autoConfirmDangerous: isOn };
    const { steps } = await kit.delegate({ task: "make" }, options);
    return { status: steps[0]?.status, asked: asked.length };
  }

  test("is off: a question goes to the user", async () => {
    const call = { name: "Write", input: { file_path: "a.txt", content: "x" } };

    expect(await delegating(call, false)).toEqual({ status: "failed", asked: 1 });
  });

  test("answers a question that only the mode asks", async () => {
    const call = { name: "Write", input: { file_path: "a.txt", content: "x" } };

    expect(await delegating(call, true)).toEqual({ status: "completed", asked: 0 });
  });

  test.each([
    { what: "an ask rule", file: "asked.txt", count: 1 },
    { what: "a deny rule", file: "denied.txt", count: 0 },
    { what: "protected paths", file: ".git/config", count: 1 },
  ])("never overrides $what", async ({ file, count }) => {
    const call = { name: "Write", input: { file_path: file, content: "x" } };

    expect(await delegating(call, true)).toEqual({ status: "failed", asked: count });
  });

  test("never overrides the floor", async () => {
    const call = { name: "Bash", input: { command: "rm -rf /" } };

    expect(await delegating(call, true)).toEqual({ status: "failed", asked: 0 });
  });
});

describe("the tool Delegate", () => {
  test("gives the model the report, and its result to interfaces", async () => {
    const { kit, model, events } = await agentKit(
      {
        go: [{ calls: [{ name: "Delegate", input: { task: "make a file" } }] }, { text: "ok" }],
        make: [writes("new.txt"), { text: "The file is there." }],
      },
      allowed,
    );

    await kit.run({ task: "go" }).result;
    const text = lastResult(model.requests.at(-1) ?? { messages: [] });
    const end = events.findLast((event) => event.type === "call-end");

    expect(text).toContain("The task succeeded.\n\nThe file is there.");
    expect(text).toContain("Changed files:\n\n- new.txt".replace("\n\n", "\n"));
    expect(end?.type === "call-end" && end.outcome.metadata).toMatchObject({
      success: true,
      filesModified: ["new.txt"],
    });
  });

  test("is an error if the task failed", async () => {
    const { kit } = await agentKit({ make: [{ error: { message: "down" } }] });

    const outcome = await kit.call({ name: "Delegate", input: { task: "make" } });

    expect(outcome).toMatchObject({ isError: true, metadata: { success: false } });
    expect(outcome.text).toContain("The task failed.");
  });

  test("is not offered to the agent that works on the task", async () => {
    const { kit, model } = await agentKit({ make: [{ text: "Done." }] });

    await kit.delegate({ task: "make" });
    const names = model.requests[0]?.tools.map(({ name }) => name);

    expect(names).toContain("Read");
    expect(names).not.toContain("Delegate");
    expect(names).not.toContain("Agent");
  });

  test("is denied by a rule for its name", async () => {
    const { kit } = await agentKit({ make: [{ text: "x" }] }, { rules: { deny: ["Delegate"] } });

    const outcome = await kit.call({ name: "Delegate", input: { task: "make" } });

    expect(outcome.status).toBe("denied");
  });

  test("is in the task list while it works", async () => {
    const { kit } = await agentKit({ make: [{ text: "Done." }] });

    await kit.delegate({ task: "make" }, { sessionId: "s" });

    expect(await kit.tasks.list()).toMatchObject([
      { kind: "delegation", status: "done", title: "make" },
    ]);
  });
});

test("the prompts of delegated tasks are exported functions", () => {
  expect(delegatePrompts.task({ task: " a ", context: "b", expectedOutcome: "" })).toBe(
    "a\n\nContext:\nb",
  );
  expect(delegatePrompts.system()).toContain("Finish the task by yourself");
});
