// The server as a process of its own, as a client starts it.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { typeScriptFlags } from "../support/from-source.ts";

type Server = ChildProcessByStdio<Writable, Readable, Readable>;

function start(): Server {
  const server = spawn(process.execPath, [...typeScriptFlags, "test/mcp/fixture-server.ts"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  return server;
}

const hello = { id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } };
const waiting = {
  id: 1,
  method: "tools/call",
  params: { name: "test_wait", _meta: { progressToken: "w" } },
};

function send(server: Server, ...messages: readonly object[]): void {
  for (const message of messages) {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}

async function untilSaid(server: Server, text: string): Promise<void> {
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.includes(text)) return;
  }
}

test("a closed input ends it with code 0, though a call still runs", async () => {
  const server = start();
  send(server, hello, waiting);
  await untilSaid(server, "notifications/progress");

  server.stdin.end();

  expect(await once(server, "close")).toEqual([0, null]);
});

test("an output nobody reads ends it with code 0", async () => {
  const server = start();
  const complaints: string[] = [];
  server.stderr.setEncoding("utf8").on("data", (text: string) => complaints.push(text));
  send(server, hello);
  await once(server.stdout, "data");

  server.stdout.destroy();
  send(server, { id: 2, method: "tools/list" }, { id: 3, method: "tools/list" });

  expect(await once(server, "exit")).toEqual([0, null]);
  expect(complaints).toEqual([]);
});

test("everything on its output is a message of the protocol", async () => {
  const server = start();
  let output = "";
  server.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  server.stdin.write("not a message\n");
  send(server, hello, { id: 2, method: "tools/list" }, { id: 3, method: "no/method" });

  server.stdin.end();
  await once(server, "close");

  const messages: unknown[] = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages).toHaveLength(4);
  expect(messages).toEqual(
    messages.map(() => expect.objectContaining({ jsonrpc: "2.0", id: expect.toSatisfy(isId) })),
  );
});

function isId(id: unknown): boolean {
  return id === null || typeof id === "number";
}
