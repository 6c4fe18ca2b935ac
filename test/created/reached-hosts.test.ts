/** Tools that connect to a host which they declare and which the user approved. */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createdWorld, whyNotHeld } from "./created-world.ts";

const reason = await whyNotHeld();

async function serving(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((_request, response) => response.end("hello\n"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

const tool = {
  name: "Ask",
  description: "Asks a server.",
  input: { type: "object", properties: { url: { type: "string" } } },
  touches: ["connect"],
  effects: [{ kind: "connect", host: "{url}" }],
  language: "javascript",
  body: 'export default async ({ url }) => url === undefined ? "none" : await (await fetch(url)).text();',
  examples: [{ input: {} }],
} as const;

test.skipIf(reason !== undefined)(
  "a server on this machine is reached by the port that was approved, and no other one",
  async () => {
    await using world = await createdWorld();
    const kit = await world.open({ trust: true });
    const { server, port } = await serving();
    const other = await serving();
    await kit.call({ name: "CreateTool", input: tool });
    const body = `export default async ({ url }) => url === undefined ? "none" : await (await fetch("http://127.0.0.1:${other.port}/")).text();`;
    await kit.call({ name: "CreateTool", input: { ...tool, name: "Other", body } });
    const url = `http://127.0.0.1:${port}/`;

    const reached = await kit.call({ name: "Ask", input: { url } });
    const refused = await kit.call({ name: "Other", input: { url } });
    server.close();
    other.server.close();

    expect([reached.status, reached.text]).toEqual(["ok", "hello\n"]);
    expect(refused.status).toBe("failed");
  },
);

test.skipIf(reason !== undefined)("why a connection failed is part of the error", async () => {
  await using world = await createdWorld();
  const kit = await world.open({ trust: true });
  const body =
    'export default async ({ url }) => { if (url) throw new TypeError("fetch failed", { cause: Object.assign(new Error("no answer"), { code: "ECONNRESET" }) }); };';
  await kit.call({ name: "CreateTool", input: { ...tool, body } });

  const { text } = await kit.call({ name: "Ask", input: { url: "http://127.0.0.1:9/" } });

  expect(text).toContain("TypeError: fetch failed (no answer [ECONNRESET])");
});
