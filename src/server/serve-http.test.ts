import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { Tool } from "../core/index.ts";
import { fetched, frames, opened, type Frame } from "../../test/support/http.ts";
import { gate, simpleTool, testKit } from "../../test/support/kit.ts";
import { openMemoryEventLog } from "../session/index.ts";
import type { HttpServer } from "./mcp-server.ts";
import { serveHttp, type HttpToolkit, type ServeHttpOptions } from "./serve-http.ts";

async function serving(tools: readonly Tool[] = [], options: Partial<ServeHttpOptions> = {}) {
  const { kit } = await testKit({ tools: { include: [] } });
  kit.registry.registerAll(tools);
  return { kit, server: await served(kit, options) };
}

async function served(kit: HttpToolkit, options: Partial<ServeHttpOptions>): Promise<HttpServer> {
  const events = await openMemoryEventLog();
  kit.subscribe((event) => events.append(event));
  const server = await serveHttp(kit, { name: "test", version: "1.0.0", events, ...options });
  onTestFinished(async () => await server.close());
  return server;
}

/** A tool that default mode asks about. */
function asking(): { readonly tool: Tool; readonly runs: () => number } {
  let runs = 0;
  const tool = simpleTool(
    "Risky",
    () => {
      runs += 1;
      return { content: "ran" };
    },
    {
      touches: ["unknown"],
      effects: () => [{ kind: "unknown", because: "a test", origin: "tool" }],
    },
  );
  return { tool, runs: () => runs };
}

const risky = { toolId: "Risky", arguments: {} };
const post = (body: unknown, token?: string) => ({
  method: "POST",
  body,
  ...(token === undefined ? {} : { token }),
});

async function nextNamed(answer: IncomingMessage, name: string): Promise<Frame> {
  for await (const frame of frames(answer)) if (frame.name === name) return frame;
  throw new Error(`The stream ended without ${name}.`);
}

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
  { name: "an answer without a kind", path: "/answer", body: { id: "q", answer: 1 } },
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

test("nothing is approved without a reader of the events", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool]);

  const { json } = await fetched(server, "/call", post(risky));

  expect(json).toMatchObject({ success: false, error: { code: "APPROVAL_REQUIRED" } });
  expect(runs()).toBe(0);
});

test("a reader of the events answers a question once", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool]);
  const { answer } = await opened(server, "/events");
  const call = fetched(server, "/call", post(risky));
  const { data } = await nextNamed(answer, "permission-ask");

  const first = await fetched(server, "/answer", post({ id: data["id"], answer: "once" }));
  const result = await call;
  const second = await fetched(server, "/answer", post({ id: data["id"], answer: "once" }));

  expect(first.json).toEqual({ success: true });
  expect(result.json).toMatchObject({ success: true, result: { text: "ran" } });
  expect(second.status).toBe(404);
  expect(runs()).toBe(1);
});

test("a denied question runs nothing", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool]);
  const { answer } = await opened(server, "/events");
  const call = fetched(server, "/call", post(risky));
  const { data } = await nextNamed(answer, "permission-ask");

  await fetched(server, "/answer", post({ id: data["id"], answer: { kind: "deny" } }));

  expect((await call).json).toMatchObject({ error: { code: "DENIED_BY_USER" } });
  expect(runs()).toBe(0);
});

test("a question is refused when its last reader has gone", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool], { answerGraceMs: 0 });
  const { request, answer } = await opened(server, "/events");
  const call = fetched(server, "/call", post(risky));
  await nextNamed(answer, "permission-ask");

  request.destroy();

  expect((await call).json).toMatchObject({
    error: { code: "APPROVAL_REQUIRED", message: expect.stringContaining("is gone") },
  });
  expect(runs()).toBe(0);
});

test("a question is refused when the time for an answer is over", async () => {
  const { tool } = asking();
  const { server } = await serving([tool], { askTimeoutMs: 1 });
  await opened(server, "/events");

  const { json } = await fetched(server, "/call", post(risky));

  expect(json).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
});

test("calls of two sessions with questions at once get each its own answer", async () => {
  const { tool } = asking();
  const { server } = await serving([tool]);
  const { answer } = await opened(server, "/events");
  const calls = ["one", "two"].map((sessionId) =>
    fetched(server, "/call", post({ ...risky, sessionId })),
  );
  const ids = new Map<unknown, unknown>();

  for await (const { name, data } of frames(answer)) {
    if (name !== "permission-ask") continue;
    ids.set(data["sessionId"], data["id"]);
    const kind = data["sessionId"] === "one" ? "once" : "deny";
    await fetched(server, "/answer", post({ id: data["id"], answer: kind }));
    if (ids.size === 2) break;
  }

  const [one, two] = await Promise.all(calls);
  expect(one?.json).toMatchObject({ success: true });
  expect(two?.json).toMatchObject({ success: false, error: { code: "DENIED_BY_USER" } });
  expect(new Set(ids.values()).size).toBe(2);
});

async function sessionToken(server: HttpServer, sessionId: string): Promise<string> {
  const { json } = await fetched(server, "/sessions", post({ sessionId }));
  expect(json).toMatchObject({
    sessionId,
    mcpServers: { haft: { type: "http", url: `${server.url}/mcp` } },
  });
  return (json as { readonly token: string }).token;
}

test("the token of a session neither answers nor counts as a reader who could", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool]);
  const token = await sessionToken(server, "s");
  await opened(server, "/events", { token });

  const { json } = await fetched(server, "/call", post(risky, token));
  const answers = await Promise.all(
    ["/answer", "/sessions", "/runs"].map(
      async (path) =>
        (await fetched(server, path, post({ id: "q", answer: "once" }, token))).status,
    ),
  );

  expect(json).toMatchObject({ error: { code: "APPROVAL_REQUIRED" } });
  expect(answers).toEqual([403, 403, 403]);
  expect(runs()).toBe(0);
});

test("the token of a session is for that session, until it is void", async () => {
  const { server } = await serving([simpleTool("Echo", () => ({ content: "here" }))]);
  const token = await sessionToken(server, "s");
  const echo = { toolId: "Echo", arguments: {} };

  const own = await fetched(server, "/call", post(echo, token));
  const other = await fetched(server, "/call", post({ ...echo, sessionId: "t" }, token));
  const events = await fetched(server, "/events?session=t", { token });
  await fetched(server, "/sessions?session=s", { method: "DELETE" });
  const after = await fetched(server, "/call", post(echo, token));

  expect(own.json).toMatchObject({ success: true });
  expect([other.status, events.status, after.status]).toEqual([403, 403, 401]);
});

test("an agent with the token of a session calls over MCP in that session, and the user is asked", async () => {
  const { tool, runs } = asking();
  const { server } = await serving([tool]);
  const token = await sessionToken(server, "s");
  const { answer } = await opened(server, "/events");
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const call = fetched(server, "/mcp", {
    ...post(
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "Risky", arguments: {}, _meta: meta },
      },
      token,
    ),
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "Risky",
    },
  });
  const { data } = await nextNamed(answer, "permission-ask");

  await fetched(server, "/answer", post({ id: data["id"], answer: "once" }));

  expect((await call).json).toMatchObject({ result: { isError: false } });
  expect(data).toMatchObject({ sessionId: "s" });
  expect(runs()).toBe(1);
});

test("readers get every event once, over 50 connections that break", async () => {
  const { kit, server } = await serving();
  const count = 2000;
  const emitted = Array.from({ length: count }, (_, index) => `e${index}`);
  let position = "0";
  const received: unknown[] = [];

  for (let connection = 0; connection < 50; connection += 1) {
    for (const callId of emitted.slice(connection * 40, (connection + 1) * 40)) {
      kit.emit({ type: "call-progress", callId, update: { message: "m" } });
    }
    const { request, answer } = await opened(server, "/events", {
      headers: { "last-event-id": position },
    });
    const wanted = connection === 49 ? count : connection * 40 + 20;
    if (received.length < wanted) {
      for await (const { name, id, data } of frames(answer)) {
        if (name !== "call-progress" || id === undefined) continue;
        received.push(data["callId"]);
        position = id;
        if (received.length === wanted) break;
      }
    }
    request.destroy();
  }

  expect(received).toEqual(emitted);
});

test("a reader without a position gets only what is new, and of one session only that", async () => {
  const { kit, server } = await serving();
  const emit = (callId: string, sessionId: string): void =>
    kit.emit({ type: "call-progress", callId, update: { message: "m" }, sessionId });
  emit("old", "s");
  const { answer } = await opened(server, "/events?session=s");
  const start = await frames(answer).next();
  expect(start.value).toMatchObject({ name: undefined, id: expect.stringMatching(/^\d+$/u) });
  emit("other", "t");
  emit("new", "s");

  const again = await opened(server, `/events?session=s&after=${String(start.value?.id)}`);
  const { data } = await nextNamed(again.answer, "call-progress");

  expect(data).toMatchObject({ callId: "new" });
});

test.each(["-1", "x", "1.5", "9".repeat(20)])("the position %s is refused", async (after) => {
  const { server } = await serving();

  const { status, json } = await fetched(server, `/events?after=${after}`);

  expect(status).toBe(400);
  expect(json).toMatchObject({ error: { code: "INVALID_INPUT" } });
});

const agent = {
  agentId: "a1",
  runId: "r1",
  sessionId: "s1",
  depth: 1,
  agent: "explore",
  description: "Look",
  isBackground: false,
  status: "running",
  text: "found",
  activity: "Read",
  turns: 2,
  calls: 3,
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  startedAt: 1,
  lastActivityAt: 2,
};

test("events of agents come under a second name, and a break between the two loses neither", async () => {
  const { kit, server } = await serving();
  kit.emit({ type: "agent-start", agent });
  const whole = await opened(server, "/events?after=0");
  const names: [string | undefined, string | undefined][] = [];
  for await (const { name, id, data } of frames(whole.answer)) {
    if (!/agent/u.test(name ?? "")) continue;
    names.push([name, id]);
    if (name !== "subagent_start") continue;
    expect(data).toMatchObject({
      subagent_id: "a1",
      steps: { turns: 2, calls: 3 },
      metadata: { agent: "explore", status: "running" },
    });
    break;
  }
  const half = names[0]?.[1] ?? "";

  const { answer } = await opened(server, "/events", { headers: { "last-event-id": half } });
  kit.emit({ type: "agent-end", agent });
  const rest: (string | undefined)[] = [];
  for await (const { name } of frames(answer)) {
    if (!/agent/u.test(name ?? "")) continue;
    rest.push(name);
    if (name === "subagent_end") break;
  }

  expect(names.map(([name]) => name)).toEqual(["agent-start", "subagent_start"]);
  expect(rest).toEqual(["subagent_start", "agent-end", "subagent_end"]);
});

test("a run starts in a session, and its questions go to the readers", async () => {
  const { kit } = await testKit({ tools: { include: [] } });
  const given: unknown[] = [];
  const server = await served(
    {
      definitions: async (format, options) => await kit.definitions(format, options),
      listings: (options) => kit.listings(options),
      subscribe: (listener) => kit.subscribe(listener),
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
