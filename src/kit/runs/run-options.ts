import type { RunOptions } from "../../agent/index.ts";
import type { ModelChoice } from "./models.ts";

/** Options of a run; the toolkit is the kit itself. */
export interface KitRunOptions extends Omit<
  RunOptions,
  "toolkit" | "model" | "fallbackModels" | "backgroundModel"
> {
  /** Model, or its name as in `"anthropic:claude-sonnet-4-5"`. Default: that of the kit. */
  readonly model?: ModelChoice;
  /** Models that are asked, in this order, when one has failed. Default: none. */
  readonly fallbackModels?: readonly ModelChoice[];
  /** Model for summaries. Default: that of the kit, then `model`. */
  readonly backgroundModel?: ModelChoice;
}

/** Options of a run whose models are open, with its ids. */
export type OpenRun = Omit<RunOptions, "toolkit"> & {
  readonly runId: string;
  readonly sessionId: string;
};
