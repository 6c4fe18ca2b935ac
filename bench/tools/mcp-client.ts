import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { textOf } from "./load-peer.ts";

export interface McpPeer {
  readonly pid: number | undefined;
  call(name: string, input: object): Promise<string>;
  close(): Promise<void>;
}

/** A server over standard streams, called as any client would. */
export async function startMcpPeer(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<McpPeer> {
  const child = spawn(command[0] ?? "", command.slice(1), {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, ...environment },
  });
  const waiting = new Map<number, (message: { result?: unknown; error?: unknown }) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as { id?: number; result?: unknown };
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let last = 0;
  const request = async (method: string, params: object): Promise<unknown> => {
    const id = (last += 1);
    const answered = new Promise<{ result?: unknown; error?: unknown }>((resolve) => {
      waiting.set(id, resolve);
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { result, error } = await answered;
    waiting.delete(id);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    return result;
  };
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  return {
    pid: child.pid,
    call: async (name, input) => textOf(await request("tools/call", { name, arguments: input })),
    async close() {
      child.kill();
      await new Promise((resolve) => {
        child.once("close", resolve);
      });
    },
  };
}
