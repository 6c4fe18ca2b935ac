import type { IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";
import type { Tool } from "../../src/core/index.ts";
import {
  serveHttp,
  type HttpServer,
  type HttpToolkit,
  type ServeHttpOptions,
} from "../../src/server/index.ts";
import { openMemoryEventLog } from "../../src/session/index.ts";
import { frames, type Frame } from "./http.ts";
import { countingTool, testKit } from "./kit.ts";

/** Serves a kit with these tools, without its own. */
export async function serving(
  tools: readonly Tool[] = [],
  options: Partial<ServeHttpOptions> = {},
) {
  const { kit } = await testKit({ tools: { include: [] } });
  kit.registry.registerAll(tools);
  return { kit, server: await served(kit, options) };
}

/** Serves a kit until the test ends. */
export async function served(
  kit: HttpToolkit,
  options: Partial<ServeHttpOptions>,
): Promise<HttpServer> {
  const events = await openMemoryEventLog();
  kit.events.subscribe((event) => events.append(event));
  const server = await serveHttp(kit, { name: "test", version: "1.0.0", events, ...options });
  onTestFinished(async () => await server.close());
  return server;
}

/** A tool that default mode asks about. */
export const asking = () => countingTool("Risky");

/** A call of that tool. */
export const risky = { toolId: "Risky", arguments: {} };
/** A request with a body. */
export const post = (body: unknown, token?: string) => ({
  method: "POST",
  body,
  ...(token === undefined ? {} : { token }),
});

/** Next event of a name. */
export async function nextNamed(answer: IncomingMessage, name: string): Promise<Frame> {
  for await (const frame of frames(answer)) if (frame.name === name) return frame;
  throw new Error(`The stream ended without ${name}.`);
}
