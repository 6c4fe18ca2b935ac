/**
 * Cost of one call before and after its tool: a no-op tool with a five-field schema through all twelve steps
 * (no hooks, allowed), next to others' way to the same no-op. Rows for haft: the same input or a fresh text of 2 kB, a tool
 * without effects or one that reads a tree, and the latter with its events kept in memory.
 *
 *   npm run bench:dispatch            with peers
 *   npm run bench:dispatch -- --own   without
 *
 * Peers are installed into .cache on first use. All run in one process, interleaved round by round; a figure is
 * the median of its rounds in microseconds per call.
 */
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type * as Haft from "../src/index.ts";
import { installOnDemand } from "../scripts/install-on-demand.ts";

// The published build is measured; the types are those of the source.
const built = new URL("../dist/index.js", import.meta.url).href;
const { createToolkit, defineTool, memoryHost } = (await import(built)) as typeof Haft;

const rounds = 15;
const callsPerRound = 2000;

const shape = {
  path: z.string(),
  pattern: z.string(),
  limit: z.number().int().optional(),
  recursive: z.boolean().optional(),
  mode: z.enum(["fast", "slow"]).optional(),
};
const schema = z.object(shape);
const input = { path: "src", pattern: "x", limit: 5, recursive: true, mode: "fast" };
const answer = "ok";
const ordinaryText = "a line of ordinary text that a model might send. ".repeat(40);
let freshTexts = 0;

type Contestant = { readonly name: string; readonly call: () => unknown };

const versions = new Map([
  ["ai", "7.0.173"],
  ["@mastra/core", "0.24.9"],
  ["@openai/agents", "0.20.0"],
  ["@langchain/core", "1.4.0"],
  ["@modelcontextprotocol/server", "2.4.0"],
  ["@modelcontextprotocol/client", "2.4.0"],
]);
const contestants = [
  zodAlone(),
  await haft({ isFresh: false, reads: false }),
  await haft({ isFresh: true, reads: false }),
  await haft({ isFresh: false, reads: true }),
  await haft({ isFresh: true, reads: true }),
  await haft({ isFresh: true, reads: true, eventLog: "memory" }),
  await haftWithHost(),
  ...(process.argv.includes("--own") ? [] : await available()),
];
const figures = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
const processorTimes = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
for (let round = -3; round < rounds; round += 1) {
  for (const contestant of contestants) {
    const { elapsed, processor } = await time(contestant);
    if (round < 0) continue;
    figures.get(contestant.name)?.push(elapsed);
    processorTimes.get(contestant.name)?.push(processor);
  }
}
say(
  `load ${loadavg()[0]?.toFixed(2)}, Node ${process.versions.node}, ${rounds} rounds of ${callsPerRound} calls`,
);
for (const [name, values] of figures) {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number): string =>
    (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
  // The kernel counts it in steps of milliseconds, so the mean of all rounds is the figure.
  const all = processorTimes.get(name) ?? [];
  const processor = (all.reduce((sum, each) => sum + each, 0) / all.length).toFixed(2);
  say(
    `${name.padEnd(38)} ${at(0.5).padStart(8)} µs per call (min ${at(0)}, max ${at(1)}; processor time, mean ${processor})`,
  );
}
process.exit(0);

/** Microseconds per call by the clock, and of the processor, which other programs change less. */
async function time({ call }: Contestant): Promise<{ elapsed: number; processor: number }> {
  const used = process.threadCpuUsage();
  const started = process.hrtime.bigint();
  for (let count = 0; count < callsPerRound; count += 1) {
    const returned = call();
    if (returned instanceof Promise) await returned;
  }
  const elapsed = Number(process.hrtime.bigint() - started) / 1000 / callsPerRound;
  const { user, system } = process.threadCpuUsage(used);
  return { elapsed, processor: (user + system) / callsPerRound };
}

function zodAlone(): Contestant {
  return { name: "zod alone", call: () => schema.parse(input) };
}

interface Work {
  /** A text of 2 kB in the input that no call before had; else the same short input each time. */
  readonly isFresh: boolean;
  /** The tool reads a tree, which the mode allows; else it touches nothing. */
  readonly reads: boolean;
  readonly eventLog?: "memory";
}

async function haft({ isFresh, reads, eventLog }: Work): Promise<Contestant> {
  const noOp = defineTool({
    name: "NoOp",
    description: "Does nothing.",
    touches: reads ? ["read"] : [],
    ...(reads ? { effects: () => [{ kind: "read", path: input.path, scope: "tree" }] } : {}),
    input: schema,
    run: () => ({ content: answer }),
  });
  const kit = await createToolkit({
    host: memoryHost({ now: "real" }),
    tools: { include: ["NoOp"], extra: [noOp] },
    ...(eventLog === undefined ? {} : { eventLog }),
  });
  const outcome = await kit.call({ name: "NoOp", input });
  if (outcome.status !== "ok") throw new Error(outcome.text);
  const what = `haft, ${isFresh ? "fresh 2 kB" : "same input"}, ${reads ? "reads" : "no effects"}${eventLog === undefined ? "" : ", events kept"}`;
  return { name: what, call: () => kit.call({ name: "NoOp", input: isFresh ? fresh() : input }) };
}

/** A new text each time, as a model sends it. */
function fresh(): typeof input {
  freshTexts += 1;
  return { ...input, pattern: `${freshTexts} ${ordinaryText}` };
}

async function haftWithHost(): Promise<Contestant> {
  const noOp = defineTool({
    name: "NoOp",
    description: "Does nothing.",
    touches: [],
    input: schema,
    run: async () => ({ content: answer }),
  });
  const kit = await createToolkit({
    workspace: process.cwd(),
    tools: { include: ["NoOp"], extra: [noOp] },
  });
  return { name: "haft, async run, this machine", call: () => kit.call({ name: "NoOp", input }) };
}

/** A peer that cannot be loaded is named, never left out in silence. */
async function available(): Promise<Contestant[]> {
  const found: Contestant[] = [];
  for (const make of [mastra, openaiAgents, aiSdk, mcpInMemory, langchain]) {
    try {
      const contestant = await make();
      await contestant.call();
      found.push(contestant);
    } catch (error) {
      say(`${make.name} left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
}

// Exports of peers are not typed here, because they are not dependencies.
type Loose = Record<string, (...args: unknown[]) => unknown> &
  Record<string, new (...args: unknown[]) => Loose>;

async function load(specifier: string): Promise<Loose> {
  const parts = specifier.split("/");
  const depth = specifier.startsWith("@") ? 2 : 1;
  const name = parts.slice(0, depth).join("/");
  const sub = parts.slice(depth).join("/");
  const folder = await installOnDemand({ name, version: versions.get(name) ?? "" });
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    exports?: Record<string, unknown>;
  };
  const entry = importEntry(
    manifest.exports?.[sub === "" ? "." : `./${sub}`] ?? manifest.exports?.["./*"],
  ).replace("*", sub);
  return (await import(pathToFileURL(path.join(folder, entry)).href)) as Loose;
}

function importEntry(entry: unknown): string {
  if (typeof entry === "string") return entry;
  const conditions = entry as Record<string, unknown>;
  return importEntry(conditions["import"] ?? conditions["default"]);
}

async function mastra(): Promise<Contestant> {
  const { createTool } = await load("@mastra/core/tools");
  const tool = createTool?.({
    id: "no-op",
    description: "Does nothing.",
    inputSchema: schema,
    execute: async () => ({ answer }),
  }) as Loose;
  return { name: "Mastra tool", call: () => tool["execute"]?.({ context: input, ...input }, {}) };
}

async function openaiAgents(): Promise<Contestant> {
  const { tool, RunContext } = await load("@openai/agents");
  const strict = z.object({
    path: z.string(),
    pattern: z.string(),
    limit: z.number().int(),
    recursive: z.boolean(),
    mode: z.enum(["fast", "slow"]),
  });
  const made = tool?.({
    name: "no_op",
    description: "Does nothing.",
    parameters: strict,
    execute: async () => answer,
  }) as Loose;
  const context = RunContext === undefined ? {} : new RunContext({});
  const text = JSON.stringify(input);
  return { name: "OpenAI agents tool", call: () => made["invoke"]?.(context, text) };
}

async function aiSdk(): Promise<Contestant> {
  const { tool, generateText } = await load("ai");
  const { MockLanguageModelV4, MockLanguageModelV3 } = await load("ai/test");
  const made = tool?.({
    description: "Does nothing.",
    inputSchema: schema,
    execute: async () => answer,
  });
  const Model = MockLanguageModelV4 ?? MockLanguageModelV3;
  if (Model === undefined) throw new Error("no mock model");
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 }, totalTokens: 2 };
  const model = new Model({
    doGenerate: async () => ({
      content: [
        { type: "tool-call", toolCallId: "c", toolName: "noOp", input: JSON.stringify(input) },
      ],
      finishReason: { unified: "tool-calls", raw: "tool-calls" },
      usage,
      warnings: [],
    }),
  });
  return {
    name: "AI SDK, one generateText step",
    call: () => generateText?.({ model, prompt: "x", tools: { noOp: made } }),
  };
}

async function mcpInMemory(): Promise<Contestant> {
  const { McpServer, InMemoryTransport: ServerTransport } = await load(
    "@modelcontextprotocol/server",
  );
  const { Client, InMemoryTransport: ClientTransport } = await load("@modelcontextprotocol/client");
  const Transport = (ServerTransport ?? ClientTransport) as unknown as {
    createLinkedPair(): unknown[];
  };
  if (McpServer === undefined || Client === undefined) throw new Error("exports have moved");
  const server = new McpServer({ name: "bench", version: "1" });
  server["registerTool"]?.(
    "no_op",
    { description: "Does nothing.", inputSchema: schema },
    async () => ({
      content: [{ type: "text", text: answer }],
    }),
  );
  const client = new Client({ name: "bench", version: "1" });
  const [near, far] = Transport.createLinkedPair();
  await Promise.all([server["connect"]?.(near), client["connect"]?.(far)]);
  return {
    name: "MCP SDK in memory",
    call: () => client["callTool"]?.({ name: "no_op", arguments: input }),
  };
}

async function langchain(): Promise<Contestant> {
  const { tool } = await load("@langchain/core/tools");
  const made = tool?.(async () => answer, {
    name: "no_op",
    description: "Does nothing.",
    schema,
  }) as Loose;
  return { name: "LangChain tool", call: () => made["invoke"]?.(input) };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
