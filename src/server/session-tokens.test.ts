import { expect, test } from "vitest";
import { fetched, frames, opened } from "../../test/support/http.ts";
import { simpleTool, testKit } from "../../test/support/kit.ts";
import { asking, nextNamed, post, risky, served, serving } from "../../test/support/serving.ts";
import { kitLibrary } from "./kit-library.ts";
import type { HttpServer } from "./mcp-server.ts";

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

test.each([
  { what: "is void", path: "/sessions?session=s", options: { method: "DELETE" } },
  { what: "is replaced", path: "/sessions", options: post({ sessionId: "s" }) },
])("the event stream of a token ends when it $what", async ({ path, options }) => {
  const { server } = await serving([simpleTool("Echo", () => ({ content: "here" }))]);
  const token = await sessionToken(server, "s");
  const { answer } = await opened(server, "/events", { token });

  await fetched(server, path, options);
  const next = await sessionToken(server, "s");
  await fetched(server, "/call", post({ toolId: "Echo", arguments: {} }, next));

  const names: string[] = [];
  // The first frame has the position only.
  for await (const { name } of frames(answer)) if (name !== undefined) names.push(name);
  expect(names).toEqual([]);
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

test("the user is asked about what a prompt inserts", async () => {
  const { kit } = await testKit(
    { settings: "load", trust: true },
    {
      root: "/ws",
      files: { "/ws/.haft/commands/look.md": "See @/srv/a.md", "/srv/a.md": "NOTES" },
    },
  );
  const server = await served(kit, { library: async (id) => kitLibrary(kit, id) });
  const token = await sessionToken(server, "s");
  const { answer } = await opened(server, "/events");
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const method = "prompts/get";
  const params = { name: "look", _meta: meta };
  const prompt = fetched(server, "/mcp", {
    ...post({ jsonrpc: "2.0", id: 1, method, params }, token),
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": "look" },
  });
  const { data } = await nextNamed(answer, "permission-ask");

  await fetched(server, "/answer", post({ id: data["id"], answer: "once" }));

  expect(JSON.stringify((await prompt).json)).toContain("NOTES");
  expect(data).toMatchObject({ sessionId: "s" });
  await kit.dispose();
});

test("there are at most 1000 sessions with a token, of which each may get another", async () => {
  const { server } = await serving();
  for (let count = 0; count < 1000; count += 1) await sessionToken(server, `s${count}`);

  const { status, json } = await fetched(server, "/sessions", post({ sessionId: "more" }));
  await sessionToken(server, "s0");
  await fetched(server, "/sessions?session=s1", { method: "DELETE" });
  await sessionToken(server, "more");

  expect(status).toBe(409);
  expect(json).toMatchObject({ error: { code: "LIMIT_REACHED", hint: expect.any(String) } });
});
