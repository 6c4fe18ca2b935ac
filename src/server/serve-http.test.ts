import { expect, test } from "vitest";
import { fetched, frames, opened } from "../../test/support/http.ts";
import { gate, simpleTool, testKit } from "../../test/support/kit.ts";
import { asking, post, risky, served, serving } from "../../test/support/serving.ts";

test("a call answers with its result", async () => {
  const { server } = await serving([
    simpleTool("Echo", (input) => ({ content: JSON.stringify(input) })),
  ]);

  const { status, json } = await fetched(
    server,
    "/call",
    post({ toolId: "Echo", arguments: { a: 1 }, sessionId: "s", messageId: "m" }),
  );

  expect(status).toBe(200);
  expect(json).toMatchObject({
    success: true,
    result: { tool: "Echo", status: "ok", text: '{"a":1}', content: [{ type: "text" }] },
  });
});

test("a call of an unknown tool fails with its code", async () => {
  const { server } = await serving();

  const { json } = await fetched(server, "/call", post({ toolId: "Nothing" }));

  expect(json).toMatchObject({ success: false, error: { code: "UNKNOWN_TOOL" } });
});

test.each([
  { name: "no tool", path: "/call", body: {} },
  { name: "a tool that is a number", path: "/call", body: { toolId: 1 } },
  { name: "a message id that is a number", path: "/call", body: { toolId: "A", messageId: 1 } },
  { name: "a session that is a number", path: "/call", body: { toolId: "A", sessionId: 1 } },
  { name: "a list", path: "/call", body: [] },
  { name: "no JSON", path: "/call", body: "{" },
  { name: "an answer without an id", path: "/answer", body: { answer: "once" } },
  { name: "a session with a line end", path: "/sessions", body: { sessionId: "a\nb" } },
  { name: "a run without a task", path: "/runs", body: { task: " " } },
  { name: "a run without a model", path: "/runs", body: { task: "work" } },
])("$name is refused with the field and a hint", async ({ path, body }) => {
  const { server } = await serving();

  const { status, json } = await fetched(server, path, post(body));

  expect(status).toBe(400);
  expect(json).toMatchObject({
    success: false,
    error: { code: expect.stringMatching(/^INVALID/u), hint: expect.any(String) },
  });
});

test("a run starts in a session, and its questions go to the readers", async () => {
  const { kit } = await testKit({ tools: { include: [] } });
  const given: unknown[] = [];
  const server = await served(
    {
      definitions: async (format, options) => await kit.definitions(format, options),
      listings: (options) => kit.listings(options),
      events: kit.events,
      newId: (prefix) => kit.newId(prefix),
      call: async (call, options) => await kit.call(call, options),
      run: (options) => {
        given.push(options);
        return { id: "run-1", sessionId: options.sessionId, result: Promise.resolve() };
      },
    },
    {},
  );

  const { status, json } = await fetched(
    server,
    "/runs",
    post({ task: "Say hello", model: "test:model", sessionId: "s" }),
  );

  expect(status).toBe(202);
  expect(json).toEqual({ runId: "run-1", sessionId: "s" });
  expect(given).toEqual([
    expect.objectContaining({
      task: "Say hello",
      model: "test:model",
      onAsk: expect.any(Function),
    }),
  ]);
});

test("the end of the server ends calls, questions and streams", async () => {
  const { tool, runs } = asking();
  const started = gate();
  const { server } = await serving([
    tool,
    simpleTool("Wait", async (_input, { signal }) => {
      started.open();
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      return { content: "" };
    }),
  ]);
  const question = gate();
  const { answer } = await opened(server, "/events");
  const stream = (async () => {
    for await (const { name } of frames(answer)) if (name === "permission-ask") question.open();
  })();
  const calls = [
    fetched(server, "/call", post(risky)),
    fetched(server, "/call", post({ toolId: "Wait", arguments: {} })),
  ].map(async (call) => await call.catch(() => undefined));
  await Promise.all([started.passed, question.passed]);

  await server.close();

  await Promise.all([...calls, stream.catch(() => undefined), server.closed]);
  expect(runs()).toBe(0);
});
