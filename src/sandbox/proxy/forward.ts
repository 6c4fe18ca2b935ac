import {
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import { connectionHeaders } from "../../text/index.ts";
import type { Reach } from "./reach.ts";

/** Forwards a request in absolute form: plain HTTP, one request per connection. */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  reach: Reach,
): Promise<void> {
  incoming.on("error", () => outgoing.destroy());
  outgoing.on("error", () => outgoing.destroy());
  const url = URL.canParse(incoming.url ?? "") ? new URL(incoming.url ?? "") : undefined;
  if (url?.protocol !== "http:") {
    outgoing.writeHead(400).end("haft: only http: addresses and CONNECT are understood.\n");
    return;
  }
  const port = url.port === "" ? 80 : Number(url.port);
  const reached = await reach(url.hostname.replace(/^\[(.*)\]$/u, "$1"), port);
  if ("refused" in reached) {
    outgoing.writeHead(403).end(`haft: ${reached.refused}\n`);
    return;
  }
  const { socket } = reached;
  if (socket === undefined || outgoing.destroyed) {
    socket?.destroy();
    failed(outgoing);
    return;
  }
  // From here on the connection ends with the response, whatever fails.
  outgoing.on("close", () => socket.destroy());
  const hasBody = "transfer-encoding" in incoming.headers || "content-length" in incoming.headers;
  const outer = request(
    {
      createConnection: () => socket,
      method: incoming.method ?? "GET",
      path: `${url.pathname}${url.search}`,
      headers: {
        ...endToEnd(incoming.headers),
        // The name that was checked, whatever the request contained.
        host: url.host,
        connection: "close",
        // Without it a body of unknown length would follow the head without framing, and could be read as another
        // request.
        ...("transfer-encoding" in incoming.headers ? { "transfer-encoding": "chunked" } : {}),
      },
    },
    (response) => {
      response.on("error", () => outgoing.destroy());
      try {
        outgoing.writeHead(statusOf(response), endToEnd(response.headers));
        response.pipe(outgoing);
      } catch {
        outer.destroy();
        failed(outgoing);
      }
    },
  );
  outer.on("error", () => failed(outgoing));
  // No upgrade was requested.
  outer.on("upgrade", (_response, upgraded) => {
    upgraded.destroy();
    failed(outgoing);
  });
  if (hasBody) incoming.pipe(outer);
  else outer.end();
}

/** Ends a failed response: with an error if nothing has been sent yet. */
export function failed(outgoing: ServerResponse): void {
  if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
  else outgoing.writeHead(502).end("haft: the host does not answer as it should.\n");
}

function statusOf({ statusCode = 0 }: IncomingMessage): number {
  if (statusCode >= 200 && statusCode <= 999) return statusCode;
  throw new RangeError(`${statusCode} is not the status of an answer.`);
}

/** Returns the headers about the message, without those that `Connection` names. */
function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    // Without its length a body could be read as another request.
    .filter((name) => name !== "content-length");
  // If a message has both, the chunks determine its length.
  const length = "transfer-encoding" in headers ? ["content-length"] : [];
  const dropped = new Set([...connectionHeaders, ...named, ...length]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}
