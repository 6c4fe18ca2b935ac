import type { ObservableToolkit, OnAsk, Toolkit } from "../../../core/index.ts";

/** Part of a toolkit that the server uses. */
export type McpToolkit = Pick<Toolkit, "call" | "definitions" | "listings" | "newId"> &
  ObservableToolkit & {
    /** Asks the user about what a prompt inserts, where the client may not answer. Default: as for calls of the toolkit. */
    readonly onAsk?: OnAsk | undefined;
  };
