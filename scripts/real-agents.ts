// Lets agents of other programs work with haft's tools, over standard streams and over HTTP, with a model on the
// loopback address that calls two tools and ends: `node scripts/real-agents.ts [name…]`. Each agent has a home directory
// of its own, and a proxy that connects to nothing.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { installOnDemand } from "./install-on-demand.ts";
import { environment } from "./real-agents/environment.ts";
import { realAgents, type RealAgent, type ServerAddress } from "./real-agents/agents.ts";
import { calls, finalText, openClosedProxy, openFakeModel } from "./real-agents/fake-model.ts";

const haft = [process.execPath, path.resolve("bin/haft.cjs")];
const modes = ["--mode", "acceptEdits"];
const kinds = ["stdio", "http"] as const;
const timeoutMs = 180_000;
const isVerbose = process.argv.includes("--verbose");
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));

let failures = 0;
for (const agent of realAgents) {
  if (wanted.length > 0 && !wanted.some((name) => agent.name.toLowerCase().includes(name)))
    continue;
  const folder = await installOnDemand(agent.source);
  for (const kind of kinds) {
    const problems = await tryAgent(agent, folder, kind);
    if (problems.length > 0) failures += 1;
    for (const problem of problems) process.stdout.write(`  failed: ${problem}\n`);
  }
}
process.exitCode = failures === 0 ? 0 : 1;

/** Runs an agent once, reports what arrived, and returns what is wrong. */
async function tryAgent(
  agent: RealAgent,
  folder: string,
  kind: (typeof kinds)[number],
): Promise<readonly string[]> {
  const root = await mkdtemp(path.join(tmpdir(), "haft-real-agent-"));
  const home = await mkdtemp(path.join(root, "home-"));
  const workspace = await mkdtemp(path.join(root, "project-"));
  await writeFile(path.join(workspace, "notes.txt"), "the secret word is marmalade\n");
  const model = await openFakeModel();
  const proxy = await openClosedProxy();
  const env = environment(home, proxy.url);
  const served = kind === "http" ? await serveHttp(workspace, env) : undefined;
  const server: ServerAddress = served?.address ?? {
    kind: "stdio",
    command: [...haft, "mcp", ...modes],
  };
  try {
    const task = "Copy the notes.";
    const start = await agent.start(folder, { home, workspace, modelUrl: model.url, server, task });
    const ended = await run(start.command, { cwd: workspace, env: { ...env, ...start.env } });
    const copy = await readFile(path.join(workspace, "copy.txt"), "utf8").catch(() => undefined);
    const events = await served?.events();
    const left = await processesOf(home, served?.pid);
    const { name, version } = agent.source;
    process.stdout.write(
      `${agent.name} (${name} ${version}), ${kind}: ${model.offered.size} tools of haft and ${model.others.size} others` +
        ` offered, ${model.results.length} of ${calls.length} calls answered, exit ${String(ended.code)},` +
        `${events === undefined ? "" : ` events: ${events.join(" ")},`} ${left.length} processes left\n`,
    );
    if (model.others.size > 0) process.stdout.write(`  others: ${[...model.others].join(" ")}\n`);
    if (proxy.refused.size > 0) {
      process.stdout.write(`  asked for, and did not reach: ${[...proxy.refused].join(" ")}\n`);
    }
    if (isVerbose) process.stdout.write(`${ended.output}\n`);
    const expected = calls.flatMap(({ tool }) => [`call-start:${tool}`, `call-end:${tool}`]);
    const checks: readonly (readonly [isRight: boolean, problem: string])[] = [
      [ended.code === 0, `it ended with ${String(ended.code)}: ${ended.output.slice(-2000)}`],
      [ended.output.includes(finalText), `it did not print the model's last text`],
      [model.results[0]?.includes("marmalade") === true, `the result of Read did not come back`],
      [copy?.includes("marmalade") === true, `the call of Write did not write the file`],
      [left.length === 0, `processes are left: ${left.join(", ")}`],
      [
        events === undefined || expected.every((each) => events.includes(each)),
        `the events of the calls did not come`,
      ],
    ];
    return checks.filter(([isRight]) => !isRight).map(([, problem]) => problem);
  } finally {
    await served?.stop();
    proxy.stop();
    await model.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Ended {
  readonly code: number | NodeJS.Signals | null;
  readonly output: string;
}

async function run(
  [program = "", ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  }
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  try {
    const code = await new Promise<Ended["code"]>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (status, signal) => resolve(status ?? signal));
    });
    return { code, output };
  } finally {
    clearTimeout(timer);
  }
}

interface Served {
  readonly address: ServerAddress;
  readonly pid: number | undefined;
  /** Names of the events of calls so far, as a reader of `/events` gets them. */
  events(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** `haft serve`, and a reader of its events from before the first call. */
async function serveHttp(
  workspace: string,
  env: Readonly<Record<string, string>>,
): Promise<Served> {
  const [program = "", ...args] = [...haft, "serve", "--json", ...modes];
  const child: ChildProcess = spawn(program, args, {
    cwd: workspace,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("The server has no output.");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url, token } = serverLine(JSON.parse(String(line)));
  const stopReading = new AbortController();
  const response = await fetch(`${url}/events?after=0`, {
    headers: { Authorization: `Bearer ${token}` },
    signal: stopReading.signal,
  });
  let text = "";
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString("utf8");
  })().catch(() => undefined);
  return {
    address: { kind: "http", url: `${url}/mcp`, token },
    pid: child.pid,
    events: async () => {
      for (let tries = 0; tries < 50 && !isComplete(callEvents(text)); tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return callEvents(text);
    },
    stop: async () => {
      stopReading.abort();
      await reading;
      const closed = once(child, "close");
      child.kill("SIGTERM");
      await closed;
    },
  };
}

function isComplete(events: readonly string[]): boolean {
  return events.filter((name) => name.startsWith("call-end")).length >= calls.length;
}

/** Starts and ends of calls in a stream of events, each with the name of its tool. */
function callEvents(text: string): readonly string[] {
  const tools = new Map<unknown, unknown>();
  return text.split("\n").flatMap((line) => {
    if (!line.startsWith("data: ")) return [];
    const event = record(JSON.parse(line.slice("data: ".length)));
    const { type, callId } = event;
    const call = record(event["call"]);
    if (type === "call-start") tools.set(callId, event["name"] ?? event["tool"] ?? call["name"]);
    return type === "call-start" || type === "call-end"
      ? [`${type}:${String(tools.get(callId))}`]
      : [];
  });
}

function serverLine(value: unknown): { readonly url: string; readonly token: string } {
  const { url, token } = record(value);
  if (typeof url !== "string" || typeof token !== "string") throw new Error("No address came.");
  return { url, token };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Programs with this home directory that still run, except the server of this program. */
async function processesOf(home: string, own: number | undefined): Promise<readonly string[]> {
  if (process.platform !== "linux") return [];
  const found: string[] = [];
  for (const id of await readdir("/proc")) {
    if (!/^\d+$/u.test(id) || Number(id) === own) continue;
    const variables = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
    if (!variables.split("\0").includes(`HOME=${home}`)) continue;
    const line = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
    found.push(`${id} ${line.replaceAll("\0", " ").slice(0, 100)}`);
  }
  return found;
}
