import {
  ToolError,
  type NativeQuery,
  type NativeResults,
  type WebResult,
} from "../../../core/index.ts";
import { isRecord, visibleText } from "../../../text/index.ts";
import type { LanguageModelLike } from "./language-model.ts";
import type { ProviderSearch } from "./provider-search-table.ts";
import type { Provider } from "./provider-table.ts";
import { usageOf } from "./usage.ts";

type Part = Readonly<Record<string, unknown>>;

/** Tokens of the answer that goes with a search: a sentence for each of 20 results. */
const maxAnswerTokens = 4000;

/** Results that are read of one answer. */
const maxResults = 100;

/** Lets the provider of a model search. Only pages that the provider names as sources are results. */
export async function searchNatively(
  model: LanguageModelLike,
  { provider, search }: { readonly provider: Provider; readonly search: ProviderSearch },
  { query, signal }: { readonly query: NativeQuery; readonly signal: AbortSignal },
): Promise<NativeResults> {
  const { id, name, args } = search;
  const type = model.specificationVersion === "v2" ? "provider-defined" : "provider";
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: questionFor(query) }] }],
    tools: [{ type, id, name, args: args(query) }],
    toolChoice: { type: "auto" },
    maxOutputTokens: maxAnswerTokens,
    ...(provider.defaultOptions === undefined ? {} : { providerOptions: provider.defaultOptions }),
    abortSignal: signal,
  });
  const sources = new Map<string, WebResult>();
  const attributed = new Map<string, string>();
  let failure: string | undefined;
  let answer = "";
  let usage = { input: 0, output: 0 };
  for await (const part of stream) {
    if (!isRecord(part)) continue;
    if (part["type"] === "error") throw part["error"];
    if (part["type"] === "text-delta") answer += textOf(part["delta"]);
    if (part["type"] === "source" && sources.size < maxResults) addSource(sources, part);
    if (part["type"] === "tool-result" && part["isError"] === true) failure = reasonOf(part);
    if (part["type"] === "finish") {
      usage = usageOf(part, provider);
    }
    addPassages(attributed, part);
  }
  if (sources.size === 0 && failure !== undefined) {
    throw new ToolError("UNAVAILABLE", `The provider's search failed: ${failure}.`, {
      retryable: true,
    });
  }
  const passages = new Map([...passagesIn(answer), ...attributed]);
  return {
    usage,
    results: Array.from(sources.values(), (result) => ({
      ...result,
      snippet: passages.get(result.url) ?? "",
    })),
  };
}

function questionFor({
  query,
  count,
  allowedDomains = [],
  blockedDomains = [],
}: NativeQuery): string {
  const limits = [
    ...(allowedDomains.length === 0 ? [] : [`only on ${allowedDomains.join(", ")}`]),
    ...(blockedDomains.length === 0 ? [] : [`not on ${blockedDomains.join(", ")}`]),
  ].join(", ");
  return `Search the web${limits === "" ? "" : ` (${limits})`} for: ${query}

Then list the best ${count} results, one line each: the address, a space, and one sentence of the page about what was searched for. Cite each page. Write nothing else.`;
}

/** Adds a source. A page may be cited several times. */
function addSource(sources: Map<string, WebResult>, part: Part): void {
  const url = textOf(part["url"]);
  if (part["sourceType"] !== "url" || !URL.canParse(url) || !/^https?:/u.test(url)) return;
  const known = sources.get(url);
  const date = known?.date ?? dateOf(part);
  sources.set(url, {
    title: known?.title ?? (textOf(part["title"]) || url),
    url,
    snippet: "",
    ...(date === undefined ? {} : { date }),
  });
}

/** Age of a page, as the provider adds it to a source. */
function dateOf({ providerMetadata }: Part): string | undefined {
  const facts = isRecord(providerMetadata) ? Object.values(providerMetadata) : [];
  return facts.map((each) => oneLine(memberOf(each, "pageAge"))).find((age) => age !== "");
}

/** Code that the provider gives a search that failed. */
function reasonOf({ result }: Part): string {
  const code = isRecord(result) ? textOf(result["errorCode"]) : "";
  return code === "" ? "no reason was given" : visibleText(code.slice(0, 100));
}

/** Adds the passages that a provider attributes to pages in its metadata, the first of each page. */
function addPassages(passages: Map<string, string>, { providerMetadata }: Part): void {
  if (!isRecord(providerMetadata)) return;
  for (const facts of Object.values(providerMetadata)) {
    const found = [
      ...citationsIn(memberOf(facts, "citations")),
      ...groundingIn(memberOf(facts, "groundingMetadata")),
    ];
    for (const [url, text] of found) {
      if (url !== "" && text !== "" && !passages.has(url)) passages.set(url, text);
    }
  }
}

/** Citations of Anthropic: addresses with text of the pages. */
function* citationsIn(citations: unknown): Generator<readonly [string, string]> {
  for (const citation of listOf(citations)) {
    yield [textOf(memberOf(citation, "url")), oneLine(memberOf(citation, "cited_text"))];
  }
}

/** Grounding of Gemini: sentences of its answer with the numbers of the pages that they come from. */
function* groundingIn(grounding: unknown): Generator<readonly [string, string]> {
  const chunks = listOf(memberOf(grounding, "groundingChunks"));
  for (const support of listOf(memberOf(grounding, "groundingSupports"))) {
    const text = oneLine(memberOf(support, "segment", "text"));
    for (const index of listOf(memberOf(support, "groundingChunkIndices"))) {
      yield [textOf(memberOf(chunks[Number(index)], "web", "uri")), text];
    }
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function oneLine(value: unknown): string {
  return textOf(value).replaceAll(/\s+/gu, " ").trim();
}

function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
}

/** Passages: what a line of the answer says about the address that it names. */
function passagesIn(answer: string): ReadonlyMap<string, string> {
  const passages = new Map<string, string>();
  for (const line of answer.split("\n")) {
    const [url] = /https?:\/\/[^\s)\]>]+/u.exec(line) ?? [];
    const passage = line
      .replaceAll(/\(?\[[^\]]*\]\([^)]*\)\)?|https?:\/\/\S+/gu, "")
      .replace(/^[\s*\d.:–-]+/u, "")
      .trim();
    if (url !== undefined && passage !== "" && !passages.has(url)) passages.set(url, passage);
  }
  return passages;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
