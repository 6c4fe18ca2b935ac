import type { IncomingMessage, ServerResponse } from "node:http";
import { ToolError } from "../../../core/index.ts";

/** Listens on this machine for the address to which a login leads back. */
export interface RedirectListener {
  readonly url: string;
  /** Resolves with the parameters of the first redirect that has the right state. */
  readonly received: Promise<URLSearchParams>;
  /** Takes an address that the user copied from the browser; false if it is not that of this login. */
  accept(address: string): boolean;
  close(): void;
}

const path = "/callback";

/** Opens the listener on the loopback interface. A redirect with another state is refused, and the wait continues. */
export async function listenForRedirect(state: string, port = 0): Promise<RedirectListener> {
  const { createServer } = await import("node:http");
  const { promise: received, resolve } = Promise.withResolvers<URLSearchParams>();
  const take = (address: URL): boolean => {
    if (address.pathname !== path || address.searchParams.get("state") !== state) return false;
    resolve(address.searchParams);
    return true;
  };
  const answer = ({ url = "", method }: IncomingMessage, response: ServerResponse): void => {
    const base = "http://127.0.0.1";
    const isRight = method === "GET" && URL.canParse(url, base) && take(new URL(url, base));
    response.writeHead(isRight ? 200 : 400, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
      "referrer-policy": "no-referrer",
      connection: "close",
    });
    response.end(
      isRight ? page("haft has the answer. You can close this page.") : page(otherLogin),
    );
  };
  const server = createServer({ maxHeaderSize: 16_384, requestTimeout: 10_000 }, answer);
  server.maxConnections = 16;
  const opened = Promise.withResolvers<void>();
  server.once("error", opened.reject).once("listening", opened.resolve);
  server.listen(port, "127.0.0.1");
  try {
    await opened.promise;
  } catch (cause) {
    throw new ToolError("UNAVAILABLE", `Port ${port} of this machine is in use.`, {
      hint: "End what uses it, or change redirectPort of the server.",
      cause,
    });
  }
  const bound = server.address();
  return {
    url: `http://127.0.0.1:${typeof bound === "object" ? (bound?.port ?? port) : port}${path}`,
    received,
    accept: (address) => URL.canParse(address) && take(new URL(address)),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const otherLogin = "This address does not belong to the login that haft waits for.";

function page(text: string): string {
  return `<!doctype html><title>haft</title><p>${text}</p>\n`;
}
