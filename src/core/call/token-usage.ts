/** Number of tokens that a provider counted. */
export interface TokenUsage {
  /** Tokens of the request, including those read from and written to the provider's cache. */
  readonly input: number;
  /** Tokens of the answer, including reasoning. */
  readonly output: number;
  /** Part of `input` that was read from the cache. Default: 0. */
  readonly cacheRead?: number;
  /** Part of `input` that was written to the cache. Default: 0. */
  readonly cacheWrite?: number;
  /** Part of `output` that was reasoning. Default: 0. */
  readonly reasoning?: number;
}
