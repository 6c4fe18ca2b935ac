import { expect } from "vitest";
import type { Outcome } from "../../../src/index.ts";
import type { Script } from "./scripted-server.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

/** A tool of a scripted server. */
export const tool = { name: "t", description: "A tool.", inputSchema: { type: "object" } };
/** Rules that allow every tool of the server. */
export const rules = { allow: ["mcp__s"] };

/** Calls the tool of a server that behaves like this, and expects that the session still works. */
export async function callServer(
  script: Script,
  entry: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly outcome: Outcome; readonly records: readonly string[] }> {
  await using world = serverWorld();
  const { record } = world;
  const server = { ...serverEntry({ tools: [tool], record, ...script }), ...entry };
  const kit = await world.open({ s: server }, { rules });
  const outcome = await kit.call({ name: "mcp__s__t", input: {} });
  const read = await kit.call({ name: "ListDir", input: {} });
  expect(read.status).toBe("ok");
  return { outcome, records: world.records() };
}
