// How much memory and disk one long session of the MCP server takes:
// `node bench/server-session.ts [--calls n] [-- command…]`. Prints the resident memory of the server and the size of its
// event log at ten checkpoints. Without a command it is `node bin/haft.cjs mcp`, so build first.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";

/** Requests on their way at once. */
const atOnce = 8;
const files = 200;
const checkpoints = 10;

export interface Checkpoint {
  readonly calls: number;
  /** Resident memory of the server. */
  readonly rssBytes: number;
  /** `events.db` with its side files. */
  readonly eventBytes: number;
  /** All of the data directory. */
  readonly dataBytes: number;
  /** Answers so far that were not errors. */
  readonly ok: number;
}

export interface SessionOptions {
  readonly calls: number;
  /** Starts the server, but for its options. */
  readonly command: readonly string[];
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
  const [program = "", ...words] = options.command;
  const server = spawn(
    program,
    [...words, "--no-settings", "--mode", "bypassPermissions", "--data-dir", data],
    { cwd: workspace, env: { PATH: process.env["PATH"], HOME: folder } },
  );
  try {
    return await drive(server, { ...options, data });
  } finally {
    server.stdin.end();
    await new Promise((resolve) => server.once("exit", resolve));
    await rm(folder, { recursive: true, force: true });
  }
}

async function drive(
  server: ChildProcessWithoutNullStreams,
  { calls, data, onCheckpoint }: SessionOptions & { readonly data: string },
): Promise<readonly Checkpoint[]> {
  const found: Checkpoint[] = [];
  const every = Math.max(1, Math.floor(calls / checkpoints));
  let sent = 0;
  let answered = 0;
  let ok = 0;
  const send = (message: object): void => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const sendNext = (): void => {
    if (sent >= calls) return;
    sent += 1;
    send({ id: sent, method: "tools/call", params: callNumber(sent) });
  };
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  send({ id: 0, method: "initialize", params });
  for (let first = 0; first < atOnce; first += 1) sendNext();
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, result } = JSON.parse(line);
    if (id === 0) continue;
    answered += 1;
    if (result !== undefined && result.isError !== true) ok += 1;
    if (answered % every === 0 && found.length < checkpoints) {
      const checkpoint = { calls: answered, ok, ...(await sizes(server.pid ?? 0, data)) };
      found.push(checkpoint);
      onCheckpoint?.(checkpoint);
    }
    if (answered === calls) break;
    sendNext();
  }
  return found;
}

/** The same call for the same number, so that two runs are the same session. */
function callNumber(number: number): { readonly name: string; readonly arguments: object } {
  const file = `f${(number * 7) % files}.txt`;
  const line = number % 100;
  if (number % 97 === 0)
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

if (import.meta.main) {
  const separator = process.argv.indexOf("--");
  const command =
    separator === -1
      ? [process.execPath, "bin/haft.cjs", "mcp"]
      : process.argv.slice(separator + 1);
  const at = process.argv.indexOf("--calls");
  const calls = at === -1 ? 100_000 : Number(process.argv[at + 1]);
  const start = performance.now();
  await serverSession({
    calls,
    command: command.map((word) => (word.endsWith("haft.cjs") ? path.resolve(word) : word)),
    onCheckpoint: ({ calls: done, ok, rssBytes, eventBytes, dataBytes }) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      process.stdout.write(
        `${done} calls (${ok} ok), ${seconds} s: memory ${mega(rssBytes)}, events.db ${mega(eventBytes)}, data directory ${mega(dataBytes)}\n`,
      );
    },
  });
}
