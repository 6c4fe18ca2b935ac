import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { listToolkit, type ListToolkit } from "../../../../test/mcp/list-toolkit.ts";
import { serveStdio } from "./stdio.ts";

const answerChars = 50_000;

function line(message: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
}

const hello = line({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } });

const big = (id: number): string => line({ id, method: "tools/call", params: { name: "Big" } });

function talkative(): ListToolkit & { readonly calls: () => number } {
  let calls = 0;
  const kit = listToolkit([], {
    answer: () => {
      calls += 1;
      return { content: [{ type: "text", text: "x".repeat(answerChars) }] };
    },
  });
  return { ...kit, calls: () => calls };
}

async function idle(): Promise<void> {
  for (let round = 0; round < 50; round += 1) await turn();
}

test("a client that does not read stops its own calls, and gets every answer once it reads", async () => {
  const kit = talkative();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = serveStdio(kit, { name: "haft", version: "1", input, output });
  const total = 5000;
  input.write(hello + big(1));
  // Modules that calls need are loaded with the first call.
  while (kit.calls() < 1) await turn();
  for (let id = 2; id <= total; id += 1) {
    input.write(big(id));
    if (id % 10 === 0) await turn();
  }
  await idle();

  expect(output.writableLength).toBeLessThan(4 * 1024 * 1024 + 70 * answerChars);
  expect(kit.calls()).toBeLessThan(250);
  expect(input.isPaused()).toBe(true);

  const ids: unknown[] = [];
  let text = "";
  for await (const chunk of output.setEncoding("utf8")) {
    text += String(chunk);
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const each of lines) ids.push(JSON.parse(each).id);
    if (ids.length === total + 1) break;
  }
  expect(ids).toEqual(Array.from({ length: total + 1 }, (_, id) => id));
  input.end();
  await done;
});

test("a call that waits for its turn can be cancelled, and a ping is answered at once", async () => {
  const hanging: (() => void)[] = [];
  const started: unknown[] = [];
  const kit = listToolkit([]);
  const slow: ListToolkit = {
    ...kit,
    call: async (call, options) => {
      started.push(call.input);
      const { promise, resolve } = Promise.withResolvers<void>();
      hanging.push(resolve);
      options?.signal?.addEventListener("abort", () => resolve());
      if (options?.signal?.aborted !== true) await promise;
      return await kit.call(call, options);
    },
  };
  const [input, output] = [new PassThrough(), new PassThrough()];
  let answers = "";
  output.setEncoding("utf8").on("data", (text: string) => (answers += text));
  const done = serveStdio(slow, { name: "haft", version: "1", input, output });
  input.write(hello);
  for (let id = 1; id <= 80; id += 1) {
    input.write(line({ id, method: "tools/call", params: { name: "Hang", arguments: { id } } }));
  }
  input.write(line({ method: "notifications/cancelled", params: { requestId: 80 } }));
  input.write(line({ id: "ping", method: "ping" }));
  await idle();

  expect(answers).toContain('"id":"ping"');
  expect(started).toContainEqual({ id: 80 });
  expect(started).toHaveLength(65);
  while (hanging.length > 0 || started.length < 80) {
    hanging.shift()?.();
    await turn();
  }
  await idle();
  expect(answers.match(/"id":\d+/gu)).toHaveLength(80);
  expect(answers).not.toContain('"id":80');
  input.end();
  await done;
});

test.for([
  { sent: { id: 7, method: "tools/call" }, id: 7, because: "the id comes first" },
  { sent: { method: "tools/call", id: 'a"b' }, id: 'a"b', because: "it is a text" },
  {
    sent: { method: "m", params: { id: 3, 'x"': [{ id: 4 }] }, id: -2 },
    id: -2,
    because: "an inner id is not the message's",
  },
  { sent: { method: "notifications/x" }, id: null, because: "a notification has none" },
  { sent: { id: { a: 1 }, method: "m" }, id: null, because: "an object is not an id" },
])("a message over the limit is answered with id $id: $because", async ({ sent, id }) => {
  for (const order of ["before", "after"] as const) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const options = { name: "haft", version: "1", input, output, maxMessageBytes: 500 };
    const done = serveStdio(listToolkit([]), options);
    const padding = { padding: `${'{\\"id\\":9,'.repeat(200)}\\` };
    const message = order === "before" ? { ...padding, ...sent } : { ...sent, ...padding };

    for (const byte of line(message)) input.write(byte);

    const [answer] = await output.setEncoding("utf8").take(1).toArray();
    expect(JSON.parse(String(answer))).toEqual({
      jsonrpc: "2.0",
      id,
      error: { code: -32_600, message: "The message is longer than 500 bytes: send less at once." },
    });
    input.end();
    await done;
  }
});
