// A server as a process of its own, which a test may kill.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { typeScriptFlags } from "../support/from-source.ts";
import { metaKeys } from "../../src/mcp/server/protocol/versions.ts";

export type Fields = Readonly<Record<string, unknown>>;
export type Era = "2025-11-25" | "2026-07-28";
export type Transport = "stdio" | "http";
/** Point in the start of a background command at which the server stops. */
export type StopPoint = "before-record" | "after-record";

interface Message {
  readonly id?: number;
  readonly result?: Fields;
  readonly error?: unknown;
}

/** A server as a process of its own. */
export interface Server {
  ask(method: string, params: Fields): Promise<Fields>;
  /** Kills it outright, and waits until it is gone. */
  kill(): Promise<void>;
}

const modernMeta = {
  [metaKeys.protocolVersion]: "2026-07-28",
  [metaKeys.clientCapabilities]: { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

/** Starts `killed-server.ts`, which stops at a point if one is named. */
export async function startServer(
  folder: string,
  {
    transport,
    era,
    stopsAt,
  }: { readonly transport: Transport; readonly era: Era; readonly stopsAt?: StopPoint },
): Promise<Server> {
  const file = path.join(import.meta.dirname, "killed-server.ts");
  const child = spawn(
    process.execPath,
    [...typeScriptFlags, file, folder, transport, stopsAt ?? ""],
    {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, HOME: folder },
    },
  );
  const closed = once(child, "close");
  onTestFinished(() => void child.kill("SIGKILL"));
  const exchange = transport === "http" ? await overHttp(child, era) : overStdio(child);
  let lastId = 0;
  const ask = async (method: string, params: Fields): Promise<Fields> => {
    const meta = era === "2026-07-28" ? { _meta: modernMeta } : {};
    const id = (lastId += 1);
    const message = { jsonrpc: "2.0", id, method, params: { ...params, ...meta } };
    const { result, error } = await exchange(message);
    if (result === undefined) throw new Error(`${method} failed: ${JSON.stringify(error)}`);
    return result;
  };
  if (era === "2025-11-25") {
    await ask("initialize", {
      protocolVersion: era,
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    });
  }
  return {
    ask,
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

type Child = ChildProcessByStdio<Writable, Readable, null>;
type Exchange = (message: {
  readonly id: number;
  readonly method: string;
  readonly params: Fields;
}) => Promise<Message>;

function overStdio(child: Child): Exchange {
  const waiting = new Map<number | undefined, (message: Message) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message: Message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const gone = once(child, "close").then((): Message => ({ error: "The server has ended." }));
  return async (message) => {
    const answer = new Promise<Message>((resolve) => waiting.set(message.id, resolve));
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return await Promise.race([answer, gone]);
  };
}

async function overHttp(child: Child, era: Era): Promise<Exchange> {
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url, token }: { url: string; token: string } = JSON.parse(line);
  let session: string | undefined;
  return async (message) => {
    const { name, taskId } = message.params;
    const about = typeof taskId === "string" ? taskId : name;
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": era,
        "mcp-method": message.method,
        "mcp-name": typeof about === "string" ? about : "",
        ...(session === undefined ? {} : { "mcp-session-id": session }),
      },
      body: JSON.stringify(message),
    });
    session ??= response.headers.get("mcp-session-id") ?? undefined;
    const body = await response.text();
    const data = body.split("\n").findLast((each) => each.startsWith("data:"));
    const answer: Message = JSON.parse(data === undefined ? body : data.slice("data:".length));
    return answer;
  };
}
