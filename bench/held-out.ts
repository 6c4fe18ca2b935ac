// How often the tool that a user's request needs is found, among the tools of published MCP servers, and among thousands
// more, next to minisearch and the `toolSearch` of the AI SDK; and with the ranking by embeddings of a small model, which
// is installed below `.cache` when it is first needed.
//   npm run bench:held-out [-- --tools 570,9183] [--others FILE,…] [--engine haft --engine minisearch] [--misses 10]
import { parseArgs } from "node:util";
import { engines as byWords, type Engine } from "./search/engines.ts";
import type { CatalogTool } from "./search/catalog.ts";
import { packagedModel } from "./search/held-out/embedding-model.ts";
import { rankedSearch } from "./search/held-out/ranked-search.ts";
import {
  publishedTools,
  userRequests,
  withOthers,
  type UserRequest,
} from "./search/held-out/tools.ts";

const places = [1, 3, 5, 10];
const engines: Readonly<
  Record<string, (tools: readonly CatalogTool[]) => Engine | Promise<Engine>>
> = {
  ...byWords,
  "haft with embeddings": async (tools) => rankedSearch(tools, await packagedModel()),
};

/** Requests whose figures are shown together. */
const groups: Readonly<Record<string, (request: UserRequest) => boolean>> = {
  "plain, development": ({ words, half }) => words === "plain" && half === "development",
  "plain, test": ({ words, half }) => words === "plain" && half === "test",
  "in other words, development": ({ words, half }) => words === "others" && half === "development",
  "in other words, test": ({ words, half }) => words === "others" && half === "test",
  "in all": () => true,
};

const { values } = parseArgs({
  options: {
    tools: { type: "string" },
    others: { type: "string", default: "" },
    engine: { type: "string", multiple: true, default: Object.keys(engines) },
    /** Lists the requests of the half for development whose tool is not among the first, as many as this number. */
    misses: { type: "string" },
  },
});
const requests = await userRequests();
const published = await publishedTools();
const counts = values.tools?.split(",").map(Number) ?? [published.length, 9183];
const others = values.others.split(",").filter((file) => file !== "");
print(["tools", "engine", "requests", ...places.map((place) => `recall@${place}`)]);
print(["---", "---", "---", ...places.map(() => "---")]);
for (const count of counts) {
  const tools = await withOthers(published, count, others);
  for (const name of values.engine) {
    const engine = await engines[name]?.(tools);
    if (engine === undefined) throw new Error(`${name} is none of ${Object.keys(engines).join()}.`);
    await engine.index();
    const answers = await engine.answers(requests.map(({ query }) => query));
    const found = requests.map((request, at) => ({
      request,
      place: placeOf(request, answers[at]?.names ?? []),
    }));
    for (const [title, isOne] of Object.entries(groups)) {
      const chosen = found.filter(({ request }) => isOne(request));
      const shares = places.map((place) =>
        share(
          chosen.filter((each) => each.place <= place),
          chosen,
        ),
      );
      print([String(tools.length), name, `${chosen.length} ${title}`, ...shares]);
    }
    if (values.misses === undefined) continue;
    for (const [at, { request, place }] of found.entries()) {
      if (request.half !== "development" || place <= Number(values.misses)) continue;
      process.stdout.write(`\n${request.query}\n  needs ${request.tools.join(", ")}: ${place}\n`);
      process.stdout.write(`  found ${(answers[at]?.names ?? []).slice(0, 5).join(", ")}\n`);
    }
  }
}

/** Place of the first tool that serves a request, counted from 1; infinite if there is none. */
function placeOf({ tools }: UserRequest, names: readonly string[]): number {
  const at = names.findIndex((name) => tools.includes(name));
  return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
}

function share(some: readonly unknown[], all: readonly unknown[]): string {
  return ((100 * some.length) / all.length).toFixed(1);
}

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
