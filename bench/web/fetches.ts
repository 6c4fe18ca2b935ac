import { createServer } from "node:http";
import { localHost } from "../../src/host/index.ts";
import { createToolkit } from "../../src/index.ts";

/** Pages of one round. */
const pages = 200;

/** Milliseconds of the fastest round of 200 pages, one after the other. */
export interface FetchTimes {
  /** `fetch` of Node, which is undici, with the body as text. */
  readonly undici: number;
  /** The guarded network of the host, with the body as text. */
  readonly host: number;
  /** Calls of WebFetch, with rules, journal and result. */
  readonly tool: number;
}

/** Times of the same pages from a server on this machine, fetched in turn. */
export async function fetchTimes(rounds: number): Promise<FetchTimes> {
  const body = "A line of a page about as long as most lines are.\n".repeat(200);
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end(body);
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const { port } = address;
  const { net } = await localHost();
  const kit = await createToolkit({
    rules: { allow: [`WebFetch(domain:127.0.0.1:${port})`] },
  });
  // Each page has an address of its own, because WebFetch would answer the second time from its cache.
  let page = 0;
  const next = (): string => `http://127.0.0.1:${port}/${(page += 1)}`;
  const ways = {
    undici: async () => (await (await fetch(next())).text()).length,
    host: async () => {
      const decoder = new TextDecoder();
      const { body: pieces } = await net.fetch({ url: next() }, { allowsPrivate: true });
      let text = "";
      for await (const piece of pieces) text += decoder.decode(piece, { stream: true });
      return text.length;
    },
    tool: async () => {
      const outcome = await kit.call({ name: "WebFetch", input: { url: next() } });
      if (outcome.status !== "ok") throw new Error(outcome.text);
      return outcome.text.length;
    },
  };
  const fastest = { undici: Infinity, host: Infinity, tool: Infinity };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of ["undici", "host", "tool"] as const) {
        const startedAt = performance.now();
        for (let count = 0; count < pages; count += 1) {
          if ((await ways[name]()) < body.length - 100) throw new Error(`${name} lost text.`);
        }
        const took = performance.now() - startedAt;
        // The round before the first compiles and connects.
        if (round > 0) fastest[name] = Math.min(fastest[name], took);
      }
    }
  } finally {
    await kit.dispose();
    server.closeAllConnections();
    server.close();
  }
  return fastest;
}
