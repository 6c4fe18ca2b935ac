import type { TokenUsage } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import type { Provider } from "./provider-table.ts";

type Part = Readonly<Record<string, unknown>>;

/** Token usage of a finish part. Version 2 of the specification gives plain numbers, later ones a breakdown. */
export function usageOf(finish: Part, provider: Provider): TokenUsage {
  const usage = isRecord(finish["usage"]) ? finish["usage"] : {};
  const { inputTokens, outputTokens } = usage;
  return isRecord(inputTokens) || isRecord(outputTokens)
    ? detailedUsage(record(inputTokens), record(outputTokens))
    : plainUsage(usage, provider, metadataOf(finish, provider));
}

function detailedUsage(input: Part, output: Part): TokenUsage {
  const { noCache, cacheRead, cacheWrite } = input;
  return tokenUsage({
    input: count(input["total"]) ?? sum(noCache, cacheRead, cacheWrite),
    output: count(output["total"]) ?? sum(output["text"], output["reasoning"]),
    cacheRead: count(cacheRead),
    cacheWrite: count(cacheWrite),
    reasoning: count(output["reasoning"]),
  });
}

function plainUsage(usage: Part, provider: Provider, metadata: Part): TokenUsage {
  const cacheRead = count(usage["cachedInputTokens"]);
  const cacheWrite =
    count(metadata["cacheCreationInputTokens"]) ??
    count(record(metadata["usage"])["cacheWriteInputTokens"]);
  const omitted = provider.plainUsageOmitsCache === true ? sum(cacheRead, cacheWrite) : 0;
  return tokenUsage({
    input: sum(usage["inputTokens"]) + omitted,
    output: sum(usage["outputTokens"]),
    cacheRead,
    cacheWrite,
    reasoning: count(usage["reasoningTokens"]),
  });
}

/** Usage without the parts that the provider did not count. */
function tokenUsage(usage: {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number | undefined;
  readonly cacheWrite: number | undefined;
  readonly reasoning: number | undefined;
}): TokenUsage {
  const { input, output, cacheRead, cacheWrite, reasoning } = usage;
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

function metadataOf(finish: Part, { optionKeys }: Provider): Part {
  const metadata = record(finish["providerMetadata"]);
  return record(optionKeys.map((key) => metadata[key]).find(isRecord));
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function sum(...values: readonly unknown[]): number {
  return values.reduce<number>((total, value) => total + (count(value) ?? 0), 0);
}

function record(value: unknown): Part {
  return isRecord(value) ? value : {};
}
