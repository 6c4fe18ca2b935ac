import type { Toolkit } from "../../core/index.ts";

/** What the server asks of a toolkit. */
export type McpToolkit = Pick<Toolkit, "call" | "definitions" | "listings" | "subscribe" | "newId">;
