import type { HaftEvent } from "../../src/core/index.ts";
import type { ToolkitOptions } from "../../src/kit/index.ts";
import { testKit } from "../support/kit.ts";

export const write = { name: "Write", arguments: { file_path: "a.txt", content: "hi\n" } };
export const elicitation = { elicitation: {} };

export const once = { action: "accept", content: { decision: "Allow once" } };
export const session = { action: "accept", content: { decision: "Allow for this session" } };
export const deny = { action: "accept", content: { decision: "Deny", reason: " not there " } };

/** A real toolkit, and whether a.txt is there. */
export async function approvalWorld(options: ToolkitOptions = {}) {
  const events: HaftEvent[] = [];
  const { kit, host } = await testKit({ ...options, onEvent: (event) => events.push(event) });
  const isWritten = async (): Promise<boolean> =>
    await host.fs.stat("/project/a.txt").then(
      () => true,
      () => false,
    );
  return { kit, host, isWritten, events };
}
