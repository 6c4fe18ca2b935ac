import type { JsonSchema } from "../core/index.ts";
import type { Dialect } from "./dialects.ts";

/** A keyword that a provider's dialect could not carry, and where it stood. */
export interface DroppedKeyword {
  /** A JSON pointer to where it stood, "" for the top level. */
  readonly path: string;
  readonly keyword: string;
}

/** What the lowering of one document goes by, and the list of what it lost. */
export interface Lowering {
  readonly root: JsonSchema;
  readonly dialect: Dialect;
  readonly dropped: DroppedKeyword[];
}
