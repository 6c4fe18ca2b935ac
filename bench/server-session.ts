// How much memory and disk one long session of the MCP server takes:
// `node bench/server-session.ts [--calls n] [--bash-every n]`. Prints the memory of the server and the size of its event log
// at ten checkpoints. It runs `node bin/haft.cjs mcp`, so build first. Resident memory also counts what
// the allocators of Node keep for later; a leak shows in what is retained after a garbage collection.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { RetainedMemory } from "./report-memory.ts";

/** Requests on their way at once. */
const atOnce = 8;
const files = 200;
const checkpoints = 10;

export interface Checkpoint {
  readonly calls: number;
  /** Resident memory of the server. */
  readonly rssBytes: number;
  /** After a full garbage collection. */
  readonly retained: RetainedMemory;
  /** `events.db` with its side files. */
  readonly eventBytes: number;
  /** All of the data directory. */
  readonly dataBytes: number;
  /** Answers so far that were not errors. */
  readonly ok: number;
}

export interface SessionOptions {
  readonly calls: number;
  /** Starts the server with this program's Node: its script and arguments, without the options of the session. */
  readonly command: readonly string[];
  /** Every how many calls one is Bash. @default 97 */
  readonly bashEvery?: number;
  readonly onCheckpoint?: (checkpoint: Checkpoint) => void;
}

/** Makes calls of every kind, also wrong ones, through one server process in a folder of its own. */
export async function serverSession(options: SessionOptions): Promise<readonly Checkpoint[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "haft-session-"));
  const workspace = path.join(folder, "work");
  const data = path.join(folder, "data");
  await mkdir(workspace);
  const text = Array.from({ length: 100 }, (_, line) => `line ${line} of a file\n`).join("");
  for (let file = 0; file < files; file += 1) {
    await writeFile(path.join(workspace, `f${file}.txt`), text);
  }
  // The oldest supported Node reads TypeScript only with the flag.
  const flags = ["--no-warnings", "--experimental-strip-types"];
  const preload = [
    ...flags,
    "--import",
    fileURLToPath(new URL("report-memory.ts", import.meta.url)),
  ];
  const server = spawn(
    process.execPath,
    [
      ...preload,
      ...options.command,
      "--no-settings",
      "--mode",
      "bypassPermissions",
      "--data-dir",
      data,
    ],
    {
      cwd: workspace,
      env: { PATH: process.env["PATH"], HOME: folder },
      stdio: ["pipe", "pipe", "ignore", "ipc"],
    },
  );
  const { stdin, stdout } = server;
  if (stdin === null || stdout === null) throw new Error("The server has no pipes.");
  try {
    return await drive({ server, stdin, stdout }, { ...options, data });
  } finally {
    stdin.end();
    await new Promise((resolve) => server.once("exit", resolve));
    await rm(folder, { recursive: true, force: true });
  }
}

interface Pipes {
  readonly server: ChildProcess;
  readonly stdin: Writable;
  readonly stdout: Readable;
}

async function drive(
  { server, stdin, stdout }: Pipes,
  { calls, data, bashEvery = 97, onCheckpoint }: SessionOptions & { readonly data: string },
): Promise<readonly Checkpoint[]> {
  const found: Checkpoint[] = [];
  const every = Math.max(1, Math.floor(calls / checkpoints));
  let sent = 0;
  let answered = 0;
  let ok = 0;
  const send = (message: object): void => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const sendNext = (): void => {
    if (sent >= calls) return;
    sent += 1;
    send({ id: sent, method: "tools/call", params: callNumber(sent, bashEvery) });
  };
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  send({ id: 0, method: "initialize", params });
  for (let first = 0; first < atOnce; first += 1) sendNext();
  for await (const line of createInterface({ input: stdout })) {
    const { id, result } = JSON.parse(line);
    if (id === 0) continue;
    answered += 1;
    if (result !== undefined && result.isError !== true) ok += 1;
    if (answered % every === 0 && found.length < checkpoints) {
      const size = await sizes(server.pid ?? 0, data);
      const checkpoint = { calls: answered, ok, ...size, retained: await retainedBy(server) };
      found.push(checkpoint);
      onCheckpoint?.(checkpoint);
    }
    if (answered === calls) break;
    sendNext();
  }
  return found;
}

/** The same call for the same number, so that two runs are the same session. */
function callNumber(
  number: number,
  bashEvery: number,
): { readonly name: string; readonly arguments: object } {
  const file = `f${(number * 7) % files}.txt`;
  const line = number % 100;
  if (number % bashEvery === 0)
    return { name: "Bash", arguments: { command: `echo ${number} > ${file}.out` } };
  if (number % 89 === 0)
    return { name: "Grep", arguments: { pattern: `line ${line} of`, path: file } };
  switch (number % 10) {
    case 0:
    case 1:
    case 2:
      return { name: "Read", arguments: { file_path: file, offset: (number % 90) + 1, limit: 10 } };
    case 3:
    case 4:
      return {
        name: "Edit",
        arguments: {
          file_path: file,
          old_string: `line ${line} of a file\n`,
          new_string: `line ${line} of a file\n\n`,
        },
      };
    case 5:
      return {
        name: "Write",
        arguments: { file_path: `new/${number % 500}.txt`, content: `${number}\n`.repeat(50) },
      };
    case 6:
      return { name: "Glob", arguments: { pattern: `f${number % 20}*.txt` } };
    case 7:
      return { name: "ListDir", arguments: { path: "." } };
    case 8:
      return { name: "Read", arguments: { file_path: `missing-${number}.txt` } };
    default:
      return { name: `Nothing${number}`, arguments: { number } };
  }
}

async function retainedBy(server: ChildProcess): Promise<RetainedMemory> {
  const answer = once(server, "message");
  server.send("retained");
  const [retained] = await answer;
  return retained;
}

async function sizes(
  pid: number,
  data: string,
): Promise<Pick<Checkpoint, "rssBytes" | "eventBytes" | "dataBytes">> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const rssBytes = Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1] ?? 0) * 1024;
  let eventBytes = 0;
  let dataBytes = 0;
  for (const name of await readdir(data, { recursive: true })) {
    const stats = await stat(path.join(data, name)).catch(() => undefined);
    if (stats?.isFile() !== true) continue;
    dataBytes += stats.size;
    if (name.startsWith("events.db")) eventBytes += stats.size;
  }
  return { rssBytes, eventBytes, dataBytes };
}

function mega(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function numberAfter(option: string): number | undefined {
  const at = process.argv.indexOf(option);
  return at === -1 ? undefined : Number(process.argv[at + 1]);
}

if (import.meta.main) {
  const bashEvery = numberAfter("--bash-every");
  const start = performance.now();
  await serverSession({
    calls: numberAfter("--calls") ?? 100_000,
    ...(bashEvery === undefined ? {} : { bashEvery }),
    command: [path.resolve("bin/haft.cjs"), "mcp"],
    onCheckpoint: ({ calls, ok, rssBytes, retained, eventBytes, dataBytes }) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      const { heapUsedBytes, externalBytes, resources } = retained;
      process.stdout.write(
        `${calls} calls (${ok} ok), ${seconds} s: resident ${mega(rssBytes)}, retained ${mega(heapUsedBytes)} of heap and ${mega(externalBytes)} outside it, ${resources} resources; events.db ${mega(eventBytes)}, data directory ${mega(dataBytes)}\n`,
      );
    },
  });
}
