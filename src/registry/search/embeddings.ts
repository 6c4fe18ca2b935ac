import { ToolError } from "../../core/index.ts";
import { isRecord, RecentMap } from "../../text/index.ts";
import type { EmbeddingEndpoint, RankingAnswer, RankingRequest } from "./rerank.ts";

/** Bytes of an answer: 101 vectors of 4,096 numbers as text. */
const maxBytes = 10_000_000;

/** Vectors of tools that are remembered, by endpoint and text. */
const maxVectors = 2000;
const vectors = new RecentMap<string, Float32Array>(maxVectors);

/**
 * Share of the meaning in the score of a candidate; its words have the rest. Both are shares of the best candidate's:
 * unlike places, they tell a clear winner from one of many that are alike.
 */
const meaningShare = 0.5;

/** Orders candidates by how well their words match the request and how near their meaning is to it. */
export async function rankByEmbeddings(
  endpoint: EmbeddingEndpoint,
  request: RankingRequest,
): Promise<RankingAnswer> {
  const { query, candidates } = request;
  const texts = candidates.map(({ text }) => text);
  const keyOf = (text: string): string => JSON.stringify([endpoint.baseUrl, endpoint.model, text]);
  const unknown = [...new Set(texts)].filter((text) => vectors.get(keyOf(text)) === undefined);
  const { found, tokens } = await embed(endpoint, [query, ...unknown], request.signal);
  const [asked = new Float32Array(), ...others] = found;
  for (const [at, text] of unknown.entries()) {
    const vector = others[at];
    if (vector !== undefined) vectors.set(keyOf(text), vector);
  }
  const near = texts.map((text) => nearness(asked, vectors.get(keyOf(text))));
  const [least, most] = [Math.min(...near), Math.max(...near)];
  const scores = candidates.map(({ match }, at) => {
    const meaning = most > least ? ((near[at] ?? least) - least) / (most - least) : 0;
    return (1 - meaningShare) * match + meaningShare * meaning;
  });
  return {
    order: scores.map((_, at) => at).toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)),
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
