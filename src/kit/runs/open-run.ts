import type { RunOptions } from "../../agent/index.ts";

/** Options of a run whose models are open, with its ids. */
export type OpenRun = Omit<RunOptions, "toolkit"> & {
  readonly runId: string;
  readonly sessionId: string;
};
