// Tasks of a server that is killed, as the next server answers for them: real processes, both transports, both eras.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { typeScriptFlags } from "../support/from-source.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { metaKeys } from "../../src/mcp/server/protocol/versions.ts";

type Fields = Readonly<Record<string, unknown>>;
type Era = "2025-11-25" | "2026-07-28";
type Transport = "stdio" | "http";

interface Message {
  readonly id?: number;
  readonly result?: Fields;
  readonly error?: unknown;
}

/** A server as a process of its own. */
interface Server {
  ask(method: string, params: Fields): Promise<Fields>;
  /** Kills it outright, and waits until it is gone. */
  kill(): Promise<void>;
}

const folderOf = temporaryFolder("killed");
const modernMeta = {
  [metaKeys.protocolVersion]: "2026-07-28",
  [metaKeys.clientCapabilities]: { extensions: { "io.modelcontextprotocol/tasks": {} } },
};
const cases = (["stdio", "http"] as const).flatMap((transport) =>
  (["2025-11-25", "2026-07-28"] as const).map((era) => ({ transport, era })),
);

test.for(cases)(
  "$era over $transport: after kill -9 the next server has the state of a command and of an agent",
  { timeout: 120_000 },
  async ({ transport, era }) => {
    const folder = folderOf(`${transport}-${era}`);
    await mkdir(path.join(folder, "work"), { recursive: true });
    const killed = await start(folder, transport, era);
    const command = await asTask(killed, era, {
      name: "Bash",
      arguments: { command: waits, run_in_background: true },
    });
    const agent = await asTask(killed, era, { name: "Agent", arguments: { prompt: "Work." } });
    await expect
      .poll(async () => await storedTask(folder, command), { timeout: 30_000 })
      .toMatchObject({ record: { inBackground: true } });
    await expect
      .poll(async () => await textOf(folder, "work/lines"), { timeout: 30_000 })
      .toBe("started\n");

    await killed.kill();
    const next = await start(folder, transport, era);
    const running = await next.ask("tasks/get", { taskId: command });
    const lost = await next.ask("tasks/get", { taskId: agent });
    await writeFile(path.join(folder, "work/go"), "");
    const result = await resultOf(next, era, command);

    expect(running).toMatchObject({ taskId: command, status: "working" });
    expect(lost).toMatchObject({
      taskId: agent,
      status: "failed",
      statusMessage: "The server ended before the call did.",
    });
    expect(result).toMatchObject({
      isError: false,
      content: [{ text: expect.stringContaining("exit code 0") }],
    });
    expect(await textOf(folder, "work/lines")).toBe("started\nfinished\n");
  },
);

/** A command that ends when it may. It prints nothing: what it prints goes to the server that is killed. */
const waits = "echo started >> lines; until [ -e go ]; do sleep 0.05; done; echo finished >> lines";

async function textOf(folder: string, file: string): Promise<string> {
  return await readFile(path.join(folder, file), "utf8").catch(() => "");
}

async function storedTask(folder: string, id: string): Promise<unknown> {
  const text = await textOf(folder, `data/mcp-tasks/${id}.json`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Calls a tool as a task, and returns its id. */
async function asTask(server: Server, era: Era, call: Fields): Promise<string> {
  if (era === "2026-07-28") return String((await server.ask("tools/call", call))["taskId"]);
  const { task } = await server.ask("tools/call", { ...call, task: {} });
  return String((task as Fields)["taskId"]);
}

/** Waits for the result of a task. */
async function resultOf(server: Server, era: Era, taskId: string): Promise<Fields> {
  if (era === "2025-11-25") return await server.ask("tasks/result", { taskId });
  await expect
    .poll(async () => (await server.ask("tasks/get", { taskId }))["status"], { timeout: 30_000 })
    .toBe("completed");
  return (await server.ask("tasks/get", { taskId }))["result"] as Fields;
}

async function start(folder: string, transport: Transport, era: Era): Promise<Server> {
  const file = path.join(import.meta.dirname, "killed-server.ts");
  const child = spawn(process.execPath, [...typeScriptFlags, file, folder, transport], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, HOME: folder },
  });
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
  return async (message) => {
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return await new Promise((resolve) => waiting.set(message.id, resolve));
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
