import { createServer, request as send, type IncomingMessage, type Server } from "node:http";

/**
 * Listens on a port of this machine, and passes every request on to a server with its token. For clients under test that
 * cannot send one; every other header, Host and Origin among them, passes as it is.
 */
export async function tokenProxy(target: {
  readonly url: string;
  readonly token: string;
}): Promise<{ readonly url: string; readonly server: Server }> {
  const { hostname, port, pathname } = new URL(target.url);
  const server = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${target.token}` };
    const passed = send(
      { hostname, port, path: request.url, method: request.method, headers },
      (answer: IncomingMessage) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const own = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${own}${pathname}`, server };
}
