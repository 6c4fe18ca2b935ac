import { request as send, type IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";
import type { HttpServer } from "../../src/server/index.ts";

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Default: that of the server; an empty text sends none. */
  readonly token?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown;
}

type Server = Pick<HttpServer, "url" | "token">;

/** Sends a request and resolves when its answer has started. */
export async function opened(server: Server, path: string, sent: Sent = {}) {
  const { method = "GET", headers = {}, body, token = server.token } = sent;
  const request = send(`${server.url}${path}`, {
    method,
    headers: { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), ...headers },
  });
  onTestFinished(() => void request.destroy());
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
  });
  if (body === undefined) request.end();
  else request.end(Buffer.isBuffer(body) || typeof body === "string" ? body : JSON.stringify(body));
  return { request, answer: await answer };
}

/** Sends a request and reads the whole answer. */
export async function fetched(server: Server, path: string, sent: Sent = {}): Promise<Received> {
  const { answer } = await opened(server, path, sent);
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += String(chunk);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, text, json };
}

/** An event of a stream. */
export interface Frame {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads events of a stream until it ends or the caller breaks off. */
export async function* frames(answer: IncomingMessage): AsyncGenerator<Frame> {
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    text += String(chunk);
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end === -1) break;
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const field = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data: Readonly<Record<string, unknown>> = JSON.parse(field("data") ?? "{}");
      yield { name: field("event"), id: field("id"), data };
    }
  }
}
