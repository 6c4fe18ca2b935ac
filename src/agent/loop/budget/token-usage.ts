import type { ModelInfo, TokenUsage } from "../../../core/index.ts";

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

/** Usage that a budget counts: for a model that does not report any, the estimate of the request. */
export function countedUsage(usage: TokenUsage, estimatedInput: number): TokenUsage {
  const isReported = usage.input > 0 || usage.output > 0;
  return isReported ? usage : { input: estimatedInput, output: 0 };
}
