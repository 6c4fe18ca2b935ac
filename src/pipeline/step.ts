import type { CallState, StateOf } from "./call-state.ts";
import type { PipelineEnvironment } from "./environment/environment.ts";

/** Where a step sends the call: on (undefined), or back, because the input or the world has changed. */
export type Next = "validate" | "effects" | undefined;

/**
 * One step of a call. It fills in the fields of its stage and returns nothing, returns where to go back to, or throws a
 * ToolError. Only a step that has something to wait for returns a promise; the others cost no tick.
 */
export type Step<Own = CallState> = (
  state: StateOf<Own>,
  environment: PipelineEnvironment,
) => Next | Promise<Next>;
