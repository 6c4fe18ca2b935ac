import type { ObservableToolkit, Toolkit } from "../../../core/index.ts";

/** Part of a toolkit that the server uses. */
export type McpToolkit = Pick<Toolkit, "call" | "definitions" | "listings" | "newId"> &
  ObservableToolkit;
