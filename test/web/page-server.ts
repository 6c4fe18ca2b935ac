import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type Pages = Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void>
>;

/** A web server on this machine with a handler for each path. */
export interface PageServer {
  readonly origin: string;
  readonly port: number;
  /** Requests as `METHOD path`, without robots.txt. */
  readonly requests: string[];
  /** The last request. */
  last(): IncomingMessage | undefined;
  close(): Promise<void>;
}

export async function pageServer(pages: Pages): Promise<PageServer> {
  const requests: string[] = [];
  let last: IncomingMessage | undefined;
  const server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    requests.push(`${request.method} ${request.url}`);
    last = request;
    const page = pages[path];
    if (page === undefined) response.writeHead(404).end("There is no such page.");
    else page(request, response);
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    last: () => last,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

/** A handler that sends a body of a type. */
export function sends(type: string, body: string | Uint8Array): Pages[string] {
  return (_request, response) => {
    response.writeHead(200, { "content-type": type }).end(body);
  };
}
