import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { LLMock } from "@copilotkit/aimock";
import { loadModel, type LoadModelOptions, type Model } from "../../src/agent/index.ts";

/** Protocols that a fake speaks, each with the models that are asked for in tests. */
export const protocols = [
  { name: "Anthropic", spec: "anthropic:claude-sonnet-4-5", base: "/v1", callId: /^[\w-]{1,64}$/u },
  { name: "OpenAI chat", spec: "openai-chat:gpt-4o", base: "/v1", callId: /^[\w-]{1,40}$/u },
  { name: "OpenAI responses", spec: "openai:gpt-4o", base: "/v1", callId: /^[\w-]{1,40}$/u },
  { name: "Gemini", spec: "google:gemini-2.5-pro", base: "/v1beta", callId: /^.+$/u },
  { name: "Mistral", spec: "mistral:mistral-large", base: "/v1", callId: /^[A-Za-z0-9]{9}$/u },
  { name: "Kimi", spec: "kimi:kimi-k2", base: "/v1", callId: /^functions\.\w+:\d+$/u },
] as const;

export type Protocol = (typeof protocols)[number];

type Reply = (response: ServerResponse) => void;

/** Servers of providers on the loopback address: what they are asked is recorded, and faults can be put before answers. */
export interface FakeProvider {
  /** Answers of the models. */
  readonly mock: LLMock;
  /** Bodies of all requests, as they were sent. */
  readonly bodies: string[];
  /** Replies to the next requests instead of the mock. */
  readonly faults: Reply[];
  /** How the connection ends in the middle of the next answers of the mock. */
  readonly cuts: ("breaks" | "ends")[];
  model(protocol: Protocol, options?: Partial<LoadModelOptions>): Promise<Model>;
  stop(): Promise<void>;
}

export async function fakeProvider(): Promise<FakeProvider> {
  const mock = new LLMock({ port: 0, logLevel: "silent" });
  await mock.start();
  const bodies: string[] = [];
  const faults: Reply[] = [];
  const cuts: FakeProvider["cuts"] = [];
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      bodies.push(body);
      const fault = faults.shift();
      return fault === undefined
        ? forward({ incoming, body, response, cut: cuts.shift() }, mock.url)
        : fault(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    mock,
    bodies,
    faults,
    cuts,
    model: async ({ spec, base }, options = {}) =>
      await loadModel(spec, {
        baseUrl: `http://127.0.0.1:${port}${base}`,
        env: new Proxy(
          {},
          { get: (_env, name) => (String(name).endsWith("KEY") ? "k" : undefined) },
        ),
        ...options,
      }),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await mock.stop();
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of incoming.setEncoding("utf8")) body += String(chunk);
  return body;
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly body: string;
  readonly response: ServerResponse;
  readonly cut: FakeProvider["cuts"][number] | undefined;
}

function forward({ incoming, body, response, cut }: Exchange, url: string): void {
  const { method, headers } = incoming;
  const target = new URL(incoming.url ?? "/", url);
  const outgoing = request(target, { method, headers }, (answer) => {
    const { "content-length": _, ...others } = answer.headers;
    void bodyOf(answer).then((text) => {
      response.writeHead(answer.statusCode ?? 500, others);
      if (cut === "breaks") return response.write(firstHalf(text), () => response.destroy());
      return response.end(cut === undefined ? text : firstHalf(text));
    });
  });
  outgoing.end(body);
}

/** First half of a stream's events. */
function firstHalf(stream: string): string {
  const events = stream.split(/(?<=\n\n)/u);
  return events.slice(0, Math.ceil(events.length / 2)).join("");
}

/** Error response with the status, and with headers such as `retry-after`. */
export function refuses(
  status: number,
  error: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ type: "error", error }));
  };
}

/** Breaks the connection before anything was answered. */
export function hangsUp(response: ServerResponse): void {
  response.destroy();
}

/** Begins an answer and then is silent. */
export function stalls(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
}

/** Ids of calls and of results in a request body, in the order in which they are sent. */
export function idsIn(body: string): { readonly calls: string[]; readonly results: string[] } {
  const calls: string[] = [];
  const results: string[] = [];
  visit(JSON.parse(body), (record) => {
    const { type, id, call_id: callId, tool_use_id: useId, tool_call_id: toolCallId } = record;
    if (type === "tool_use" || (type === "function" && "function" in record && "id" in record)) {
      calls.push(String(id));
    } else if (type === "function_call") calls.push(String(callId));
    else if (type === "function_call_output") results.push(String(callId));
    else if (type === "tool_result") results.push(String(useId));
    else if (record["role"] === "tool") results.push(String(toolCallId));
    else if (isRecord(record["functionCall"])) calls.push(String(record["functionCall"]["id"]));
    else if (isRecord(record["functionResponse"])) {
      results.push(String(record["functionResponse"]["id"]));
    }
  });
  return { calls, results };
}

function visit(value: unknown, see: (record: Readonly<Record<string, unknown>>) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, see);
  else if (isRecord(value)) {
    see(value);
    for (const each of Object.values(value)) visit(each, see);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
