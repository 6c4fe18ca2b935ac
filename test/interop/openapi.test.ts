import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromOpenAPI } from "../../src/entries/interop.ts";
import { createToolkit, type Kit, type Outcome } from "../../src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { document } from "./openapi-document.ts";

const at = temporaryFolder("openapi");

interface Request {
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

const requests: Request[] = [];
const server = createServer((request, response) => {
  const answer = (body: string): void => {
    const line = `${request.method} ${request.url}`;
    requests.push({ line, headers: request.headers, body });
    const path = request.url?.split("?")[0] ?? "";
    const json = { "content-type": "application/json" };
    if (path.endsWith("/fails")) response.writeHead(404, json).end('{"error":"no such thing"}');
    else if (path.endsWith("/moved")) {
      response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    } else if (path.endsWith("/text")) {
      response.writeHead(200, { "content-type": "text/plain" }).end("plain");
    } else if (path.endsWith("/picture")) {
      response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from("png"));
    } else if (path.endsWith("/big")) {
      response.writeHead(200, { "content-type": "text/plain" }).end("x".repeat(6 * 1024 * 1024));
    } else if (path.endsWith("/empty")) response.writeHead(204).end();
    else response.writeHead(200, json).end(JSON.stringify({ line }));
  };
  void text(request).then(answer);
});
let origin = "";
let port = 0;
let kit: Kit;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
  origin = `http://127.0.0.1:${port}`;
  const { tools } = await fromOpenAPI(document(origin), {
    headers: { Authorization: "Bearer user-key", "X-Trace": "users-own" },
  });
  kit = await createToolkit({
    workspace: at(""),
    tools: { extra: tools },
    onAsk: async () => ({ kind: "once" }),
  });
});
afterAll(async () => {
  await kit.dispose();
  server.close();
});

async function sent(
  name: string,
  input: unknown,
): Promise<{ outcome: Outcome; request?: Request }> {
  requests.length = 0;
  const outcome = await kit.call({ name, input });
  const [request] = requests;
  return { outcome, ...(request === undefined ? {} : { request }) };
}

const person = { name: "Ada", age: null, boss: { name: "Bob" } };

const rows = [
  { tool: "listUsers", input: {}, line: "GET /v1/users" },
  {
    tool: "listUsers",
    input: {
      limit: 5,
      tag: ["a b", "c&d"],
      ids: ["1", "2"],
      filter: { role: "x=y" },
      pipe: ["p", "q"],
      shape: { n: 1 },
    },
    line: "GET /v1/users?limit=5&tag=a%20b&tag=c%26d&ids=1,2&filter%5Brole%5D=x%3Dy&pipe=p%7Cq&shape=%7B%22n%22%3A1%7D",
  },
  { tool: "createUser", input: { body: person }, line: "POST /v1/users", body: person },
  { tool: "getUser", input: { id: 7 }, line: "GET /v1/users/7" },
  { tool: "getUser", input: { id: 7, query_id: "q" }, line: "GET /v1/users/7?id=q" },
  { tool: "replaceUser", input: { id: 7, body: person }, line: "PUT /v1/users/7", body: person },
  { tool: "changeUser", input: { id: 7, body: person }, line: "PATCH /v1/users/7", body: person },
  { tool: "deleteUser", input: { id: 7 }, line: "DELETE /v1/users/7" },
  { tool: "hasUser", input: { id: 7 }, line: "HEAD /v1/users/7" },
  {
    tool: "getFriend",
    input: { id: 7, friend: "a/b c" },
    line: "GET /v1/users/7/friends/a%2Fb%20c",
  },
  {
    tool: "search",
    input: { "X-Trace": "models", session: "s 1", body: "q", request_body: person },
    line: "POST /v1/search?body=q",
    body: person,
  },
  { tool: "getTree", input: {}, line: "GET /v1/tree" },
  {
    tool: "putTree",
    input: { body: { children: [{ children: [] }] } },
    line: "PUT /v1/tree",
    body: { children: [{ children: [] }] },
  },
  { tool: "empty", input: {}, line: "OPTIONS /v1/empty" },
  { tool: "get_unnamed_part", input: { part: "x" }, line: "GET /v1/unnamed/x" },
  { tool: "a_b_c_d", input: {}, line: "GET /v1/odd.name" },
  { tool: "a_b_c_d_2", input: {}, line: "GET /v1/odd-name" },
] as const;

describe("an OpenAPI document of 20 operations", () => {
  test("becomes 20 tools whose effects follow from method and host", async () => {
    const { tools, skipped } = await fromOpenAPI(document(origin));
    const named = new Set(tools.map(({ name }) => name));

    expect(tools).toHaveLength(20);
    expect(skipped).toEqual([]);
    expect(rows.filter(({ tool }) => !named.has(tool))).toEqual([]);
    for (const { name, displayName = "", touches } of tools) {
      const isSafe = /^(?:GET|HEAD|OPTIONS) /u.test(displayName);
      expect({ name, touches }).toEqual({
        name,
        touches: isSafe ? ["connect"] : ["connect", "unknown"],
      });
    }
  });

  test.each(rows)("$tool sends $line", async ({ tool, input, line, ...row }) => {
    const method = line.split(" ", 1)[0] ?? "";
    const connect = { kind: "connect", host: "127.0.0.1", port };
    const unknown = {
      kind: "unknown",
      because: `${method} may change data on 127.0.0.1:${port}`,
      origin: `127.0.0.1:${port}`,
    };

    const { outcome, request } = await sent(tool, input);

    expect(request?.line).toBe(line);
    expect(request?.headers["authorization"]).toBe("Bearer user-key");
    expect(request?.body).toBe("body" in row ? JSON.stringify(row.body) : "");
    expect(outcome).toMatchObject({ status: "ok", trust: "untrusted", decision: { kind: "ask" } });
    expect(outcome.effects).toMatchObject(
      ["GET", "HEAD", "OPTIONS"].includes(method) ? [connect] : [connect, unknown],
    );
  });

  test("headers and cookies are sent, and the user's own headers stay", async () => {
    const { request } = await sent("search", { "X-Trace": "models", session: "s 1" });

    expect(request?.headers).toMatchObject({ "x-trace": "users-own", cookie: "session=s%201" });
  });

  test.each([
    { title: "an unknown property of a path", tool: "getUser", input: { id: "../admin" } },
    { title: "a path that leads up", tool: "getFriend", input: { id: 1, friend: ".." } },
    { title: "an empty part of a path", tool: "getFriend", input: { id: 1, friend: "" } },
    { title: "a line break in a header", tool: "search", input: { "X-Trace": "a\r\nb: c" } },
    { title: "a number out of range", tool: "listUsers", input: { limit: 1000 } },
    { title: "a body that does not fit", tool: "createUser", input: { body: { age: -1 } } },
    { title: "a missing body", tool: "createUser", input: {} },
  ])("$title is refused and nothing is sent", async ({ tool, input }) => {
    const { outcome, request } = await sent(tool, input);

    expect(outcome.error?.code).toBe("INVALID_INPUT");
    expect(outcome.error?.hint).toEqual(expect.any(String));
    expect(request).toBeUndefined();
  });

  test.each([
    { path: "/a/{one}{two}/b", input: { one: ".", two: "." } },
    { path: "/a/.{one}/b", input: { one: "." } },
    { path: "/a/{one}%2e/b", input: { one: "." } },
    { path: "/a/{list}/b", input: { list: ["..", ""].slice(0, 1) } },
    { path: "/a/../{one}", input: { one: "b" } },
  ])("$path with $input does not climb", async ({ path, input }) => {
    const name = Object.keys(input)[0] ?? "";
    const schema =
      name === "list" ? { type: "array", items: { type: "string" } } : { type: "string" };
    const parameters = Object.keys(input).map((each) => ({
      name: each,
      in: "path",
      required: true,
      schema,
    }));
    const { tools } = await fromOpenAPI({
      openapi: "3.1.0",
      info: { title: "t", version: "1" },
      servers: [{ url: `${origin}/v1` }],
      paths: { [path]: { get: { operationId: "climb", parameters } } },
    });
    await using own = await createToolkit({
      workspace: at(""),
      tools: { extra: tools },
      onAsk: async () => ({ kind: "once" }),
    });
    requests.length = 0;

    const outcome = await own.call({ name: "climb", input });

    expect(outcome.error).toMatchObject({ code: "INVALID_INPUT" });
    expect(requests).toEqual([]);
  });

  test.each([
    { tool: "fails", status: "failed", says: 'HTTP 404\n{"error":"no such thing"}' },
    { tool: "moved", status: "failed", says: "HTTP 302 (location: http://169.254.169.254/)" },
    { tool: "text", status: "ok", says: "plain" },
    { tool: "empty", status: "ok", says: "HTTP 204, without content" },
    { tool: "big", status: "ok", says: "truncated" },
  ])("the answer of $tool is shown as it is", async ({ tool, status, says }) => {
    const { outcome } = await sent(tool, {});

    expect(outcome.status).toBe(status);
    expect(outcome.text).toContain(says);
    expect(requests).toHaveLength(1);
  });

  test("a picture is a picture", async () => {
    expect((await sent("picture", {})).outcome.content).toContainEqual({
      type: "image",
      data: Buffer.from("png").toString("base64"),
      mimeType: "image/png",
    });
  });

  test("JSON is also structured", async () => {
    expect((await sent("getTree", {})).outcome.structuredContent).toEqual({
      line: "GET /v1/tree",
    });
  });
});

test("nobody asked, nothing is sent, and a rule for the server allows reading only", async () => {
  const { tools } = await fromOpenAPI(document(origin));
  await using headless = await createToolkit({ workspace: at(""), tools: { extra: tools } });
  await using ruled = await createToolkit({
    workspace: at(""),
    tools: { extra: tools },
    rules: { allow: [`WebFetch(domain:127.0.0.1:${port})`] },
  });
  requests.length = 0;

  expect((await headless.call({ name: "getTree", input: {} })).status).toBe("denied");
  expect(requests).toEqual([]);
  expect((await ruled.call({ name: "getTree", input: {} })).status).toBe("ok");
  expect((await ruled.call({ name: "deleteUser", input: { id: 1 } })).status).toBe("denied");
  expect(requests.map(({ line }) => line)).toEqual(["GET /v1/tree"]);
});

const minimal = { openapi: "3.1.0", servers: [{ url: "https://api.example.com" }] };
const ok = { get: { operationId: "ok" } };

describe("a document that is not as it should be", () => {
  test.each([
    { title: "no object", given: "[]", says: "not an object" },
    { title: "neither JSON nor YAML", given: "{a: [", says: "neither JSON nor YAML" },
    { title: "version 2", given: { swagger: "2.0", paths: {} }, says: "version 2.0" },
    { title: "no version", given: { paths: {} }, says: "version none" },
    { title: "no paths", given: { openapi: "3.1.0" }, says: "no paths" },
    {
      title: "no server",
      given: { openapi: "3.1.0", paths: { "/": ok } },
      says: "names no server",
    },
    {
      title: "a relative server",
      given: { openapi: "3.1.0", servers: [{ url: "/v1" }], paths: { "/": ok } },
      says: "names the server /v1",
    },
    {
      title: "a server of another protocol",
      given: { openapi: "3.1.0", servers: [{ url: "file:///etc" }], paths: { "/": ok } },
      says: "names the server file:///etc",
    },
    {
      title: "a server with credentials",
      given: { openapi: "3.1.0", servers: [{ url: "https://u:p@x.org" }], paths: { "/": ok } },
      says: "contains credentials",
    },
  ])("is refused with a hint: $title", async ({ given, says }) => {
    await expect(fromOpenAPI(given)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: expect.stringContaining(says),
      hint: expect.any(String),
    });
  });

  test.each([
    {
      title: "a circle of references",
      item: { post: { requestBody: { $ref: "#/components/requestBodies/A" } } },
      reason: "its references form a circle",
    },
    {
      title: "a reference to another file",
      item: { post: { requestBody: { $ref: "other.yaml#/A" } } },
      reason: "it refers to other.yaml#/A, outside the document",
    },
    {
      title: "a reference to nothing",
      item: { get: { parameters: [{ $ref: "#/components/parameters/None" }] } },
      reason: "it refers to #/components/parameters/None, which is missing",
    },
    {
      title: "a body that is not JSON",
      item: { post: { requestBody: { required: true, content: { "text/xml": {} } } } },
      reason: "it needs a body of text/xml; only JSON is supported",
    },
    {
      title: "a parameter without a place",
      item: { get: { parameters: [{ name: "x" }] } },
      reason: "a parameter has no name or no known place",
    },
    {
      title: "an operation that is not an object",
      item: { get: "later" },
      reason: "a part of it is not an object",
    },
  ])("loses only the operation with $title", async ({ item, reason }) => {
    const circle = { requestBodies: { A: { $ref: "#/components/requestBodies/A" } } };
    const paths = { "/bad": item, "/ok": ok };

    const { tools, skipped } = await fromOpenAPI({ ...minimal, components: circle, paths });

    expect(tools.map(({ name }) => name)).toEqual(["ok"]);
    const [method = ""] = Object.keys(item);
    expect(skipped).toEqual([{ operation: `${method.toUpperCase()} /bad`, reason }]);
  });

  test("may be YAML, has a base address from the options, and chosen operations", async () => {
    const yaml = "openapi: 3.1.0\npaths:\n  /a: {get: {operationId: a}}\n  /b: {get: {}}\n";

    const { tools } = await fromOpenAPI(yaml, {
      baseUrl: "https://api.example.com:8443/x/",
      operations: ["get/b"],
      prefix: "my_",
    });

    expect(tools.map(({ name, displayName }) => ({ name, displayName }))).toEqual([
      { name: "my_get_b", displayName: "GET /b" },
    ]);
    await expect(
      fromOpenAPI(yaml, { baseUrl: "https://api.example.com", operations: ["c"] }),
    ).rejects.toMatchObject({ message: "The document has no operation c." });
  });
});
