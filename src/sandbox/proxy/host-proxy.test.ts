import { createServer, connect, Socket, type AddressInfo, type Server } from "node:net";
import { text } from "node:stream/consumers";
import type { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { hostProxy, type HostProxy, type HostProxyOptions } from "./host-proxy.ts";
import { sharedChannel } from "./shared-channel.ts";

const at = temporaryFolder("host-proxy");

const failures: unknown[] = [];
const note = (error: unknown): number => failures.push(error);
const ends: (() => unknown)[] = [];

beforeEach(() => {
  failures.length = 0;
  process.on("uncaughtExceptionMonitor", note);
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  process.off("uncaughtExceptionMonitor", note);
  process.off("unhandledRejection", note);
  if (failures.length > 0) throw failures[0];
});

interface Upstream {
  readonly port: number;
  /** Returns everything sent to the server, over all connections. */
  readonly received: () => string;
}

/**
 * Starts a server on the loopback device that answers any request with these bytes and ends the connection, or leaves
 * the answer to a function.
 */
async function upstream(answer: string | ((socket: Socket) => void)): Promise<Upstream> {
  let received = "";
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes: Buffer) => {
      received += bytes.toString("latin1");
      if (typeof answer !== "string") answer(socket);
      else if (received.includes("\r\n\r\n")) socket.end(answer, "latin1");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, received: () => received };
}

async function loopback(): Promise<readonly string[]> {
  return ["127.0.0.1"];
}

function silent(): Socket {
  return new Socket();
}

async function proxyTo(
  hosts: readonly string[],
  options: Partial<HostProxyOptions> = {},
): Promise<{ readonly proxy: HostProxy; readonly open: () => Duplex; readonly wire: Socket }> {
  const proxy = await hostProxy({ hosts, directory: at(""), resolve: loopback, ...options });
  const wire = connect(proxy.socketPath);
  const channel = sharedChannel(wire);
  ends.push(async () => {
    channel.close();
    await proxy.close();
  });
  return { proxy, wire, open: () => channel.open() };
}

/** Writes these bytes and returns the response. */
async function asked(stream: Duplex, bytes: string): Promise<string> {
  stream.write(bytes, "latin1");
  return await text(stream);
}

const get = (authority: string, more = ""): string =>
  `GET http://${authority}/path HTTP/1.1\r\nHost: ${authority}\r\nConnection: close\r\n${more}\r\n`;

describe("a request to a listed host", () => {
  test("is passed on, and so is its answer", async () => {
    const { port, received } = await upstream("HTTP/1.1 200 OK\r\nX-Own: 1\r\n\r\nhello");
    const { open } = await proxyTo([`localhost:${port}`]);

    const answer = await asked(open(), get(`localhost:${port}`));

    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*X-Own: 1\r\n[^]*hello/iu);
    expect(received()).toMatch(/^GET \/path HTTP\/1\.1\r\n/u);
  });

  test("has the Host that was judged, whatever it said itself", async () => {
    const { port, received } = await upstream("HTTP/1.1 204 No Content\r\n\r\n");
    const { open } = await proxyTo([`localhost:${port}`]);

    await asked(
      open(),
      `GET http://localhost:${port}/ HTTP/1.1\r\nHost: inner.example\r\nConnection: close, x-own\r\nX-Own: 1\r\nProxy-Authorization: secret\r\n\r\n`,
    );

    expect(received().match(/^host: .*$/gimu)).toEqual([`host: localhost:${port}`]);
    expect(received()).not.toMatch(/inner\.example|secret|x-own/iu);
  });

  test.each([
    "Transfer-Encoding: chunked\r\n",
    "Content-Length: 40\r\nConnection: content-length\r\n",
  ])("has its body in a frame, so that it is not a second request: %j", async (framing) => {
    const { port, received } = await upstream("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const { open } = await proxyTo([`localhost:${port}`]);
    const second = "GET /second HTTP/1.1\r\nHost: inner\r\n\r\n";
    const body = framing.startsWith("T")
      ? `${second.length.toString(16)}\r\n${second}\r\n0\r\n\r\n`
      : second.padEnd(40, "\n");

    open().write(`GET http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\n${framing}\r\n${body}`);
    // The body reaches the host as well.
    await expect.poll(received).toContain("GET /second");

    const [head = ""] = received().split("\r\n\r\n");
    expect(head).toMatch(/^(?:transfer-encoding: chunked|content-length: 40)$/imu);
  });
});

describe("an invalid answer", () => {
  test.each([
    { because: "a status below the first", bytes: "HTTP/1.1 099 Odd\r\n\r\n" },
    { because: "a status of zero", bytes: "HTTP/1.1 000 Odd\r\n\r\n" },
    { because: "a status of two digits", bytes: "HTTP/1.1 99 Odd\r\n\r\n" },
    { because: "a status of four digits", bytes: "HTTP/1.1 2000 Odd\r\n\r\n" },
    { because: "a negative status", bytes: "HTTP/1.1 -20 Odd\r\n\r\n" },
    {
      because: "another protocol",
      bytes: "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
    },
    { because: "an invalid header name", bytes: "HTTP/1.1 200 OK\r\nbad name: 1\r\n\r\n" },
    { because: "an invalid header value", bytes: "HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n" },
    {
      because: "two lengths",
      bytes: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    },
    { because: "no HTTP", bytes: "220 smtp ready\r\n\r\n" },
    { because: "nothing", bytes: "" },
  ])("with $because is reported as 502 and ends nothing", async ({ bytes }) => {
    const { port } = await upstream(bytes);
    const { open } = await proxyTo([`localhost:${port}`]);

    const answer = await asked(open(), get(`localhost:${port}`));

    expect(answer).toMatch(/^HTTP\/1\.1 502 /u);
  });

  test("that breaks off ends the connection", async () => {
    const { port } = await upstream((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", () => {
        socket.resetAndDestroy();
      });
    });
    const { open } = await proxyTo([`localhost:${port}`]);

    const answer = await asked(open(), get(`localhost:${port}`)).catch(() => "broken");

    expect(answer).toMatch(/broken|half$/u);
  });

  test("with lengths of both kinds has one when it arrives", async () => {
    const { port } = await upstream(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    );
    const { open } = await proxyTo([`localhost:${port}`]);

    const answer = await asked(open(), get(`localhost:${port}`));

    expect(answer.match(/^(?:content-length|transfer-encoding): .*$/gimu)).toEqual([
      "Transfer-Encoding: chunked",
    ]);
  });
});

describe("a connection", () => {
  test.each(["GET", "CONNECT"])(
    "by %s to a host that does not answer is given up",
    async (method) => {
      const opened: Socket[] = [];
      const { open } = await proxyTo(["localhost:9"], {
        connectMs: 5,
        connect: () => {
          const socket = silent();
          opened.push(socket);
          return socket;
        },
        resolve: async () => ["127.0.0.1", "::1"],
      });
      const bytes = method === "GET" ? get("localhost:9") : "CONNECT localhost:9 HTTP/1.1\r\n\r\n";

      const answer = await asked(open(), bytes);

      expect(answer).toMatch(/^HTTP\/1\.1 502 /u);
      expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    },
  );

  test("goes to the next address where the first does not answer", async () => {
    const { port } = await upstream("HTTP/1.1 200 OK\r\n\r\nhello");
    const { open } = await proxyTo([`localhost:${port}`], {
      connectMs: 5000,
      connect: (address) => {
        if (address === "127.0.0.1") return connect({ host: address, port });
        const socket = silent();
        queueMicrotask(() => socket.destroy(new Error("unreachable")));
        return socket;
      },
      resolve: async () => ["::1", "127.0.0.1"],
    });

    expect(await asked(open(), get(`localhost:${port}`))).toContain("hello");
  });

  test.each([
    { because: "the resolver fails", resolve: async () => Promise.reject(new Error("SERVFAIL")) },
    {
      because: "the resolver never answers",
      resolve: async () => new Promise<never>(() => undefined),
    },
    { because: "there is none", resolve: async () => [] },
  ])("to a name without an address is refused: $because", async ({ resolve }) => {
    const { open, proxy } = await proxyTo(["localhost:9"], { resolve, connectMs: 5 });

    expect(await asked(open(), get("localhost:9"))).toMatch(/^HTTP\/1\.1 403 [^]*has no address/u);
    expect(proxy.takeRefusals()).toEqual([
      { host: "localhost", port: 9, reason: "localhost has no address." },
    ]);
  });

  test.each([
    ["127.0.0.1", "10.0.0.1"],
    ["10.0.0.1", "127.0.0.1"],
    ["127.0.0.1", "169.254.169.254", "127.0.0.2"],
  ])(
    "to a name of which one address is private is refused as a whole: %s, %s",
    async (...found) => {
      const opened: string[] = [];
      const { open } = await proxyTo(["localhost:9"], {
        resolve: async () => found,
        connect: (address) => {
          opened.push(address);
          return silent();
        },
        connectMs: 5,
      });

      for (const bytes of [get("localhost:9"), "CONNECT localhost:9 HTTP/1.1\r\n\r\n"]) {
        expect(await asked(open(), bytes)).toMatch(
          /^HTTP\/1\.1 403 [^]*leads to a private address/u,
        );
      }
      expect(opened).toEqual([]);
    },
  );

  test.each([
    "CONNECT nowhere",
    "CONNECT localhost:99999",
    "CONNECT :1",
    "GET /path",
    "GET ftp://localhost/",
  ])("that names no host is refused: %s", async (line) => {
    const { open } = await proxyTo(["localhost:9", "localhost:99999"]);

    expect(await asked(open(), `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /u,
    );
  });

  test("whose client goes while it is made leaves none open", async () => {
    const { port } = await upstream("");
    const opened: Socket[] = [];
    const resolved = Promise.withResolvers<readonly string[]>();
    const { open } = await proxyTo([`localhost:${port}`], {
      resolve: async () => await resolved.promise,
      connect: (host) => {
        const socket = connect({ host, port });
        opened.push(socket);
        return socket;
      },
    });
    const stream = open();
    stream.write(`CONNECT localhost:${port} HTTP/1.1\r\n\r\n`);
    await new Promise((done) => setImmediate(done));
    stream.destroy();
    resolved.resolve(["127.0.0.1"]);

    await expect.poll(() => opened.every(({ destroyed }) => destroyed)).toBe(true);
  });
});

test.each([
  { because: "a credit without a number", bytes: [0, 0, 0, 1, 3, 0, 0, 0, 0] },
  { because: "a credit that is too short", bytes: [0, 0, 0, 1, 3, 0, 0, 0, 1, 9] },
  { because: "more than a window", bytes: [0, 0, 0, 1, 0, 255, 255, 255, 255] },
])("a wire that brings $because is closed, and ends nothing", async ({ bytes }) => {
  const { proxy } = await proxyTo(["localhost:9"]);
  const wire = connect(proxy.socketPath);
  const closed = new Promise((done) => wire.once("close", done));
  wire.on("error", () => undefined);
  wire.resume();
  wire.write(Buffer.from([0, 0, 0, 1, 0, 0, 0, 0, 0, ...bytes]));

  await closed;
  expect(wire.destroyed).toBe(true);
});
