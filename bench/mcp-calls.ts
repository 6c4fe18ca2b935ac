// Calls through clients of MCP: the same tool of the same server, each client with a process of its own, in turns, as a
// multiple of the official client alone in the same round; and how long ten slow servers delay the first turn of an
// agent: `node bench/mcp-calls.ts [--rounds n] [--calls-only]`. Needs a build.
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type * as Haft from "../src/index.ts";
import type * as HaftAgent from "../src/entries/agent.ts";
import { commandFile, installOnDemand } from "../scripts/install-on-demand.ts";
import { fakeModel } from "./loop/fake-model.ts";
import { loadModule, type Loose } from "./loop/load-module.ts";

const at = process.argv.indexOf("--rounds");
const rounds = at === -1 ? 400 : Number(process.argv[at + 1]);
const warmUp = 50;
const message = "a line of ordinary text that a tool returns. ".repeat(20);
const server = await commandFile(
  await installOnDemand({
    name: "@modelcontextprotocol/server-everything",
    version: "2026.8.31",
  }),
  "mcp-server-everything",
);
const command = process.execPath;
const args = [server, "stdio"];

/** A client that is connected: it calls the tool once, and ends. */
interface Subject {
  call(): Promise<unknown>;
  close(): Promise<void>;
}

const built = (file: string): string => new URL(`../dist/${file}`, import.meta.url).href;
const { createToolkit } = (await import(built("index.js"))) as typeof Haft;
const { aiSdkModel } = (await import(built("entries/agent.js"))) as typeof HaftAgent;
const root = await realpath(await mkdtemp(path.join(tmpdir(), "haft-mcp-calls-")));
const openers: Readonly<Record<string, () => Promise<Subject>>> = {
  "the official client alone": officialClient,
  haft: haftClient,
  "mcporter 0.12.3": mcporter,
  "@ai-sdk/mcp 2.0.99": aiSdk,
  "@langchain/mcp-adapters 1.1.4": langchain,
};

try {
  await compareCalls();
  if (!process.argv.includes("--calls-only")) await compareFirstTurns();
} finally {
  await rm(root, { recursive: true, force: true });
}

async function compareCalls(): Promise<void> {
  const subjects = new Map<string, Subject>();
  for (const [name, open] of Object.entries(openers)) subjects.set(name, await open());
  const samples = new Map<string, number[]>([...subjects.keys()].map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    // After a slow subject caches are colder, so each round begins with another one.
    const all = [...subjects];
    const first = Math.abs(round) % all.length;
    for (const [name, subject] of [...all.slice(first), ...all.slice(0, first)]) {
      const start = performance.now();
      const answer = await subject.call();
      const took = performance.now() - start;
      if (round === -warmUp) check(name, answer);
      if (round >= 0) samples.get(name)?.push(took);
    }
  }
  for (const subject of subjects.values()) await subject.close();
  const [floor = []] = samples.values();
  say(`${rounds} calls each, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
  for (const [name, times] of samples) {
    const ratio = median(times.map((time, round) => time / (floor[round] ?? Number.NaN)));
    say(
      `${name}: median ${median(times).toFixed(2)} ms, ${ratio.toFixed(2)}x (fastest ${Math.min(...times).toFixed(2)} ms)`,
    );
  }
}

/** Milliseconds until the model of a new kit is asked, with and without ten servers that start for a second. */
async function compareFirstTurns(): Promise<void> {
  const slow = "setTimeout(() => import(process.argv[1]), 1000)";
  const servers = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `slow${index}`,
      { command, args: ["-e", slow, ...args] },
    ]),
  );
  const without: number[] = [];
  const withServers: number[] = [];
  for (let round = -1; round < 7; round += 1) {
    const times = [await firstTurn({}), await firstTurn(servers)] as const;
    if (round < 0) continue;
    without.push(times[0]);
    withServers.push(times[1]);
  }
  const differences = withServers.map((time, index) => time - (without[index] ?? Number.NaN));
  say(
    `first turn without servers: median ${median(without).toFixed(0)} ms (fastest ${Math.min(...without).toFixed(0)}); with ten that` +
      ` start for 1 s: ${median(withServers).toFixed(0)} ms (fastest ${Math.min(...withServers).toFixed(0)}); median difference ${median(differences).toFixed(0)} ms`,
  );
}

async function firstTurn(servers: Readonly<Record<string, unknown>>): Promise<number> {
  const workspace = await ownFolder();
  const start = performance.now();
  const kit = await createToolkit({
    workspace,
    dataDirectory: `${workspace}-data`,
    settings: { mcpServers: servers },
  });
  const model = fakeModel(0, "v4");
  let asked = Number.NaN;
  const timed: typeof model = {
    ...model,
    doStream: async (options) => {
      asked = performance.now() - start;
      return await model.doStream(options);
    },
  };
  await kit.run({ task: "Say that you are done.", model: aiSdkModel(timed) }).result;
  await kit.dispose();
  return asked;
}

async function officialClient(): Promise<Subject> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));
  return {
    call: async () => await client.callTool({ name: "echo", arguments: { message } }),
    close: async () => await client.close(),
  };
}

async function haftClient(): Promise<Subject> {
  const workspace = await ownFolder();
  const kit = await createToolkit({
    workspace,
    dataDirectory: `${workspace}-data`,
    settings: { mcpServers: { s: { command, args } } },
    rules: { allow: ["mcp__s"] },
  });
  await kit.mcp.check("s");
  return {
    call: async () => await kit.call({ name: "mcp__s__echo", input: { message } }),
    close: async () => await kit.dispose(),
  };
}

async function mcporter(): Promise<Subject> {
  const { createRuntime } = await loadModule("mcporter");
  const runtime = (await createRuntime?.({
    servers: [{ name: "s", command: { kind: "stdio", command, args, cwd: root } }],
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  })) as Loose;
  return {
    call: async () => await runtime["callTool"]?.("s", "echo", { args: { message } }),
    close: async () => void (await runtime["close"]?.()),
  };
}

async function aiSdk(): Promise<Subject> {
  const { createMCPClient } = await loadModule("@ai-sdk/mcp");
  const { Experimental_StdioMCPTransport: Transport } = await loadModule("@ai-sdk/mcp/mcp-stdio");
  if (Transport === undefined) throw new Error("@ai-sdk/mcp has no transport for a process.");
  const transport = new Transport({ command, args, stderr: "ignore" });
  const client = (await createMCPClient?.({ transport })) as Loose;
  const tools = (await client["tools"]?.()) as Readonly<Record<string, Loose>>;
  return {
    call: async () =>
      await tools["echo"]?.["execute"]?.({ message }, { toolCallId: "1", messages: [] }),
    close: async () => void (await client["close"]?.()),
  };
}

async function langchain(): Promise<Subject> {
  const { MultiServerMCPClient } = await loadModule("@langchain/mcp-adapters");
  if (MultiServerMCPClient === undefined) throw new Error("The adapters have no client.");
  const client = new MultiServerMCPClient({
    mcpServers: { s: { transport: "stdio", command, args, stderr: "ignore" } },
  });
  const tools = (await client["getTools"]?.()) as readonly Loose[];
  const echo = tools.find((tool) => String(tool["name"]) === "echo");
  return {
    call: async () => await echo?.["invoke"]?.({ message }),
    close: async () => void (await client["close"]?.()),
  };
}

function check(name: string, answer: unknown): void {
  const text = JSON.stringify(answer) ?? "";
  if (text.includes(message.trim())) return;
  throw new Error(`${name} did not get the answer: ${text.slice(0, 300)}`);
}

async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(root, "project-"));
  await mkdir(folder, { recursive: true });
  return folder;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function quiet(): void {
  // The servers' own output is not part of the result.
}
