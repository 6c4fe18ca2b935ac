import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  startRun,
  type ModelEvent,
  type ModelRequest,
  type RunResult,
} from "../../src/agent/index.ts";
import type { Model } from "../../src/agent/index.ts";
import { ToolError } from "../../src/core/index.ts";
import { userMessage } from "../../src/session/index.ts";
import { quickClock } from "../fakes/fake-run.ts";
import { fakeToolkit, type FakeToolkit } from "../fakes/fake-toolkit.ts";
import {
  fakeProvider,
  hangsUp,
  idsIn,
  protocols,
  refuses,
  stalls,
  type FakeProvider,
} from "./fake-provider.ts";

let fake: FakeProvider;
beforeEach(async () => {
  fake = await fakeProvider();
});
afterEach(async () => {
  await fake.stop();
});

function tools(): FakeToolkit {
  return fakeToolkit({
    Read: { description: "Reads a file.", run: (input) => `read ${JSON.stringify(input)}` },
    Write: { writes: true, run: () => "written" },
  });
}

const request: ModelRequest = {
  system: "be good",
  messages: [userMessage("go")],
  tools: [{ name: "Read", description: "Reads.", inputSchema: { type: "object", properties: {} } }],
  signal: new AbortController().signal,
};

async function run(model: Model, toolkit = tools()): Promise<RunResult> {
  return await startRun({ toolkit, model, task: "go", clock: quickClock() }).result;
}

/** Events until the stream ends or fails, and the error. */
async function answerOf(
  model: Model,
  more: Partial<ModelRequest> = {},
): Promise<{ readonly events: readonly ModelEvent[]; readonly error?: unknown }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream({ ...request, ...more })) events.push(event);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

/** Whether an answer is known to be unfinished: by an error that can be retried, or by its finish reason. */
function endOf(events: readonly ModelEvent[], error: unknown): string {
  if (ToolError.is(error)) return error.retryable ? "interrupted" : "failed";
  const finish = events.find(({ type }) => type === "finish");
  return finish?.type === "finish" && finish.reason !== "other" ? finish.reason : "interrupted";
}

function file(index: number): string {
  return `{"file_path":"file-${index}.txt"}`;
}

/** Calls in the first answer, then one answer without. */
function callsThenDone(
  calls: readonly { readonly name: string; readonly arguments: string; readonly id?: string }[],
): void {
  fake.mock.on({ userMessage: "go", hasToolResult: false }, { toolCalls: [...calls] });
  fake.mock.on({ userMessage: "go", hasToolResult: true }, { content: "All done." });
}

/** Bodies as the loop sent them: the arguments of each call and the texts of all results. */
function expectConversation(body: string, calls: number): void {
  for (let index = 0; index < calls; index += 1) {
    expect(body).toContain(`file-${index}.txt`);
    expect(body.replaceAll("\\", "")).toContain(`read {"file_path":"file-${index}.txt"}`);
  }
}

describe.each(protocols)("a fake of $name", (protocol) => {
  test("20 parallel calls come and go with their results under ids that it accepts", async () => {
    const paths = Array.from({ length: 20 }, (_, index) => `file-${index}.txt`);
    callsThenDone(paths.map((path) => ({ name: "Read", arguments: `{"file_path":"${path}"}` })));

    const result = await run(await fake.model(protocol));

    expect(result).toMatchObject({ status: "done", text: "All done.", turns: 2, calls: 20 });
    const body = fake.bodies[1] ?? "";
    expectConversation(body, 20);
    const { calls, results } = idsIn(body);
    expect(calls).toHaveLength(20);
    expect(new Set(calls).size).toBe(20);
    expect(results).toEqual(calls);
    for (const id of calls) expect(id).toMatch(protocol.callId);
  });

  test("ids that it repeats are sent back as different ids, each with its own result", async () => {
    callsThenDone([
      { name: "Read", arguments: file(0), id: "functions.Read:0" },
      { name: "Read", arguments: file(1), id: "functions.Read:0" },
      { name: "Read", arguments: file(2), id: "" },
    ]);
    const toolkit = tools();

    const result = await run(await fake.model(protocol), toolkit);

    expect(result).toMatchObject({ status: "done", calls: 3 });
    expect(toolkit.batches[0]?.calls.map(({ input }) => input)).toEqual([
      file(0),
      file(1),
      file(2),
    ]);
    const { calls, results } = idsIn(fake.bodies[1] ?? "");
    expect(new Set(calls).size).toBe(3);
    expect(results).toEqual(calls);
    for (const id of calls) expect(id).toMatch(protocol.callId);
    expectConversation(fake.bodies[1] ?? "", 3);
  });

  test("a refused key is not retried, a busy provider is, after the delay that it asks for", async () => {
    const model = await fake.model(protocol);
    const date = new Date(Date.parse("2026-10-21T07:28:30Z")).toUTCString();
    const now = new Date(Date.parse("2026-10-21T07:28:00Z")).toUTCString();
    fake.faults.push(
      refuses(401, { type: "authentication_error", message: "bad key" }),
      refuses(404, { type: "not_found_error", message: "no such model" }),
      refuses(429, { type: "rate_limit_error", message: "slow down" }, { "retry-after": "7" }),
      refuses(429, { message: "slow down" }, { "retry-after": date, date: now }),
      refuses(429, { message: "slow down" }, { "retry-after-ms": "70" }),
      refuses(529, { type: "overloaded_error", message: "overloaded" }),
      refuses(500, { message: "oh" }),
    );

    const errors: unknown[] = [];
    while (fake.faults.length > 0) errors.push((await answerOf(model)).error);

    expect(errors).toMatchObject([
      { code: "MODEL_FAILED", retryable: false, data: { status: 401 } },
      { code: "MODEL_FAILED", retryable: false, data: { status: 404 } },
      { code: "MODEL_FAILED", retryable: true, data: { status: 429, retryAfterMs: 7000 } },
      { code: "MODEL_FAILED", retryable: true, data: { status: 429, retryAfterMs: 30_000 } },
      { code: "MODEL_FAILED", retryable: true, data: { status: 429, retryAfterMs: 70 } },
      { code: "MODEL_FAILED", retryable: true, data: { status: 529 } },
      { code: "MODEL_FAILED", retryable: true, data: { status: 500 } },
    ]);
  });

  test("a conversation that is too long is an error of its own", async () => {
    const model = await fake.model(protocol);
    fake.faults.push(
      refuses(400, { code: "x", message: "prompt is too long: 2 tokens > 1 maximum" }),
      refuses(413, { type: "request_too_large", message: "Request exceeds the maximum size" }),
    );

    for (const status of [400, 413]) {
      expect((await answerOf(model)).error).toMatchObject({
        code: "CONTEXT_OVERFLOW",
        retryable: false,
        data: { status },
      });
    }
  });

  test("a connection that breaks before the answer can be retried", async () => {
    const model = await fake.model(protocol);
    fake.faults.push(hangsUp);

    const { events, error } = await answerOf(model);

    expect(events).toEqual([]);
    expect(error).toMatchObject({ code: "MODEL_FAILED", retryable: true });
  });

  test("a run continues after a connection that broke before the answer", async () => {
    fake.faults.push(hangsUp, refuses(529, { message: "overloaded" }));
    callsThenDone([{ name: "Read", arguments: '{"file_path":"file-0.txt"}' }]);

    const result = await run(await fake.model(protocol));

    expect(result).toMatchObject({ status: "done", text: "All done.", calls: 1 });
    expect(fake.bodies[1]).toBe(fake.bodies[0]);
    expect(fake.bodies[2]).toBe(fake.bodies[0]);
  });

  test.each(["breaks", "ends"] as const)(
    "an answer whose connection %s after its first words is never taken for a whole one",
    async (cut) => {
      const content = "These words come in many pieces, and the last ones do not. ".repeat(20);
      fake.mock.on({ userMessage: "go" }, { content }, { chunkSize: 20 });
      fake.cuts.push(cut);

      const { events, error } = await answerOf(await fake.model(protocol));

      const text = events.map((event) => (event.type === "text" ? event.text : "")).join("");
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThan(content.length);
      expect(content.startsWith(text)).toBe(true);
      expect(endOf(events, error)).toBe("interrupted");
    },
  );

  test.each(["breaks", "ends"] as const)(
    "a call whose connection %s inside it is handed on as incomplete, or not at all",
    async (cut) => {
      const input = JSON.stringify({ file_path: "a", content: "x".repeat(4000) });
      const toolCalls = [{ name: "Write", arguments: input, id: "call_a" }];
      fake.mock.on({ userMessage: "go" }, { content: "I write.", toolCalls }, { chunkSize: 20 });
      fake.cuts.push(cut);

      const { events, error } = await answerOf(await fake.model(protocol));

      // Gemini sends a call in one piece, so it is there as a whole or not at all.
      const whole = events.filter((event) => event.type === "tool-call" && event.input === input);
      expect(whole).toHaveLength(protocol.name === "Gemini" ? whole.length : 0);
      expect(endOf(events, error)).toBe("interrupted");
    },
  );

  test("a provider that stalls is left at once when the request is aborted", async () => {
    fake.faults.push(stalls);
    const controller = new AbortController();
    const model = await fake.model(protocol);
    const answer = answerOf(model, { signal: controller.signal });
    await expect.poll(() => fake.bodies.length).toBe(1);

    controller.abort();

    expect((await answer).error).toMatchObject({ code: "MODEL_FAILED", retryable: false });
  });
});

describe.each(protocols)("a run on a fake of $name", (protocol) => {
  test.each(["breaks", "ends"] as const)(
    "discards an answer whose connection %s after its first words, says so, and asks again",
    async (cut) => {
      const content = "These words come in many pieces, and the last ones do not. ".repeat(20);
      fake.mock.on({ userMessage: "go" }, { content }, { chunkSize: 20 });
      fake.cuts.push(cut);
      const toolkit = tools();

      const result = await run(await fake.model(protocol), toolkit);

      expect(result).toMatchObject({ status: "done", text: content.trim(), turns: 1 });
      expect(fake.bodies).toHaveLength(2);
      expect(fake.bodies[1]).toBe(fake.bodies[0]);
      const types = toolkit.emitted.map(({ type }) => type);
      expect(types.indexOf("turn-discard")).toBeGreaterThan(types.indexOf("model-text"));
      expect(types.indexOf("model-retry")).toBeGreaterThan(types.indexOf("turn-discard"));
      expect(JSON.stringify(result.messages).match(/These words come/gu)).toHaveLength(20);
    },
  );

  test("leaves a provider that stalls when limits.idleMs is over, and asks again", async () => {
    fake.faults.push(stalls);
    fake.mock.on({ userMessage: "go" }, { content: "All done." });
    const clock = quickClock();
    const toolkit = tools();
    const model = await fake.model(protocol);

    const { result } = startRun({ toolkit, model, task: "go", clock });
    await expect.poll(() => fake.bodies.length).toBe(1);
    clock.fire();

    expect(await result).toMatchObject({ status: "done", text: "All done." });
    expect(toolkit.emitted.find(({ type }) => type === "model-retry")).toMatchObject({
      reason: expect.stringContaining("sent nothing for 300000 ms"),
    });
  });

  test("compacts a conversation that the provider refuses as too long, and continues", async () => {
    callsThenDone([{ name: "Long", arguments: file(0) }]);
    fake.mock.on({ userMessage: "The summary.", hasToolResult: true }, { content: "All done." });
    const toolkit = fakeToolkit({ Long: { run: () => "x".repeat(20_000) } });
    const model = await fake.model(protocol);
    const refusing: Model = {
      ...model,
      stream: (each) => {
        const isLong = JSON.stringify(each.messages).length > 10_000;
        const message = "prompt is too long: 20000 tokens > 10000 maximum";
        if (isLong) fake.faults.push(refuses(400, { message }));
        return model.stream(each);
      },
    };

    const result = await startRun({
      toolkit,
      model: refusing,
      task: "go",
      clock: quickClock(),
      backgroundModel: { id: "small", stream: () => summaryStream() },
      compaction: { keepTurns: 1 },
    }).result;

    expect(result).toMatchObject({ status: "done", text: "All done.", calls: 1 });
    expect(toolkit.emitted.filter(({ type }) => type === "compaction")).toMatchObject([
      { cause: "overflow" },
    ]);
  });

  test("never runs a writing call that the connection cut, and runs the whole one once", async () => {
    const input = JSON.stringify({ file_path: "a", content: "x".repeat(4000) });
    const toolCalls = [{ name: "Write", arguments: input, id: "call_a" }];
    fake.mock.on({ userMessage: "go", hasToolResult: false }, { toolCalls }, { chunkSize: 20 });
    fake.mock.on({ userMessage: "go", hasToolResult: true }, { content: "All done." });
    fake.cuts.push("breaks");
    const toolkit = tools();

    const result = await run(await fake.model(protocol), toolkit);

    expect(result).toMatchObject({ status: "done", calls: 1 });
    expect(toolkit.batches.flatMap(({ calls }) => calls)).toMatchObject([{ input }]);
  });
});

async function* summaryStream(): AsyncGenerator<ModelEvent> {
  yield { type: "text", text: "The summary." };
  yield { type: "finish", reason: "stop" };
}

test("a session continues with another model at every turn, and each gets all of it", async () => {
  const count = protocols.length;
  for (let turn = 0; turn < count; turn += 1) {
    const call = { name: "Read", arguments: `{"file_path":"file-${turn}.txt"}` };
    fake.mock.on({ userMessage: "go", turnIndex: turn }, { toolCalls: [call] });
  }
  fake.mock.on({ userMessage: "go", turnIndex: count }, { content: "All done." });
  const models = await Promise.all(protocols.map(async (protocol) => await fake.model(protocol)));
  let turn = 0;
  const changing: Model = {
    id: "fake:changing",
    stream: (each) => {
      const model = models[turn % count] ?? models[0];
      turn += 1;
      if (model === undefined) throw new Error("no model");
      return model.stream(each);
    },
  };

  const result = await run(changing);

  expect(result).toMatchObject({ status: "done", text: "All done.", calls: count });
  for (const [index, body] of fake.bodies.entries()) {
    expectConversation(body, index);
    const { calls, results } = idsIn(body);
    expect(calls).toHaveLength(index);
    expect(results).toEqual(calls);
    expect(new Set(calls).size).toBe(index);
    const protocol = protocols[index % count];
    for (const id of calls) expect(id).toMatch(protocol?.callId ?? /^$/u);
  }
});

test.each(protocols)(
  "$name gets the same bytes for tools over 50 turns, and a growing conversation",
  async (protocol) => {
    // With the last answer, 50 requests.
    const turns = 49;
    for (let turn = 0; turn < turns; turn += 1) {
      const call = { name: "Read", arguments: `{"file_path":"file-${turn}.txt"}` };
      fake.mock.on({ userMessage: "go", turnIndex: turn }, { toolCalls: [call] });
    }
    fake.mock.on({ userMessage: "go", turnIndex: turns }, { content: "All done." });

    const result = await run(await fake.model(protocol));

    expect(result).toMatchObject({ status: "done", calls: turns });
    const parsed = fake.bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
    expect(new Set(parsed.map(({ tools: block }) => JSON.stringify(block))).size).toBe(1);
    const conversations = parsed.map((body) => {
      const messages = body["messages"] ?? body["input"] ?? body["contents"];
      // Marks move, and the provider does not count them as content.
      return JSON.stringify(messages)
        .replaceAll(/,"cache_control":\{[^}]*\}/gu, "")
        .slice(0, -1);
    });
    // At the end of the instructions, of the last two messages, and of the previous request.
    const marks = fake.bodies.map((body) => body.split('"cache_control"').length - 1);
    expect(new Set(marks.slice(1))).toEqual(new Set([protocol.name === "Anthropic" ? 4 : 0]));
    for (const [index, conversation] of conversations.entries()) {
      expect((conversations[index + 1] ?? conversation).startsWith(conversation)).toBe(true);
    }
  },
);
