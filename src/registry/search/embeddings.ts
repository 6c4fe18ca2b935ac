import { ToolError } from "../../core/index.ts";
import { isRecord, RecentMap } from "../../text/index.ts";
import type { EmbeddingEndpoint, RankingAnswer, RankingRequest } from "./rerank.ts";

/** Bytes of an answer: 21 vectors of 4,096 numbers as text. */
const maxBytes = 4_000_000;

/** Vectors of tools that are remembered, by endpoint and text. */
const maxVectors = 500;
const vectors = new RecentMap<string, Float32Array>(maxVectors);

/** How much a place among the first counts more than one behind: the usual constant is for lists of hundreds. */
const placeOffset = 10;

/**
 * Orders candidates by the meaning of the request. Words and meaning count alike, by the place that each gives a
 * candidate: their scores cannot be compared.
 */
export async function rankByEmbeddings(
  endpoint: EmbeddingEndpoint,
  request: RankingRequest,
): Promise<RankingAnswer> {
  const { query, candidates } = request;
  const keyOf = (text: string): string => JSON.stringify([endpoint.baseUrl, endpoint.model, text]);
  const unknown = [...new Set(candidates)].filter((text) => vectors.get(keyOf(text)) === undefined);
  const { found, tokens } = await embed(endpoint, [query, ...unknown], request.signal);
  const [asked = new Float32Array(), ...others] = found;
  for (const [at, text] of unknown.entries()) {
    const vector = others[at];
    if (vector !== undefined) vectors.set(keyOf(text), vector);
  }
  const near = candidates.map((text) => nearness(asked, vectors.get(keyOf(text))));
  const byMeaning = near.map((_, at) => at).toSorted((a, b) => (near[b] ?? 0) - (near[a] ?? 0));
  const score = new Float64Array(candidates.length);
  for (const [place, at] of byMeaning.entries()) {
    score[at] = 1 / (placeOffset + place) + 1 / (placeOffset + at);
  }
  return {
    order: byMeaning.toSorted((a, b) => (score[b] ?? 0) - (score[a] ?? 0)),
    usage: { input: tokens, output: 0 },
  };
}

/** Unit vectors of texts, in their order. */
async function embed(
  { baseUrl, model, key, net }: EmbeddingEndpoint,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<{ readonly found: readonly Float32Array[]; readonly tokens: number }> {
  const response = await net.fetch(
    {
      url: `${baseUrl.replace(/\/+$/u, "")}/embeddings`,
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, input: texts }),
    },
    // The address is the user's own, never the model's or a server's.
    { allowsPrivate: true, ...(signal === undefined ? {} : { signal }) },
  );
  const text = await textOf(response.body);
  if (response.status < 200 || response.status > 299) {
    throw unusable(`The embedding endpoint answered with status ${response.status}.`);
  }
  const { data, usage } = answerIn(text);
  const byIndex = new Map(data.map((each, at) => [indexOf(each, at), vectorOf(each)]));
  const found = texts.map((_, at) => byIndex.get(at));
  const dimensions = found[0]?.length;
  const whole = found.filter((vector) => vector !== undefined && vector.length === dimensions);
  if (whole.length < texts.length) throw unusable(badAnswer);
  return { found: whole.filter((vector) => vector !== undefined), tokens: tokensIn(usage) };
}

const badAnswer =
  "The embedding endpoint answered with something other than a vector for each text.";

function unusable(text: string): ToolError {
  return new ToolError("UNAVAILABLE", text);
}

function answerIn(text: string): { readonly data: readonly unknown[]; readonly usage: unknown } {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw unusable(badAnswer);
  }
  const data: unknown = isRecord(answer) ? answer["data"] : undefined;
  if (!isRecord(answer) || !Array.isArray(data)) throw unusable(badAnswer);
  return { data, usage: answer["usage"] };
}

function indexOf(entry: unknown, at: number): unknown {
  return isRecord(entry) && typeof entry["index"] === "number" ? entry["index"] : at;
}

/** Vector of length 1; undefined for anything else than finite numbers that are not all zero. */
function vectorOf(entry: unknown): Float32Array | undefined {
  const numbers: unknown = isRecord(entry) ? entry["embedding"] : undefined;
  if (!Array.isArray(numbers) || !numbers.every((each) => Number.isFinite(each))) return undefined;
  const length = Math.hypot(...numbers);
  return length > 0 && Number.isFinite(length)
    ? Float32Array.from(numbers, (each: number) => each / length)
    : undefined;
}

function nearness(one: Float32Array, other: Float32Array | undefined): number {
  // A vector from before the endpoint changed its model cannot be compared.
  if (other?.length !== one.length) return -1;
  let sum = 0;
  for (const [at, value] of one.entries()) sum += value * (other[at] ?? 0);
  return sum;
}

function tokensIn(usage: unknown): number {
  if (!isRecord(usage)) return 0;
  const count = usage["prompt_tokens"] ?? usage["total_tokens"];
  return typeof count === "number" && Number.isFinite(count) && count >= 0 ? count : 0;
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes) throw unusable("The answer of the embedding endpoint is too long.");
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
