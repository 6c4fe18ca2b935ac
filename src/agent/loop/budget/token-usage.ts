import type { ModelInfo, TokenUsage } from "../../../core/index.ts";
import type { AssistantPart } from "../../../session/index.ts";
import { answerTokens } from "./estimate-tokens.ts";

type Prices = NonNullable<ModelInfo["usdPerMTok"]>;

const parts = ["cacheRead", "cacheWrite", "reasoning"] as const;

export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const sum: { -readonly [Key in keyof TokenUsage]: TokenUsage[Key] } = {
    input: one.input + other.input,
    output: one.output + other.output,
  };
  for (const part of parts) {
    if (one[part] === undefined && other[part] === undefined) continue;
    sum[part] = (one[part] ?? 0) + (other[part] ?? 0);
  }
  return sum;
}

/** Price of a request in US dollars. Tokens read from and written to the cache have prices of their own. */
export function costOf(usage: TokenUsage, prices: Prices): number {
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage;
  const fresh = Math.max(0, input - cacheRead - cacheWrite);
  const tokenPrices =
    fresh * prices.input +
    cacheRead * (prices.cacheRead ?? prices.input) +
    cacheWrite * (prices.cacheWrite ?? prices.input) +
    output * prices.output;
  return tokenPrices / 1_000_000;
}

/** Usage that a budget counts: what the provider did not report, as with an answer that broke, is estimated. */
export function countedUsage(
  usage: TokenUsage,
  {
    inputTokens,
    content,
  }: { readonly inputTokens: number; readonly content: readonly AssistantPart[] },
): TokenUsage {
  return {
    ...usage,
    input: usage.input === 0 ? inputTokens : usage.input,
    output: usage.output === 0 ? answerTokens(content) : usage.output,
  };
}
