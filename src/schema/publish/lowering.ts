import type { JsonSchema } from "../../core/index.ts";
import type { Dialect } from "./dialects.ts";

/** A keyword that a provider's dialect could not express, with its position. */
export interface DroppedKeyword {
  /** JSON pointer to its position, "" for the top level. */
  readonly path: string;
  readonly keyword: string;
}

/** Inputs of the lowering of one document, and the list of what it lost. */
export interface Lowering {
  readonly root: JsonSchema;
  readonly dialect: Dialect;
  readonly dropped: DroppedKeyword[];
}
