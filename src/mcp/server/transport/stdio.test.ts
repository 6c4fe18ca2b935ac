import { once } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { fixtureKit } from "../../../../test/mcp/fixture-kit.ts";
import { listToolkit, type ListToolkit } from "../../../../test/mcp/list-toolkit.ts";
import { serveStdio, type StdioOptions } from "./stdio.ts";

interface Served {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly done: Promise<void>;
  /** Reads the next message from the output. */
  readonly next: () => Promise<unknown>;
}

function serve(kit: ListToolkit = fixtureKit(), options: Partial<StdioOptions> = {}): Served {
  const input = new PassThrough();
  const output = new PassThrough();
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const done = serveStdio(kit, { name: "haft", version: "1", input, output, ...options });
  return {
    input,
    output,
    done,
    next: async () => {
      const { value } = await lines.next();
      return typeof value === "string" ? JSON.parse(value) : undefined;
    },
  };
}

const hello = line({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25" },
});

function line(message: object): string {
  return `${JSON.stringify(message)}\n`;
}

function call(name: string, id = 1): string {
  return line({ jsonrpc: "2.0", id, method: "tools/call", params: { name } });
}

test.for([
  { sent: Buffer.from("{nonsense\n"), code: -32_700, because: "it is not JSON" },
  { sent: Buffer.from('{"jsonrpc":"2.0","id":1\n'), code: -32_700, because: "it is cut off" },
  { sent: Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]), code: -32_700, because: "it is not UTF-8" },
  { sent: Buffer.from(`"${"x".repeat(300)}"\n`), code: -32_600, because: "it is too long" },
  { sent: Buffer.from("[]\n"), code: -32_600, because: "it is an empty batch" },
])("a line is answered with $code and the server stays up: $because", async ({ sent, code }) => {
  const { input, next, done } = serve(fixtureKit(), { maxMessageBytes: 200 });

  input.write(sent);
  expect(await next()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });

  input.write(line({ jsonrpc: "2.0", id: 5, method: "ping" }));
  expect(await next()).toEqual({ jsonrpc: "2.0", id: 5, result: {} });
  input.end();
  await done;
});

test("blank lines and carriage returns between messages are skipped", async () => {
  const { input, next, done } = serve();

  input.end(`\n\r\n  \n${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\r\n`);

  expect(await next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  await done;
  expect(await Promise.race([next(), Promise.resolve("nothing")])).toBe("nothing");
});

test("text survives being cut inside a character", async () => {
  const { input, next, done } = serve();
  const params = { name: "test_echo", arguments: { text: "häft 🔧\n" } };
  const sent = Buffer.from(line({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  input.write(hello);
  await next();

  for (const byte of sent) input.write(Buffer.of(byte));

  expect(await next()).toMatchObject({
    result: { content: [{ text: JSON.stringify(params.arguments) }] },
  });
  input.end();
  await done;
});

test("what was asked before the input ended is still answered", async () => {
  const { input, next, done } = serve();

  input.end(hello + line({ jsonrpc: "2.0", id: 1, method: "tools/list" }));

  await next();
  expect(await next()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
  await done;
});

test("when the input ends, running calls are aborted and the server is done", async () => {
  const kit = fixtureKit();
  const { input, next, done } = serve(kit);
  input.write(hello + call("test_wait"));
  await next();
  await kit.untilRunning();

  input.end();
  await done;

  expect(kit.running.size).toBe(0);
  expect(kit.listeners.size).toBe(0);
  expect(await next()).toMatchObject({ id: 1, result: { isError: true } });
});

test("when the client no longer reads, running calls are aborted and the server is done", async () => {
  const kit = fixtureKit();
  const { input, output, next, done } = serve(kit);
  input.write(hello + call("test_wait"));
  await next();
  await kit.untilRunning();

  output.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await done;

  expect(kit.running.size).toBe(0);
});

test("a broken input ends the service", async () => {
  const { input, done } = serve();

  input.destroy(new Error("read ECONNRESET"));

  await expect(done).resolves.toBeUndefined();
});

test.for(["before", "after"])("the signal ends the service, fired %s it began", async (when) => {
  const kit = fixtureKit();
  const controller = new AbortController();
  if (when === "before") controller.abort();
  const { input, next, done } = serve(kit, { signal: controller.signal });
  if (when === "after") {
    input.write(hello + call("test_wait"));
    await next();
    await kit.untilRunning();
    controller.abort();
  }

  await done;

  expect(kit.running.size).toBe(0);
  expect(input.isPaused()).toBe(true);
});

test("an input that had ended before is a client that is gone", async () => {
  const input = new PassThrough();
  input.end();
  input.resume();
  await once(input, "end");

  await expect(
    serveStdio(fixtureKit(), { name: "haft", version: "1", input, output: new PassThrough() }),
  ).resolves.toBeUndefined();
});

test("an answer that JSON cannot carry is an error under its id", async () => {
  const kit = listToolkit([], { answer: () => ({ structuredContent: { big: 1n } }) });
  const { input, next, done } = serve(kit);
  input.write(hello + call("Big"));
  await next();

  expect(await next()).toMatchObject({ id: 1, error: { code: -32_603 } });
  input.end();
  await done;
});

test("everything that was answered has left when the service is done", async () => {
  const slow = new PassThrough({ highWaterMark: 1 });
  const { input, done } = serve(fixtureKit(), { output: slow });
  input.end(hello + line({ jsonrpc: "2.0", id: 1, method: "tools/list" }));

  let text = "";
  slow.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await done;

  expect(text.trimEnd().split("\n")).toHaveLength(2);
});

test.each([
  { name: "params", sent: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep("{", "}")}}` },
  { name: "arguments", sent: calling(deep("{", "}")) },
  { name: "a list in arguments", sent: calling(`{"a":${deep("[", "]")}}`) },
  { name: "a message", sent: deep("[", "]") },
])("$name 50,000 deep is answered, and the server continues", async ({ sent }) => {
  const { input, next, done } = serve();
  input.write(hello);
  await next();

  input.write(`${sent}\n`);
  const answer = JSON.stringify(await next());
  input.write(line({ jsonrpc: "2.0", id: 5, method: "ping" }));

  expect(answer).not.toMatch(/-32603|INTERNAL|call stack|\\n\s+at /u);
  expect(await next()).toEqual({ jsonrpc: "2.0", id: 5, result: {} });
  input.end();
  await done;
});

function deep(open: string, close: string): string {
  const depth = 50_000;
  const inner = open === "{" ? '{"a":' : open;
  return `${inner.repeat(depth)}1${close.repeat(depth)}`;
}

function calling(argumentsText: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_simple_text","arguments":${argumentsText}}}`;
}
