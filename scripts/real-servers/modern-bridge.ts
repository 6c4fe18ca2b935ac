// Serves the tools of a server of the earlier era in the newer one: `node modern-bridge.ts command…`. It asks the server
// once, answers discovery itself, and passes lists and calls on unchanged; a tool that must run as a task runs as one.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [program = "", ...args] = process.argv.slice(2);
const server = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map<number, (answer: Message) => void>();
let lastId = 0;

type Message = Readonly<Record<string, unknown>>;

createInterface({ input: server.stdout }).on("line", (line) => {
  const message = messageOf(line);
  const { id } = message;
  if (typeof id !== "number" || "method" in message) return;
  waiting.get(id)?.(message);
  waiting.delete(id);
});
server.on("close", () => process.exit(0));

await ask("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "bridge", version: "1.0.0" },
});
send(server.stdin, { jsonrpc: "2.0", method: "notifications/initialized" });

const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  const message = messageOf(line);
  if ("id" in message && typeof message["method"] === "string") void answer(message);
});
input.on("close", () => server.stdin.end());

async function answer({ id, method, params }: Message): Promise<void> {
  if (method === "server/discover") {
    respond(id, {
      result: {
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: "private",
      },
    });
  } else if (method === "tools/list" || method === "tools/call") {
    const { _meta: ofEra, ...rest } = record(params);
    void ofEra;
    const answered = await ask(method, rest);
    // The refusal is an error of the protocol, or of the tool, as the SDK has it.
    const isTask =
      method === "tools/call" && /requires task augmentation/u.test(JSON.stringify(answered));
    respond(id, isTask ? await askAsTask(rest) : answered, method === "tools/list");
  } else {
    respond(id, { error: { code: -32_601, message: "The bridge has tools only." } });
  }
}

/** Starts a call as a task of the earlier era, and waits for its result. */
async function askAsTask(params: Message): Promise<Message> {
  const started = await ask("tools/call", { ...params, task: { ttl: 60_000 } });
  const { taskId } = record(record(started["result"])["task"]);
  return taskId === undefined ? started : await ask("tasks/result", { taskId });
}

function respond(id: unknown, { result, error }: Message, isList = false): void {
  const sealed = {
    resultType: "complete",
    ...(isList ? { ttlMs: 0, cacheScope: "private" } : {}),
    ...record(result),
  };
  send(process.stdout, {
    jsonrpc: "2.0",
    id,
    ...(error === undefined ? { result: sealed } : { error }),
  });
}

async function ask(method: string, params: Message): Promise<Message> {
  lastId += 1;
  const id = lastId;
  const { promise, resolve } = Promise.withResolvers<Message>();
  waiting.set(id, resolve);
  send(server.stdin, { jsonrpc: "2.0", id, method, params });
  return await promise;
}

function send(stream: NodeJS.WritableStream, message: Message): void {
  stream.write(`${JSON.stringify(message)}\n`);
}

function messageOf(line: string): Message {
  return line.trim() === "" ? {} : record(JSON.parse(line));
}

function record(value: unknown): Message {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
