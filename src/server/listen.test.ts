import { once } from "node:events";
import { connect } from "node:net";
import { finished } from "node:stream/promises";
import { expect, onTestFinished, test } from "vitest";
import { fetched, opened } from "../../test/support/http.ts";
import { gate } from "../../test/support/kit.ts";
import { listen, type HandleRequest, type Listener } from "./listen.ts";
import { BodyBudget, readBody } from "./read-body.ts";
import { sendJson } from "./reply.ts";

const token = "";
const small = { maxConnections: 2, maxUnreadBytes: 1000 };
/** More than the system holds for a connection. */
const manyBytes = 64 * 1024 * 1024;

async function listening(handle: HandleRequest): Promise<Listener> {
  const listener = await listen(0, handle, small);
  onTestFinished(async () => await listener.close());
  return listener;
}

const post = (body: string) => ({ method: "POST", body });

test("no request is accepted while answers are not read, and one is when they were", async () => {
  const listener = await listening(async (request, response) => {
    if (request.url === "/long") response.end(Buffer.alloc(manyBytes, " "));
    else sendJson(response, 200, {});
  });
  const server = { ...listener, token };
  const { answer } = await opened(server, "/long");

  const refused = await fetched(server, "/");
  const room = listener.room();
  await finished(answer.resume());
  await room;
  const accepted = await fetched(server, "/");

  expect(room).toBeInstanceOf(Promise);
  expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  expect(refused.json).toMatchObject({ success: false, error: { code: "LIMIT_REACHED" } });
  expect(accepted.status).toBe(200);
  expect(listener.room()).toBeUndefined();
});

test("there is room again when a client that does not read is gone", async () => {
  const listener = await listening(async (_request, response) => {
    response.end(Buffer.alloc(manyBytes, " "));
  });
  const { request } = await opened({ ...listener, token }, "/");
  const room = listener.room();

  request.destroy();

  await expect(room).resolves.toBeUndefined();
});

test("a connection beyond the limit is closed", async () => {
  const { port } = await listening(async () => undefined);
  const sockets = Array.from({ length: 2 }, () => connect(port, "127.0.0.1"));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map(async (socket) => await once(socket, "connect")));

  const third = connect(port, "127.0.0.1").resume();

  await once(third, "close");
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false]);
});

test("bodies that are handled are limited together, and a refused one holds nothing", async () => {
  const budget = new BodyBudget(1000);
  const held = gate();
  const release = gate();
  const listener = await listening(async (request, response) => {
    const body = await readBody(request, 1000, budget);
    if (request.url === "/wait") {
      held.open();
      await release.passed;
    }
    body.release();
    body.release();
    sendJson(response, 200, {});
  });
  const server = { ...listener, token };
  const waiting = fetched(server, "/wait", post("x".repeat(600)));
  await held.passed;

  const refused = await fetched(server, "/", post("x".repeat(600)));
  const fitting = await fetched(server, "/", post("x".repeat(400)));
  release.open();
  await waiting;
  const whole = await fetched(server, "/", post("x".repeat(1000)));

  expect(refused.json).toMatchObject({ success: false, error: { code: "LIMIT_REACHED" } });
  expect([refused, fitting, whole].map(({ status }) => status)).toEqual([503, 200, 200]);
});
