import type { JsonSchema } from "../../core/index.ts";
import type { Dialect } from "./dialects.ts";

/** A keyword that a provider's dialect could not express, with its position. */
export interface DroppedKeyword {
  /** JSON pointer to its position, "" for the top level. */
  readonly path: string;
  readonly keyword: string;
}

/** A property that a provider's dialect calls differently, with its position. */
export interface RenamedProperty {
  /** JSON pointer to the property in the original schema. */
  readonly path: string;
  /** Name in the dialect. */
  readonly name: string;
}

/** Inputs of the lowering of one document, and the lists of what it lost and renamed. */
export interface Lowering {
  readonly root: JsonSchema;
  readonly dialect: Dialect;
  readonly dropped: DroppedKeyword[];
  readonly renamed: RenamedProperty[];
}
