// Prints what one engine needs for a catalog of tools, in a process of its own:
// `node --expose-gc bench/search/measure.ts ENGINE TOOLS`.
import { catalogOf, longRequest, seeded, shortRequest, type Request } from "./catalog.ts";
import { engines } from "./engines.ts";

export interface Measured {
  readonly indexMs: number;
  readonly indexMB: number;
  /** By kind of request. */
  readonly queries: Readonly<Record<"short" | "long", QueryFigures>>;
}

interface QueryFigures {
  readonly medianMs: number;
  readonly slowestMs: number;
  /** Shares of the requests whose tool comes first, and is among ten. */
  readonly first: number;
  readonly amongTen: number;
}

const requestsOfKind = 200;
/** Engines whose requests of a kind take long enough to be measured on a tenth of them. */
const slow: Readonly<Record<string, readonly ("short" | "long")[]>> = {
  "ai toolSearch": ["short", "long"],
  minisearch: ["long"],
  "minisearch, prefix and fuzzy": ["short", "long"],
};
/** Rounds before the measured one, for the compiler. */
const warmUps = 2;

const [name = "", count = ""] = process.argv.slice(2);
const engineFor = engines[name];
if (engineFor === undefined) throw new Error(`${name} is none of ${Object.keys(engines).join()}.`);
const random = seeded(20);
const tools = catalogOf(Number(count), random);
const chosen = Array.from(
  { length: requestsOfKind },
  () => tools[Math.floor(random() * tools.length)],
);
const requests = {
  short: asked(
    "short",
    chosen.flatMap((tool) => (tool === undefined ? [] : [shortRequest(tool, random)])),
  ),
  long: asked(
    "long",
    chosen.flatMap((tool) => (tool === undefined ? [] : [longRequest(tool, random)])),
  ),
};

const engine = engineFor(tools);
await engine.load?.();
const before = memory();
const start = performance.now();
await engine.index();
const indexMs = performance.now() - start;
const indexMB = (memory() - before) / 1e6;
const queries = { short: await figures(requests.short), long: await figures(requests.long) };
const measured: Measured = { indexMs, indexMB, queries };
process.stdout.write(JSON.stringify(measured));

function asked(kind: "short" | "long", all: readonly Request[]): readonly Request[] {
  return slow[name]?.includes(kind) === true ? all.slice(0, requestsOfKind / 10) : all;
}

async function figures(asks: readonly Request[]): Promise<QueryFigures> {
  const texts = asks.map(({ query }) => query);
  for (let round = 0; round < warmUps; round += 1) await engine.answers(texts);
  const answers = await engine.answers(texts);
  const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const places = answers.map(({ names }, index) => names.indexOf(asks[index]?.tool ?? ""));
  const share = (met: readonly number[]): number => met.length / asks.length;
  return {
    medianMs: times[Math.floor(times.length / 2)] ?? Number.NaN,
    slowestMs: times.at(-1) ?? Number.NaN,
    first: share(places.filter((place) => place === 0)),
    amongTen: share(places.filter((place) => place >= 0)),
  };
}

/** Bytes of live objects and of buffers. */
function memory(): number {
  if (globalThis.gc === undefined) throw new Error("Start node with --expose-gc.");
  globalThis.gc();
  // Buffers that the first collection found unused are counted until they are freed, at the latest in the next one.
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
