import { describe, expect, test } from "vitest";
import type { HaftEvent } from "../../core/index.ts";
import { simpleTool, testKit } from "../../../test/support/kit.ts";

const echo = simpleTool("Echo", (input) => ({ content: JSON.stringify(input) }));
const pay = simpleTool("Pay", () => ({ content: "paid" }), {
  touches: ["unknown"],
  effects: () => [{ kind: "unknown", because: "it pays", origin: "Pay" }],
  undo: async () => await Promise.resolve({ content: "paid back" }),
});

const extra = { tools: { extra: [echo, pay] }, mode: "bypassPermissions" } as const;

function failing(): never {
  throw new Error("It broke");
}

function block() {
  return { block: "no" };
}

describe("a hook is notified of a call", () => {
  test("before it: tool, input and id", async () => {
    const told: unknown[] = [];
    const before = (call: unknown) => {
      told.push(call);
      return undefined;
    };
    const { kit } = await testKit({ ...extra, hooks: { before: [before] } });

    const { id } = await kit.call({ name: "Echo", input: { a: 1 } });

    const signal: unknown = expect.any(AbortSignal);
    expect(told).toEqual([{ tool: "Echo", input: { a: 1 }, callId: id, signal }]);
  });

  test("and each sees what the one before it made of the input", async () => {
    const { kit } = await testKit({
      ...extra,
      hooks: {
        before: [
          () => ({ input: { a: 2 } }),
          async ({ input }) => await Promise.resolve({ input: { was: input } }),
          () => undefined,
        ],
      },
    });

    expect((await kit.call({ name: "Echo", input: { a: 1 } })).text).toBe('{"was":{"a":2}}');
  });

  test.each([
    { answer: { block: "no" }, message: "A hook blocked Echo: no" },
    { answer: "yes", message: "The before hook for Echo returned an invalid value." },
    { answer: null, message: "The before hook for Echo returned an invalid value." },
    { answer: {}, message: "The before hook for Echo returned an invalid value." },
  ])("and may refuse it: $answer", async ({ answer, message }) => {
    const before = () => answer as { block: string };
    const { kit } = await testKit({ ...extra, hooks: { before: [before] } });

    const { error } = await kit.call({ name: "Echo", input: {} });

    expect(error).toMatchObject({ code: "BLOCKED_BY_HOOK", message });
  });

  test("and refuses it where it fails", async () => {
    const { kit } = await testKit({ ...extra, hooks: { before: [failing] } });

    const { error } = await kit.call({ name: "Echo", input: {} });

    expect(error).toMatchObject({
      code: "BLOCKED_BY_HOOK",
      message: "A hook failed before Echo ran: It broke.",
      hint: "Fix the hook; do not repeat the call.",
    });
  });
});

describe("a listener is notified of a call", () => {
  test("with its session and agent, when it ends", async () => {
    const events: HaftEvent[] = [];
    const { kit } = await testKit({ ...extra, onEvent: (event) => events.push(event) });

    const { id } = await kit.call(
      { name: "Echo", input: {} },
      { sessionId: "s", agentId: "tester" },
    );

    const ends = events.filter(({ type }) => type === "call-end");
    expect(ends).toMatchObject([
      { callId: id, sessionId: "s", agentId: "tester", outcome: { id, status: "ok" } },
    ]);
  });
});

describe("what is kept to take a call back", () => {
  test("belongs to its session", async () => {
    const { kit } = await testKit(extra);
    const first = await kit.call({ name: "Pay", input: {} }, { sessionId: "one" });
    await kit.call({ name: "Pay", input: {} }, { sessionId: "two" });

    expect(first.undo).toMatchObject({ level: "full" });
    expect((await kit.undo({ last: 1 }, { sessionId: "one" })).calls).toEqual([first.id]);
  });

  test("is nothing where the tool never ran, or has no undo", async () => {
    const blocked = await testKit({ ...extra, hooks: { before: [block] } });
    const { kit } = await testKit(extra);

    expect((await blocked.kit.call({ name: "Pay", input: {} })).undo).toBeUndefined();
    expect((await kit.call({ name: "Echo", input: {} })).undo).toBeUndefined();
    expect(await blocked.kit.history()).toEqual([]);
  });
});
