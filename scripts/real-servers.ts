// Calls every tool of two published servers through haft's client: over standard streams, over both transports of HTTP,
// and in the newer era through a bridge, as these servers speak only the earlier one: `node scripts/real-servers.ts`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit, type Kit } from "../src/index.ts";
import { commandFile, installOnDemand } from "./install-on-demand.ts";

const version = "2026.8.31";
const everything = await commandFile(
  await installOnDemand({ name: "@modelcontextprotocol/server-everything", version }),
  "mcp-server-everything",
);
const filesystem = await commandFile(
  await installOnDemand({ name: "@modelcontextprotocol/server-filesystem", version }),
  "mcp-server-filesystem",
);
const bridge = path.resolve("scripts/real-servers/modern-bridge.ts");

const root = await realpath(await mkdtemp(path.join(tmpdir(), "haft-real-servers-")));
const workspace = path.join(root, "project");
const file = (name: string): string => path.join(workspace, name);
/** The smallest picture that is one: a GIF of one pixel. */
const pixel = Buffer.from("R0lGODlhAQABAAAAACw=", "base64");

type Input = Readonly<Record<string, unknown>>;

/** An input for each tool, in an order in which each works; a tool that is not here makes the check fail. */
const everythingInputs: Readonly<Record<string, Input>> = {
  echo: { message: "hello" },
  "get-annotated-message": { messageType: "error", includeImage: true },
  "get-env": {},
  "get-resource-links": { count: 3 },
  "get-resource-reference": { resourceType: "Blob", resourceId: 1 },
  "get-roots-list": {},
  "get-structured-content": { location: "Chicago" },
  "get-sum": { a: 2, b: 3 },
  "get-tiny-image": {},
  "gzip-file-as-resource": {
    name: "a.txt.gz",
    data: "data:text/plain,hello",
    outputType: "resource",
  },
  "simulate-research-query": { topic: "tools" },
  "toggle-simulated-logging": {},
  "toggle-subscriber-updates": {},
  "trigger-elicitation-request": {},
  "trigger-long-running-operation": { duration: 1, steps: 4 },
};
const filesystemInputs: Readonly<Record<string, Input>> = {
  list_allowed_directories: {},
  create_directory: { path: file("sub") },
  write_file: { path: file("a.txt"), content: "one\ntwo\nthree\n" },
  edit_file: { path: file("a.txt"), edits: [{ oldText: "two", newText: "2" }] },
  read_file: { path: file("a.txt") },
  read_text_file: { path: file("a.txt"), head: 2 },
  read_media_file: { path: file("pixel.gif") },
  read_multiple_files: { paths: [file("a.txt"), file("pixel.gif")] },
  list_directory: { path: workspace },
  list_directory_with_sizes: { path: workspace, sortBy: "size" },
  directory_tree: { path: workspace },
  search_files: { path: workspace, pattern: "**/*.txt" },
  get_file_info: { path: file("a.txt") },
  move_file: { source: file("a.txt"), destination: file("sub/b.txt") },
};

const node = process.execPath;
const port = await freePort();
const subjects = [
  { name: "everything, stdio", entry: stdio(everything, "stdio"), inputs: everythingInputs },
  {
    name: "everything, streamable HTTP",
    entry: { type: "http", url: `http://127.0.0.1:${port}/mcp` },
    listener: "streamableHttp",
    inputs: everythingInputs,
  },
  {
    name: "everything, SSE",
    entry: { type: "sse", url: `http://127.0.0.1:${port}/sse` },
    listener: "sse",
    inputs: everythingInputs,
  },
  {
    name: "everything, newer era",
    entry: stdio(bridge, node, everything, "stdio"),
    inputs: everythingInputs,
    isModern: true,
  },
  { name: "filesystem, stdio", entry: stdio(filesystem, workspace), inputs: filesystemInputs },
  {
    name: "filesystem, newer era",
    entry: stdio(bridge, node, filesystem, workspace),
    inputs: filesystemInputs,
    isModern: true,
  },
] as const;

let failures = 0;
try {
  for (const subject of subjects) {
    await rm(workspace, { recursive: true, force: true });
    await mkdir(workspace, { recursive: true });
    await writeFile(file("pixel.gif"), pixel);
    const stop = "listener" in subject ? await listen(subject.listener) : async () => undefined;
    const kit = await createToolkit({
      workspace,
      dataDirectory: path.join(root, `data-${subject.name.replaceAll(/\W+/gu, "-")}`),
      sessions: "none",
      sandbox: { require: "off" },
      settings: { mcpServers: { real: subject.entry } },
      rules: { allow: ["mcp__real"] },
      onAsk: async () => ({ kind: "answer", choices: ["Decline"] }),
    });
    try {
      failures += await callAll(kit, subject);
    } finally {
      await kit.dispose();
      await stop();
    }
  }
} finally {
  await rm(root, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

/** Calls every tool that the server lists, and returns how many calls failed. */
async function callAll(
  kit: Kit,
  subject: {
    readonly name: string;
    readonly inputs: Readonly<Record<string, Input>>;
    readonly isModern?: boolean;
  },
): Promise<number> {
  const { protocol } = await kit.mcp.check("real");
  const listed = new Set((await kit.mcp.tools("real")).map((tool) => tool.name));
  const unknown = [...listed].filter((name) => !(name in subject.inputs));
  const failed: string[] = unknown.map((name) => `${name}: no input is known for it`);
  let called = 0;
  for (const [name, input] of Object.entries(subject.inputs)) {
    if (!listed.has(name)) continue;
    called += 1;
    const outcome = await kit.call({ name: `mcp__real__${name}`, input });
    if (outcome.status !== "ok")
      failed.push(`${name}: ${outcome.status} ${outcome.text.slice(0, 200)}`);
  }
  if (called === 0) failed.push("it listed no tools");
  process.stdout.write(
    `${subject.name} (${protocol ?? "unknown"}): ${called - failed.length} of ${called} tools called\n`,
  );
  for (const each of failed) process.stdout.write(`  failed: ${each}\n`);
  return failed.length;
}

function stdio(program: string, ...args: readonly string[]): Input {
  return { command: node, args: [program, ...args] };
}

/** Starts the server over HTTP and waits until it accepts connections. */
async function listen(kind: string): Promise<() => Promise<void>> {
  const child = spawn(node, [everything, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: "ignore",
  });
  for (let tries = 0; tries < 200 && !(await accepts()); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return async () => {
    const closed = once(child, "close");
    child.kill("SIGKILL");
    await closed;
  };
}

/** Whether something accepts connections at the port. */
async function accepts(): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return address.port;
}
