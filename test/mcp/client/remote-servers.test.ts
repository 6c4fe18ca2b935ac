// Servers with an address: streamable HTTP, and the older transport over server-sent events.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { typeScriptFlags } from "../../support/from-source.ts";
import { leaveNothing } from "../../support/leftovers.ts";
import { serverWorld } from "./server-world.ts";

leaveNothing();

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function listening(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

async function fixture(): Promise<string> {
  const file = path.join(import.meta.dirname, "../fixture-http.ts");
  const child = spawn(process.execPath, [...typeScriptFlags, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  open.push(() => child.kill("SIGKILL"));
  const [line]: unknown[] = await once(child.stdout, "data");
  return String(line).trim();
}

const rules = { allow: ["mcp__s"] };

test("a server over streamable HTTP lists its tools and answers", async () => {
  await using world = serverWorld();
  const kit = await world.open({ s: { type: "http", url: await fixture() } }, { rules });

  const check = await kit.mcp.check("s");
  const outcome = await kit.call({ name: "mcp__s__test_simple_text", input: {} });
  const structured = await kit.call({ name: "mcp__s__test_structured", input: { a: 2, b: 3 } });

  expect(check).toMatchObject({ server: { status: "running" }, protocol: "2026-07-28" });
  expect(outcome).toMatchObject({ status: "ok", trust: "untrusted" });
  expect(structured).toMatchObject({ status: "ok", structuredContent: { sum: 5 } });
});

test("the era of a server is remembered, so that the next session asks nothing", async () => {
  await using world = serverWorld();
  const url = await fixture();
  const first = await world.open({ s: { url } });
  await first.mcp.check("s");
  await first.dispose();
  const kit = await world.open({ s: { url } });

  expect(await kit.mcp.check("s")).toMatchObject({ protocol: "2026-07-28" });
});

test("headers reach the server, and only its own origin is reached", async () => {
  await using world = serverWorld();
  const other: string[] = [];
  const elsewhere = await listening((request, response) => {
    other.push(String(request.headers.authorization));
    response.end();
  });
  const seen: string[] = [];
  const url = await listening((request, response) => {
    seen.push(String(request.headers.authorization));
    response.writeHead(307, { location: elsewhere }).end();
  });
  const kit = await world.open({ s: { url, headers: { Authorization: "Bearer x" } } });

  const { server } = await kit.mcp.check("s");

  expect(server.status).toBe("failed");
  expect(seen).toContain("Bearer x");
  expect(other).toEqual([]);
});

test("an answer of 100 MB is refused, and the session continues", async () => {
  await using world = serverWorld();
  const url = await listening((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const part = "x".repeat(1_000_000);
    let parts = 0;
    const more = (): void => {
      parts += 1;
      if (parts <= 100) response.write(part, more);
      else response.end();
    };
    more();
  });
  const kit = await world.open({ s: { url } });

  const { server } = await kit.mcp.check("s");

  expect(server).toMatchObject({ status: "failed" });
  expect((await kit.call({ name: "ListDir", input: {} })).status).toBe("ok");
});

const endless = [
  { type: "application/json", begin: "[", part: "1,\n" },
  { type: "text/event-stream", begin: "", part: "data: 1\n" },
];

test.each(endless)(
  "an answer of 100 MB in short lines is refused: $type",
  async ({ type, begin, part }) => {
    await using world = serverWorld();
    let sent = 0;
    const url = await listening((_request, response) => {
      response.writeHead(200, { "content-type": type });
      const many = part.repeat(300_000);
      response.write(begin);
      const more = (): void => {
        sent += many.length;
        if (sent >= 100_000_000 || response.destroyed) response.end();
        // Sends only what the client takes: versions of Node differ in when they report a write.
        else if (response.write(many)) setImmediate(more);
        else response.once("drain", more);
      };
      more();
    });
    const kit = await world.open({ s: { url } });

    const { server } = await kit.mcp.check("s");

    expect(server).toMatchObject({ status: "failed" });
    expect(sent).toBeLessThan(50_000_000);
  },
);

test.each([404, 500])("status %i is reported", async (status) => {
  await using world = serverWorld();
  const url = await listening((_request, response) => {
    response.writeHead(status).end("no");
  });
  const kit = await world.open({ s: { url } });

  const { server } = await kit.mcp.check("s");

  expect(server).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("MCP server s"),
  });
});

test.each([["application/json"], ["text/event-stream"]])(
  "an answer that is too deep is refused: %s",
  async (type) => {
    await using world = serverWorld();
    const deep = `${"[".repeat(300)}${"]".repeat(300)}`;
    const text = `{"jsonrpc":"2.0","id":0,"result":{"text":"\\"[[","deep":${deep}}}`;
    const url = await listening((_request, response) => {
      response.writeHead(200, { "content-type": type });
      response.end(type === "text/event-stream" ? `: "comment\ndata: ${text}\n\n` : text);
    });
    const kit = await world.open({ s: { url } });

    const { server } = await kit.mcp.check("s");

    expect(server.status).toBe("failed");
    expect(`${server.reason}`).toContain("more than 200 levels");
  },
);

test("a server over server-sent events answers", async () => {
  await using world = serverWorld();
  let stream: { write(text: string): unknown } | undefined;
  const send = (message: unknown): void =>
    void stream?.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "old", version: "1" },
    },
    "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "over events" }] },
  };
  const url = await listening((request, response) => {
    if (request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      stream = response;
      response.write("event: endpoint\ndata: /messages\n\n");
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      response.writeHead(202).end();
      const { id, method }: { id?: unknown; method: string } = JSON.parse(body);
      if (id === undefined) return;
      const result = results[method];
      const error = { code: -32_601, message: "Method not found" };
      send({ jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) });
    });
  });
  const kit = await world.open({ s: { type: "sse", url: `${url}/sse` } }, { rules });

  const outcome = await kit.call({ name: "mcp__s__t", input: {} });

  expect(outcome).toMatchObject({ status: "ok", text: "over events" });
});
