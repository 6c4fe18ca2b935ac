import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { Tool } from "../core/index.ts";
import { gate, simpleTool, testKit } from "../../test/support/kit.ts";
import { fetched, frames, opened, type Received, type Sent } from "../../test/support/http.ts";
import { serveMcpHttp, type HttpServer, type HttpServerOptions } from "./mcp-server.ts";

const info = { name: "test", version: "1.0.0" } as const;

async function serving(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const { server } = await servingTools(
    [
      simpleTool("Say", (input) => ({ content: JSON.stringify(input).slice(0, 100) })),
      simpleTool("Blob", () => ({ content: "x".repeat(40_000) })),
    ],
    options,
  );
  return server;
}

async function servingTools(tools: readonly Tool[], options: Partial<HttpServerOptions> = {}) {
  const { kit } = await testKit({ mode: "bypassPermissions", tools: { include: [] } });
  kit.registry.registerAll(tools);
  const server = await serveMcpHttp(kit, { ...info, ...options });
  onTestFinished(async () => {
    await server.close();
    await kit.dispose();
  });
  return { server, kit };
}

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {} },
};

async function newSession(server: HttpServer): Promise<string> {
  const { headers } = await fetched(server, "/mcp", { method: "POST", body: initialize });
  const id = String(headers["mcp-session-id"]);
  await inSession(server, id, { jsonrpc: "2.0", method: "notifications/initialized" });
  return id;
}

async function inSession(server: HttpServer, id: string, body: object): Promise<Received> {
  return await fetched(server, "/mcp", { method: "POST", body, headers: { "mcp-session-id": id } });
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

const refusals: readonly (Sent & {
  readonly name: string;
  readonly status: number;
  code: string;
})[] = [
  { name: "no token", token: "", status: 401, code: "ACCESS_DENIED" },
  { name: "another token", token: "x".repeat(43), status: 401, code: "ACCESS_DENIED" },
  {
    name: "a token of another scheme",
    token: "",
    headers: { authorization: "Basic eDp5" },
    status: 401,
    code: "ACCESS_DENIED",
  },
  ...["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil", "[::2]"].map(
    (host) => ({ name: `the host ${host}`, headers: { host }, status: 403, code: "ACCESS_DENIED" }),
  ),
  ...[
    "https://evil.example",
    "null",
    "file://",
    "http://localhost.evil",
    "http://127.0.0.1@evil",
  ].map((origin) => ({
    name: `the origin ${origin}`,
    headers: { origin },
    status: 403,
    code: "ACCESS_DENIED",
  })),
];

test.each(refusals)("a request with $name is refused", async ({ name, status, code, ...sent }) => {
  const server = await serving();

  const answer = await fetched(server, "/mcp", { method: "POST", body: initialize, ...sent });

  expect({ name, status: answer.status }).toEqual({ name, status });
  expect(answer.json).toMatchObject({
    success: false,
    error: { code, message: expect.stringMatching(/\.$/u), hint: expect.stringMatching(/\.$/u) },
  });
});

test.each(["127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:80"])(
  "the host %s is this machine",
  async (host) => {
    const server = await serving();

    const answer = await fetched(server, "/mcp", {
      method: "POST",
      body: initialize,
      headers: { host, origin: `http://${host}` },
    });

    expect(answer.status).toBe(200);
  },
);

test("a second server on the port names the first", async () => {
  const first = await serving();
  const port = Number(new URL(first.url).port);

  await expect(serving({ port })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `Another haft process uses port ${port} of 127.0.0.1.`,
    hint: "Name another port with --port, or 0 for any that is free.",
  });
  expect((await fetched(first, "/mcp", { method: "POST", body: initialize })).status).toBe(200);
});

test("a token that can be guessed is refused", async () => {
  await expect(serving({ token: "short" })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    hint: "Set another HAFT_TOKEN, or leave it out for a new one.",
  });
});

test("an unknown path is answered with those that there are", async () => {
  const server = await serving();

  const { status, json } = await fetched(server, "/nothing");

  expect(status).toBe(404);
  expect(json).toMatchObject({ error: { code: "NOT_FOUND", hint: "Use one of /mcp." } });
});

test("a client of the older revisions works in its session until it ends it", async () => {
  const server = await serving();
  const id = await newSession(server);

  const listed = await inSession(server, id, list);
  const other = await inSession(server, "unknown", list);
  const without = await fetched(server, "/mcp", { method: "POST", body: list });
  const ended = await fetched(server, "/mcp", {
    method: "DELETE",
    headers: { "mcp-session-id": id },
  });
  const after = await inSession(server, id, list);

  expect(listed.json).toMatchObject({ result: { tools: [{ name: "Blob" }, { name: "Say" }] } });
  expect([other.status, without.status, ended.status, after.status]).toEqual([404, 400, 204, 404]);
});

test("a client without sessions sends everything with each request", async () => {
  const server = await serving();
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = { ...list, params: { _meta: meta } };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };

  const listed = await fetched(server, "/mcp", { method: "POST", body, headers });
  const lied = await fetched(server, "/mcp", {
    method: "POST",
    body,
    headers: { ...headers, "mcp-method": "tools/call" },
  });

  expect(listed.json).toMatchObject({ result: { tools: [{ name: "Blob" }, { name: "Say" }] } });
  expect(lied.status).toBe(400);
  expect(lied.json).toMatchObject({ id: 1, error: { code: -32_020 } });
});

test("only selected tools are listed and called", async () => {
  const server = await serving({ tools: ["S*y"] });
  const id = await newSession(server);

  const listed = await inSession(server, id, list);
  const called = await inSession(server, id, {
    ...list,
    method: "tools/call",
    params: { name: "Blob" },
  });

  expect(listed.json).toMatchObject({ result: { tools: [{ name: "Say" }] } });
  expect(called.json).toMatchObject({
    error: { data: { code: "UNKNOWN_TOOL" }, message: expect.stringContaining("Blob") },
  });
});

async function waitingKit() {
  const started = gate();
  const ended = gate();
  const { server, kit } = await servingTools([
    simpleTool("Wait", async (_input, { signal, progress }) => {
      progress({ message: "waiting" });
      started.open();
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      ended.open();
      return { content: "ended" };
    }),
  ]);
  return { server, kit, started, ended };
}

const wait = {
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "Wait", _meta: { progressToken: 1 } },
};

test("a request is cancelled by a message on another connection", async () => {
  const { server, started, ended } = await waitingKit();
  const id = await newSession(server);
  const call = inSession(server, id, wait);
  await started.passed;

  await inSession(server, id, {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 7 },
  });

  await ended.passed;
  expect((await call).text).not.toContain('"result"');
});

test("a call ends when its client is gone", async () => {
  const { server, started, ended } = await waitingKit();
  const id = await newSession(server);
  const { request } = await opened(server, "/mcp", {
    method: "POST",
    body: wait,
    headers: { "mcp-session-id": id },
  });
  await started.passed;

  request.destroy();

  await expect(ended.passed).resolves.toBeUndefined();
});

test("the end of the server ends its calls and connections", async () => {
  const { server, started, ended } = await waitingKit();
  const id = await newSession(server);
  const call = inSession(server, id, wait).catch(() => undefined);
  await started.passed;

  await server.close();

  await Promise.all([ended.passed, call, server.closed]);
  await expect(fetched(server, "/mcp")).rejects.toThrow(/ECONNREFUSED|hang up/u);
});

test("a change of the tools is announced on the stream of the session", async () => {
  const { server, kit } = await waitingKit();
  const id = await newSession(server);
  const { answer } = await opened(server, "/mcp", { headers: { "mcp-session-id": id } });

  kit.registry.register(simpleTool("More", () => ({ content: "" })));

  for await (const { data } of frames(answer)) {
    expect(data).toMatchObject({ method: "notifications/tools/list_changed" });
    break;
  }
});

const deep = (count: number): string => `${"[".repeat(count)}${"]".repeat(count)}`;
const hostile: readonly {
  readonly name: string;
  readonly body: string | Buffer;
  status: number;
}[] = [
  { name: "invalid UTF-8", body: Buffer.from([0x7b, 0xff, 0x7d]), status: 400 },
  { name: "no JSON", body: "{", status: 400 },
  { name: "an empty body", body: "", status: 400 },
  { name: "100,000 brackets", body: deep(100_000), status: 200 },
  {
    name: "a list in a list as arguments",
    body: `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"Say","arguments":{"a":${deep(50_000)}}}}`,
    status: 200,
  },
  { name: "100 MB of blanks", body: Buffer.alloc(100_000_000, " "), status: 413 },
];

test.each(hostile)("$name is answered, and the server continues", async ({ body, status }) => {
  const server = await serving();
  const id = await newSession(server);
  const headers = { "mcp-session-id": id };

  const answer = await fetched(server, "/mcp", { method: "POST", body, headers });

  expect(answer.status).toBe(status);
  expect(answer.text).toMatch(/"(?:error|result)"/u);
  expect((await inSession(server, id, list)).status).toBe(200);
});

test("a body of unknown length is refused at the limit", async () => {
  const server = await serving({ maxBodyBytes: 1000 });

  const answer = await fetched(server, "/mcp", {
    method: "POST",
    body: randomBytes(2000).toString("hex"),
    headers: { "transfer-encoding": "chunked" },
  });

  expect(answer.status).toBe(413);
  expect(answer.json).toMatchObject({
    error: { code: "TOO_LARGE", message: "The body is longer than 1000 bytes." },
  });
});

test("a storm of cancelled calls leaves nothing behind", async () => {
  const { server } = await waitingKit();
  const id = await newSession(server);
  const headers = { "mcp-session-id": id };

  for (let count = 0; count < 200; count += 1) {
    const body = { ...wait, id: count };
    const { answer } = await opened(server, "/mcp", { method: "POST", body, headers });
    const cancel = { method: "notifications/cancelled", params: { requestId: count } };
    await inSession(server, id, { jsonrpc: "2.0", ...cancel });
    let text = "";
    for await (const chunk of answer.setEncoding("utf8")) text += String(chunk);
    expect(text).not.toContain('"result"');
  }

  expect((await inSession(server, id, list)).status).toBe(200);
});

test("a client that opens many sessions loses the one that was silent longest", async () => {
  const server = await serving();
  const first = await newSession(server);
  const second = await newSession(server);
  for (let count = 0; count < 62; count += 1) await newSession(server);
  await inSession(server, first, list);

  const last = await newSession(server);

  const statuses = await Promise.all(
    [first, second, last].map(async (id) => (await inSession(server, id, list)).status),
  );
  expect(statuses).toEqual([200, 404, 200]);
});
