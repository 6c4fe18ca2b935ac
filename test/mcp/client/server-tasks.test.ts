// Calls that a server makes tasks, in both eras: followed to their end, asked about, cancelled.
import { describe, expect, test } from "vitest";
import type { ToolkitOptions } from "../../../src/index.ts";
import { leaveNothing } from "../../support/leftovers.ts";
import type { Script } from "./scripted-server.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

const tool = { name: "t", description: "A tool.", inputSchema: { type: "object" } };
const call = { name: "mcp__s__t", input: {} };
const done = { content: [{ type: "text", text: "the result" }] };

async function outcomeOf(script: Script, options: ToolkitOptions = {}) {
  await using world = serverWorld();
  const kit = await world.open(
    { s: serverEntry({ tools: [tool], acts: { t: "task" }, record: world.record, ...script }) },
    { rules: { allow: ["mcp__s"] }, ...options },
  );
  const { text, status, error } = await kit.call(call);
  return { text, status, error, records: world.records() };
}

describe("a call that becomes a task", () => {
  test("is followed until it has its result", async () => {
    const { text } = await outcomeOf({
      isModern: true,
      taskStates: [{ status: "working" }, { status: "completed", result: done }],
    });

    expect(text).toBe("the result");
  });

  test("must be one where the tool says so, in the revision before", async () => {
    const { text, records } = await outcomeOf({
      tools: [{ ...tool, execution: { taskSupport: "required" } }],
      taskStates: [{ status: "working" }, { status: "completed" }],
    });

    expect(text).toBe("the result");
    expect(records).toContain("task {}");
  });

  test("answers its questions, each once", async () => {
    const form = {
      method: "elicitation/create",
      params: {
        message: "Where to?",
        requestedSchema: { type: "object", properties: { city: { type: "string" } } },
      },
    };
    const asking = { status: "input_required", inputRequests: { city: form } };
    let questions = 0;

    const { text, records } = await outcomeOf(
      { isModern: true, taskStates: [asking, asking, { status: "completed", result: done }] },
      {
        onAsk: async () => {
          questions += 1;
          return { kind: "answer", choices: [], text: "Rome" };
        },
      },
    );

    expect(text).toBe("the result");
    expect(questions).toBe(1);
    expect(records).toContain('update {"city":{"action":"accept","content":{"city":"Rome"}}}');
  });

  test.each([
    [{ status: "failed", error: { code: -32_603, message: "out of disk" } }, /out of disk/u],
    [{ status: "cancelled", statusMessage: "by the operator" }, /cancelled: by the operator/u],
    [{ status: "made up" }, /is made up/u],
    [{ status: "working", taskId: "task-2" }, /not valid/u],
    [{ status: 3 }, /not valid/u],
    [
      {
        status: "input_required",
        inputRequests: Object.fromEntries(
          Array.from({ length: 51 }, (_, index) => [`q${index}`, { method: "roots/list" }]),
        ),
      },
      /not valid/u,
    ],
    [{ status: "input_required", inputRequests: { x: { method: "made/up" } } }, /does not know/u],
  ])("fails with what the server says, and is cancelled (%#)", async (state, reason) => {
    const { status, text, records } = await outcomeOf({ isModern: true, taskStates: [state] });

    expect(status).toBe("failed");
    expect(text).toMatch(reason);
    expect(records).toContain("task cancelled");
    expect(records.filter((line) => line === "call t")).toHaveLength(1);
  });

  test("is cancelled with its call", async () => {
    await using world = serverWorld();
    const entry = serverEntry({
      tools: [tool],
      acts: { t: "task" },
      isModern: true,
      record: world.record,
      taskStates: [{ status: "working", statusMessage: "half" }],
    });
    const kit = await world.open({ s: entry }, { rules: { allow: ["mcp__s"] } });
    const stop = new AbortController();

    const { status } = await kit.call(call, {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });

    expect(status).toBe("aborted");
    expect(world.records()).toContain("task cancelled");
  });
});
