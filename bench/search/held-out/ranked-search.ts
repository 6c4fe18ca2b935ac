import type { HostClock, HostNet } from "../../../src/core/index.ts";
import { createRegistry } from "../../../src/index.ts";
import { findTools } from "../../../src/registry/search/find-tools.ts";
import { toolsOf, type Engine } from "../engines.ts";
import type { CatalogTool } from "../catalog.ts";
import type { Embed } from "./embedding-model.ts";

/** ToolSearch with the ranking by embeddings, as the settings turn it on. */
export function rankedSearch(tools: readonly CatalogTool[], embed: Embed): Engine {
  const registry = createRegistry();
  registry.registerAll(toolsOf(tools));
  const all = registry.getAll();
  const ranker = {
    by: "embeddings",
    endpoint: {
      baseUrl: "http://model.invalid",
      model: "packaged",
      key: undefined,
      net: netOf(embed),
    },
    clock: unlimited,
  } as const;
  return {
    async index() {
      await registry.search("qqqqqq");
    },
    async answers(queries) {
      const answers = [];
      for (const query of queries) {
        const start = performance.now();
        const options = { registry, tools: all, isDeferred: () => true, ranker };
        const { found, ranking } = await findTools(query, options);
        if (ranking?.failure !== undefined) throw new Error(ranking.failure);
        const ms = performance.now() - start;
        answers.push({ names: found.map(({ name }) => name), ms });
      }
      return answers;
    },
  };
}

/** A clock that ends nothing early: a model without an accelerator takes seconds for texts that it has not read yet. */
const unlimited: HostClock = {
  now: () => Date.now(),
  sleep: async () => await new Promise(() => undefined),
  timer: () => () => undefined,
};

/** A network on which the model is an endpoint with OpenAI's API. */
function netOf(embed: Embed): HostNet {
  return {
    async fetch({ body }) {
      const { input } = JSON.parse(String(body)) as { readonly input: readonly string[] };
      const found = await embed(input);
      const data = found.map((embedding, index) => ({ index, embedding }));
      const answer = new TextEncoder().encode(
        JSON.stringify({ data, usage: { prompt_tokens: 0 } }),
      );
      return {
        status: 200,
        headers: {},
        url: "http://model.invalid",
        body: (async function* () {
          yield answer;
        })(),
      };
    },
  };
}
