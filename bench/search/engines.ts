import { generateText, jsonSchema, tool, toolSearch, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import MiniSearch from "minisearch";
import { createRegistry, defineTool, type Tool } from "../../src/index.ts";
import { isRecord } from "../../src/text/index.ts";
import type { CatalogTool, ObjectSchema } from "./catalog.ts";

/** Names of the tools found, best first, and the milliseconds it took. */
export interface Answer {
  readonly names: readonly string[];
  readonly ms: number;
}

export interface Engine {
  /** Loads code that is loaded with the first search only; that of the others is loaded by then. */
  load?(): Promise<void>;
  /** Makes what a query needs besides the tools themselves. */
  index(): Promise<void>;
  answers(queries: readonly string[]): Promise<readonly Answer[]>;
}

const limit = 10;

/** Each takes over the tools first, which is not measured. */
export const engines: Readonly<Record<string, (tools: readonly CatalogTool[]) => Engine>> = {
  haft,
  minisearch: (tools) => minisearch(tools, {}),
  "minisearch, prefix and fuzzy": (tools) => minisearch(tools, { prefix: true, fuzzy: 0.2 }),
  "ai toolSearch": aiToolSearch,
};

function haft(tools: readonly CatalogTool[]): Engine {
  const registry = createRegistry();
  registry.registerAll(toolsOf(tools));
  return {
    async load() {
      await createRegistry().search("qqqqqq");
    },
    async index() {
      // A word that is spelled like none also makes the index of spellings.
      await registry.search("qqqqqq");
    },
    async answers(queries) {
      const found: Answer[] = [];
      for (const query of queries) {
        const start = performance.now();
        const results = await registry.search(query, { limit });
        const ms = performance.now() - start;
        found.push({ names: results.map(({ name }) => name), ms });
      }
      return found;
    },
  };
}

/** The tools as those of MCP servers. */
export function toolsOf(tools: readonly CatalogTool[]): readonly Tool[] {
  return tools.map(({ name, server, description, schema }) => ({
    ...defineTool({ name, description, touches: [], input: schema, run: () => ({ content: "" }) }),
    source: { id: server, name: server, kind: "mcp" },
  }));
}

function minisearch(
  tools: readonly CatalogTool[],
  options: { readonly prefix?: boolean; readonly fuzzy?: number },
): Engine {
  const engine = new MiniSearch({
    idField: "name",
    fields: ["name", "server", "description", "parameters"],
    searchOptions: { boost: { name: 2, server: 1.5, parameters: 0.2 }, ...options },
  });
  return {
    async index() {
      engine.addAll(
        tools.map(({ schema, ...texts }) => ({ ...texts, parameters: textOf(schema) })),
      );
    },
    async answers(queries) {
      return queries.map((query) => {
        const start = performance.now();
        const results = engine.search(query).slice(0, limit);
        const ms = performance.now() - start;
        return { names: results.map(({ id }) => String(id)), ms };
      });
    },
  };
}

/** The search of the AI SDK works within a generation only: a fake model asks all queries in its first step. */
function aiToolSearch(tools: readonly CatalogTool[]): Engine {
  const deferred: ToolSet = Object.fromEntries(
    tools.map(({ name, description, schema }) => [
      name,
      tool({
        description,
        inputSchema: jsonSchema(schema),
        deferLoading: true,
        execute: () => "",
      }),
    ]),
  );
  return {
    index: () => Promise.resolve(),
    async answers(queries) {
      const found: Answer[] = [];
      await generateText({
        model: askingModel(queries),
        prompt: "search",
        tools: { ...deferred, search: toolSearch({ maxResults: limit }) },
        toolCallConcurrency: 1,
        onToolExecutionEnd({ toolOutput, toolExecutionMs }) {
          if (toolOutput.type !== "tool-result") throw new Error("A search of the AI SDK failed.");
          const { tools: results } = toolOutput.output as { tools: { name: string }[] };
          found.push({ names: results.map(({ name }) => name), ms: toolExecutionMs });
        },
      });
      if (found.length !== queries.length) throw new Error("The AI SDK ran too few searches.");
      return found;
    },
  };
}

function askingModel(queries: readonly string[]): MockLanguageModelV4 {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  return new MockLanguageModelV4({
    doGenerate: {
      content: queries.map((query, index) => ({
        type: "tool-call",
        toolCallId: `call_${index}`,
        toolName: "search",
        input: JSON.stringify({ query }),
      })),
      finishReason: { unified: "tool-calls", raw: "tool-calls" },
      usage: { inputTokens: tokens, outputTokens: tokens },
      warnings: [],
    },
  });
}

/** Names and descriptions of the parameters, and the values that they allow. */
function textOf({ properties = {} }: ObjectSchema): string {
  return Object.entries(properties)
    .flatMap(([name, value]) => {
      const { description, enum: choices } = isRecord(value) ? value : {};
      return [name, description, ...(Array.isArray(choices) ? choices : [])];
    })
    .filter((text) => typeof text === "string")
    .join(" ");
}
