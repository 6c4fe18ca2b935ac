import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { LLMock, type ChatCompletionRequest, type FixtureResponse } from "@copilotkit/aimock";

/** A model on the loopback address that reads a file with haft, writes another, and ends with a text. */
export interface FakeModel {
  readonly url: string;
  /** Names of the tools of haft, as the agent offers them to the model. */
  readonly offered: ReadonlySet<string>;
  /** Names of tools that the agent offers in addition to those of haft. */
  readonly others: ReadonlySet<string>;
  /** Results of calls that came back to the model, in order. */
  readonly results: readonly string[];
  stop(): Promise<void>;
}

export const finalText = "Both calls are finished.";

/** Calls of the model, in order; a name is the one that haft gives to its tool. */
export const calls = [
  { tool: "Read", input: { file_path: "notes.txt" } },
  { tool: "Write", input: { file_path: "copy.txt", content: "the secret word is marmalade\n" } },
] as const;

/** Starts it for one agent: it remembers what that agent offers. */
export async function openFakeModel(): Promise<FakeModel> {
  const offered = new Set<string>();
  const others = new Set<string>();
  let results: readonly string[] = [];
  const answer = (request: ChatCompletionRequest): FixtureResponse => {
    const names = (request.tools ?? []).map((tool) => tool.function.name);
    const own = names.filter((name) => isOfHaft(name));
    for (const name of names) (own.includes(name) ? offered : others).add(name);
    // Agents also ask for titles and summaries, without tools.
    if (own.length === 0) return { content: "A title" };
    const returned = request.messages.filter(({ role }) => role === "tool");
    if (returned.length > results.length) results = returned.map(({ content }) => textOf(content));
    const next = calls[returned.length];
    if (next === undefined) return { content: finalText };
    const name = own.find((each) => each.endsWith(next.tool));
    if (name === undefined) return { content: `There is no tool ${next.tool}.` };
    return { toolCalls: [{ name, arguments: JSON.stringify(next.input) }] };
  };
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  mock.on({ predicate: () => true }, answer);
  await mock.start();
  const front = await openFront(mock.url);
  return {
    url: front.url,
    offered,
    others,
    get results() {
      return results;
    },
    stop: async () => {
      front.stop();
      await mock.stop();
    },
  };
}

/**
 * Forwards requests to the mock, which does not know the namespaces of tools that Codex uses: they become parts of the
 * names, and are separated again in the answer.
 */
async function openFront(target: string): Promise<{ readonly url: string; stop(): void }> {
  return await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const isResponses = request.url?.endsWith("/responses") === true;
    const sent = Buffer.concat(chunks).toString("utf8");
    const answer = await fetch(`${target}${request.url ?? ""}`, {
      method: request.method ?? "GET",
      headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === "string" && !["host", "connection", "content-length"].includes(name)
          ? [[name, value]]
          : [],
      ),
      ...(sent === "" ? {} : { body: isResponses ? withoutNamespaces(sent) : sent }),
    });
    const type = answer.headers.get("content-type") ?? "application/json";
    response.writeHead(answer.status, { "content-type": type });
    const text = await answer.text();
    response.end(isResponses ? withNamespaces(text) : text);
  });
}

function withoutNamespaces(text: string): string {
  const body = record(JSON.parse(text));
  const tools = list(body["tools"]).flatMap((tool) =>
    tool["type"] === "namespace"
      ? list(tool["tools"]).map((each) => ({
          ...each,
          name: `${String(tool["name"])}__${String(each["name"])}`,
        }))
      : [tool],
  );
  return JSON.stringify({ ...body, tools });
}

function withNamespaces(text: string): string {
  return text.replaceAll(/"name":"(mcp__\w+?)__(\w+)"/gu, `"name":"$2","namespace":"$1"`);
}

function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Whether a name is that of a tool of the server `haft`: each agent has its own form of it. */
function isOfHaft(name: string): boolean {
  return /(?:^|_)haft_/u.test(name);
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** A proxy that connects to nothing and records what it was asked for. */
export interface ClosedProxy {
  readonly url: string;
  readonly refused: ReadonlySet<string>;
  stop(): void;
}

/** Opens it; agents that look for updates or report their use ask it. */
export async function openClosedProxy(): Promise<ClosedProxy> {
  const refused = new Set<string>();
  const { server, ...opened } = await listen(async (request, response) => {
    refused.add(String(request.url));
    response.writeHead(403).end();
  });
  server.on("connect", (request, socket) => {
    refused.add(String(request.url));
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  return { ...opened, refused };
}

async function listen(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<{ readonly server: Server; readonly url: string; stop(): void }> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return {
    server,
    url: `http://127.0.0.1:${address.port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
