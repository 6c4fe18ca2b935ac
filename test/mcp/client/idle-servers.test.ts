// When a server that nobody uses is ended, on a clock that the test moves.
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { memoryHost } from "../../../src/entries/host.ts";
import { createToolkit } from "../../../src/index.ts";

test("a server that was not used for 60 seconds is ended, and the next call starts it again", async () => {
  const host = memoryHost({});
  const { control } = host;
  let starts = 0;
  let running = 0;
  await using kit = await createToolkit({
    host,
    settings: { mcpServers: { wire: { type: "carrier" } } },
    rules: { allow: ["mcp__wire"] },
  });
  await kit.registerMcpTransport("carrier", async () => {
    const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
    const server = new McpServer({ name: "fake", version: "1.0.0" });
    server.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "hello" }] }));
    await server.connect(serverEnd);
    starts += 1;
    running += 1;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- not an event target
    server.server.onclose = () => (running -= 1);
    return clientEnd;
  });
  const call = async (): Promise<string> =>
    (await kit.call({ name: "mcp__wire__hello", input: {} })).status;

  const states = [await call(), { starts, running }];
  control.advance(59_000);
  states.push({ starts, running }, await call());
  control.advance(59_999);
  states.push({ starts, running });
  control.advance(1);
  await expect.poll(() => running).toBe(0);
  states.push(kit.mcp.list()[0]?.status ?? "", await call(), { starts, running });

  const once = { starts: 1, running: 1 };
  expect(states).toEqual([
    "ok",
    once,
    once,
    "ok",
    once,
    "stopped",
    "ok",
    { starts: 2, running: 1 },
  ]);
});
