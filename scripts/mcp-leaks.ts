// Checks that MCP leaves nothing behind: `npm run mcp-leaks -- [sessions] [seed]`. A third of the sessions uses
// `haft mcp`, a third `haft mcp --http`, a third one pool of servers of this process. Each calls a tool of a server,
// whose program or whose haft is killed with SIGKILL at a random moment, and the next call must work again. Processes
// are found through a variable in their environment, not by their names. Needs a build and Linux.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "./seeded-random.ts";

const [wanted = "200", given = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2);
const sessions = Number(wanted);
const random = seededRandom(Number(given));
const variable = "HAFT_LEAKS_MARK";
const mark = `leaks-${process.pid}-${given}`;
const root = await realpath(await mkdtemp(path.join(tmpdir(), "mcp-leaks-")));
const [workspace = "", home = "", temporary = ""] = ["project", "home", "tmp"].map((name) => {
  const directory = path.join(root, name);
  mkdirSync(directory);
  return directory;
});
const acts = { hang: "never", die: "kill" };
const tool = (name: string) => ({ name, description: "A.", inputSchema: { type: "object" } });
const greeting = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "leaks", version: "1.0.0" },
};
const serverFile = path.resolve("test/mcp/client/scripted-server.ts");
/** Entry of the server. A server does not get the environment of its haft, so its mark is given to it. */
const entry = (own: string) => ({
  command: process.execPath,
  args: [serverFile, JSON.stringify({ tools: [tool("answer"), tool("hang"), tool("die")], acts })],
  env: { [variable]: own },
});
const served = `${mark}-served`;
const pooled = `${mark}-pool`;
writeFileSync(
  path.join(workspace, ".mcp.json"),
  JSON.stringify({ mcpServers: { s: entry(served) } }),
);
// Those that this process starts itself have the mark and the directory too.
Object.assign(process.env, {
  TMPDIR: temporary,
  HOME: home,
  NODE_COMPILE_CACHE: path.join(root, "compiled"),
  [variable]: pooled,
});
const { createToolkit } = await import("../src/index.ts");

/** Maximum number of files that are named. */
const maxShown = 20;
/** Moments at which a process is killed. */
const moments = ["starting", "hanging", "answered", "dying", "ended"] as const;
type Moment = (typeof moments)[number];
type Victim = "haft" | "server";

interface Session {
  readonly number: number;
  readonly moment: Moment;
  readonly victim: Victim;
  readonly delayMs: number;
}

/** A client of one haft: sends calls, and ends it. */
interface Client {
  /** Whether the call succeeded; undefined if no answer came because haft ended. */
  call(name: string): Promise<boolean | undefined>;
  kill(): void;
  end(): Promise<void>;
}

const kit = await createToolkit({
  workspace,
  dataDirectory: path.join(root, "pool-data"),
  settings: { mcpServers: { s: entry(pooled) } },
  rules: { allow: ["mcp__s"] },
});
const openers = [overStdio, overHttp, inPool];
const problems: string[] = [];
/** The latest answer that was a failure. */
let lastFailure = "";
const counts = { answered: 0, again: 0, haft: 0, server: 0 };
for (let number = 0; number < sessions; number += 1) {
  const moment = moments[Math.floor(random() * moments.length)] ?? "ended";
  const victim = random() < 0.5 ? "haft" : "server";
  await run({ number, moment, victim, delayMs: Math.floor(random() * 150) });
}
await kit.dispose();
// The next haft removes the directories of one that was killed.
await run({ number: 0, moment: "answered", victim: "server", delayMs: 0 });

let left = marked(mark);
for (let tries = 0; tries < 100 && left.length > 0; tries += 1) {
  await delay(100);
  left = marked(mark);
}
for (const pid of left) problems.push(`process ${pid} is left: ${commandOf(pid)}`);
for (const each of files(temporary)) problems.push(`left in the temporary directory: ${each}`);
for (const pid of left) process.kill(pid, "SIGKILL");
process.stdout.write(
  `${problems.map((each) => `${each}\n`).join("")}seed ${given}: ${sessions} sessions, ${counts.answered} first calls and ` +
    `${counts.again} calls after a kill answered, kill -9 of ${counts.server} servers and ${counts.haft} hafts; ` +
    `${left.length} processes left, ${problems.length} problems\n`,
);
await rm(root, { recursive: true, force: true });
process.exitCode = problems.length === 0 ? 0 : 1;

async function run(session: Session): Promise<void> {
  const { number, moment, victim, delayMs } = session;
  const open = openers[number % openers.length] ?? inPool;
  // The pool is this process, which must live.
  const kills = open === inPool ? "server" : victim;
  const own = open === inPool ? pooled : served;
  const client = await open(number);
  const kill = async (): Promise<void> => {
    if (kills === "haft") {
      client.kill();
      counts.haft += 1;
      return;
    }
    // One session at a time, so the servers with its mark are its own.
    const pids = marked(own).filter((pid) => commandOf(pid).includes(serverFile));
    for (const pid of pids) process.kill(pid, "SIGKILL");
    if (pids.length > 0) counts.server += 1;
    else if (moment !== "starting") problems.push(`session ${number}: no server was found`);
  };
  if (moment === "starting") {
    const first = client.call("answer");
    await delay(delayMs);
    await kill();
    await first;
  } else {
    if ((await client.call("answer")) === true) counts.answered += 1;
    else problems.push(`session ${number}: the first call failed`);
    if (moment === "hanging") {
      const hanging = client.call("hang");
      await delay(delayMs);
      await kill();
      await hanging;
    } else if (moment === "dying") {
      if ((await client.call("die")) !== false)
        problems.push(`session ${number}: a killed server answered`);
      counts.server += 1;
    } else if (moment === "answered") await kill();
  }
  if (kills === "server" || moment === "dying" || moment === "ended") {
    // A call that was sent before haft saw the end of its server fails, and is not repeated by haft. A server that could
    // not start is not started again at once.
    const isAnswered =
      (await client.call("answer")) === true || (await client.call("answer")) === true;
    if (isAnswered) counts.again += 1;
    else if (moment !== "starting") {
      problems.push(`session ${number}: no answer after ${moment}: ${lastFailure}`);
    }
  }
  if (moment === "ended" && kills === "haft") await kill();
  await client.end();
}

async function overStdio(): Promise<Client> {
  const child = startHaft(["mcp"]);
  const closed = once(child, "close");
  const answers = answersOf(child);
  let id = 1;
  send(child, { ...request(1, "initialize", greeting) });
  send(child, { jsonrpc: "2.0", method: "notifications/initialized" });
  return {
    async call(name) {
      id += 1;
      const answer = answers.get(id);
      send(child, request(id, "tools/call", { name: `mcp__s__${name}`, arguments: {} }));
      return succeeded(await answer);
    },
    kill: () => void child.kill("SIGKILL"),
    async end() {
      child.stdin?.end();
      await closed;
    },
  };
}

async function overHttp(): Promise<Client> {
  const child = startHaft(["mcp", "--http", "--json"]);
  const closed = once(child, "close");
  const address = await Promise.race([addressOf(child), closed.then(() => undefined)]);
  if (address === undefined) throw new Error("haft mcp --http printed no address.");
  const headers: Record<string, string> = {
    authorization: `Bearer ${address.token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const post = async (message: object): Promise<Answer | undefined> => {
    try {
      const response = await fetch(address.url, {
        method: "POST",
        headers,
        body: JSON.stringify(message),
      });
      const session = response.headers.get("mcp-session-id");
      if (session !== null) headers["mcp-session-id"] = session;
      return lastMessage(await response.text());
    } catch {
      return undefined;
    }
  };
  await post(request(1, "initialize", greeting));
  await post({ jsonrpc: "2.0", method: "notifications/initialized" });
  let id = 1;
  return {
    async call(name) {
      id += 1;
      return succeeded(
        await post(request(id, "tools/call", { name: `mcp__s__${name}`, arguments: {} })),
      );
    },
    kill: () => void child.kill("SIGKILL"),
    async end() {
      child.kill("SIGTERM");
      await closed;
    },
  };
}

async function inPool(number: number): Promise<Client> {
  return {
    async call(name) {
      const call = { name: `mcp__s__${name}`, input: {} };
      const { status } = await kit.call(call, { sessionId: `session-${number}` });
      return status === "ok";
    },
    kill: () => undefined,
    end: async () => undefined,
  };
}

function startHaft(words: readonly string[]): ChildProcess {
  const options = ["--trust", "--allow", "mcp__s", "--data-dir", path.join(root, "data")];
  const child = spawn(process.execPath, [path.resolve("bin/haft.cjs"), ...words, ...options], {
    stdio: ["pipe", "pipe", "ignore"],
    cwd: workspace,
    env: { ...process.env, [variable]: `${mark}-haft` },
  });
  child.stdin?.on("error", () => undefined);
  return child;
}

/** Promises of the answers to requests, by id; undefined once the process has ended. */
function answersOf(child: ChildProcess): { get(id: number): Promise<Answer | undefined> } {
  const waiting = new Map<number, (answer: Answer | undefined) => void>();
  let hasEnded = false;
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    text += part;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      const message: Answer = JSON.parse(line);
      if (message.id !== undefined) waiting.get(message.id)?.(message);
    }
  });
  child.on("close", () => {
    hasEnded = true;
    for (const end of waiting.values()) end(undefined);
  });
  return {
    get: async (id) =>
      await new Promise((resolve) => {
        if (hasEnded) resolve(undefined);
        else waiting.set(id, resolve);
      }),
  };
}

async function addressOf(
  child: ChildProcess,
): Promise<{ readonly url: string; readonly token: string }> {
  let text = "";
  for await (const part of child.stdout ?? []) {
    text += String(part);
    if (text.includes("}")) break;
  }
  const address: { url: string; token: string } = JSON.parse(text);
  return address;
}

/** The part of an answer that this script reads. */
interface Answer {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean };
}

/** The message of a body, which is JSON or a stream of events whose last one is the answer. */
function lastMessage(body: string): Answer | undefined {
  const line = body.split("\n").findLast((each) => each.startsWith("data:"));
  const text = line === undefined ? body : line.slice("data:".length);
  if (text.trim() === "") return undefined;
  const answer: Answer = JSON.parse(text);
  return answer;
}

function succeeded(answer: Answer | undefined): boolean | undefined {
  if (answer === undefined) return undefined;
  const isRight = answer.result !== undefined && answer.result.isError !== true;
  lastFailure = isRight ? "" : JSON.stringify(answer).slice(0, 500);
  return isRight;
}

function send(child: ChildProcess, message: object): void {
  child.stdin?.write(`${JSON.stringify(message)}\n`);
}

function request(id: number, method: string, params: object): object {
  return { jsonrpc: "2.0", id, method, params };
}

/** Processes with a mark in their environment, this one excluded. */
function marked(wantedMark: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const environment = read(`/proc/${pid}/environ`).split("\0");
      return environment.some((each) =>
        wantedMark === mark
          ? each.startsWith(`${variable}=${mark}`)
          : each === `${variable}=${wantedMark}`,
      );
    })
    .map(Number);
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
}

/** Content of a file; empty if it is gone, as that of a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function files(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true }).map(String).slice(0, maxShown);
}
