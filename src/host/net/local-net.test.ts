import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ToolError, type HostRequest, type HostResponse } from "../../core/index.ts";
import { localNet as openNet } from "./local-net.ts";

let server: Server;
let base: string;
let requests: string[];

/** The listener of these tests is on this machine, which only its own origin opens. */
const net = openNet();
const localNet = {
  fetch: async (
    request: HostRequest,
    options: { signal?: AbortSignal } = {},
  ): Promise<HostResponse> => net.fetch(request, { ...options, allowsPrivate: true }),
};

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === "/redirect") {
    response.writeHead(302, { Location: "/target" }).end("see there");
  } else if (request.url === "/echo") {
    response.setHeader("X-Seen", request.headers["x-sent"] ?? "");
    request.pipe(response);
  } else if (request.url === "/endless") response.write("first");
  else if (request.url === "/broken") {
    response.writeHead(200, { "Content-Length": "100" });
    response.write("half", () => response.destroy());
  } else if (request.url !== "/silent") response.writeHead(404).end();
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = "";
  for await (const bytes of body) text += Buffer.from(bytes).toString();
  return text;
}

test("a redirect is returned, never followed", async () => {
  const response = await localNet.fetch({ url: `${base}/redirect` });

  expect(response).toMatchObject({
    url: `${base}/redirect`,
    status: 302,
    headers: { location: "/target" },
  });
  expect(await textOf(response.body)).toBe("see there");
  expect(requests).toEqual(["GET /redirect"]);
});

test.for(["a text", new TextEncoder().encode("some bytes")])(
  "method, headers and body are sent: %s",
  async (body) => {
    const response = await localNet.fetch({
      url: `${base}/echo`,
      method: "POST",
      headers: { "X-Sent": "yes" },
      body,
    });

    expect(response.headers["x-seen"]).toBe("yes");
    expect(await textOf(response.body)).toBe(
      typeof body === "string" ? body : new TextDecoder().decode(body),
    );
    expect(requests).toEqual(["POST /echo"]);
  },
);

test("a status of an error is an answer", async () => {
  const response = await localNet.fetch({ url: `${base}/nowhere` });

  expect(response.status).toBe(404);
  expect(await textOf(response.body)).toBe("");
});

test("an abort ends a request that gets no answer, with the reason", async () => {
  const stop = new AbortController();
  const fetching = localNet.fetch({ url: `${base}/silent` }, { signal: stop.signal });
  stop.abort(new ToolError("TIMEOUT", "Too late."));

  await expect(fetching).rejects.toMatchObject({ code: "TIMEOUT" });
});

test("an abort ends a body that does not end", async () => {
  const stop = new AbortController();
  const { body } = await localNet.fetch({ url: `${base}/endless` }, { signal: stop.signal });
  const reading = textOf(body);
  stop.abort();

  await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
});

test("a body that breaks off is UNAVAILABLE", async () => {
  const { body } = await localNet.fetch({ url: `${base}/broken` });

  await expect(textOf(body)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
