import { expect, test } from "vitest";
import { simpleTool, testKit } from "../../../test/support/kit.ts";

const files = { "a.txt": "one\ntwo\n" };

test("content from outside the workspace is untrusted", async () => {
  const { kit } = await testKit(
    { rules: { allow: ["Read(//outside/**)"] } },
    { files: { ...files, "/outside/o.txt": "foreign" } },
  );

  const outside = await kit.call({ name: "Read", input: { file_path: "/outside/o.txt" } });
  const inside = await kit.call({ name: "Read", input: { file_path: "a.txt" } });

  expect([outside.status, outside.trust]).toEqual(["ok", "untrusted"]);
  expect(inside.trust).toBe("trusted");
});

test.each([
  { place: "/outside", trust: "untrusted" },
  { place: "/project", trust: "trusted" },
])("the answer of a program that works in $place is $trust", async ({ place, trust }) => {
  const run = simpleTool("Run", () => ({ content: "printed" }), {
    touches: ["execute"],
    effects: () => [
      {
        kind: "execute",
        argv: ["x"],
        assigns: [],
        via: [],
        consequences: "open",
        worksIn: [place],
        span: { start: 0, end: 1 },
      },
    ],
  });
  const { kit } = await testKit({ mode: "bypassPermissions", tools: { extra: [run] } }, { files });

  const outcome = await kit.call({ name: "Run" });

  expect([outcome.status, outcome.trust]).toEqual(["ok", trust]);
});

test("once untrusted content met a private read, what could carry it out is asked about again", async () => {
  const connect = simpleTool("Send", () => ({ content: "page" }), {
    touches: ["connect"],
    effects: () => [{ kind: "connect", host: "example.com" }],
  });
  const { kit } = await testKit(
    { tools: { extra: [connect] }, mode: "bypassPermissions" },
    { files },
  );
  const session = { sessionId: "s" };

  const first = await kit.call({ name: "Send" }, session);
  await kit.call({ name: "Read", input: { file_path: "a.txt" } }, session);
  const second = await kit.call({ name: "Send" }, session);
  const elsewhere = await kit.call({ name: "Send" }, { sessionId: "other" });

  expect(first).toMatchObject({ status: "ok", trust: "untrusted" });
  expect(second).toMatchObject({ status: "denied", error: { code: "APPROVAL_REQUIRED" } });
  expect(elsewhere.status).toBe("ok");
});

test("a server's answers are no reason to ask in bypassPermissions", async () => {
  const ask = simpleTool("mcp__a__ask", () => ({ content: "answer" }), {
    touches: ["unknown"],
    effects: () => [{ kind: "unknown", because: "server", origin: "mcp__a" }],
  });
  const { kit } = await testKit({ tools: { extra: [ask] }, mode: "bypassPermissions" }, { files });
  const session = { sessionId: "s" };

  const statuses = [];
  for (let call = 0; call < 3; call += 1) {
    statuses.push((await kit.call({ name: "mcp__a__ask" }, session)).status);
  }

  expect(statuses).toEqual(["ok", "ok", "ok"]);
});
