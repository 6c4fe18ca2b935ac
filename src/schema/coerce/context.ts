import type { Repair } from "../../core/index.ts";

/** Inputs of a coercion, and the list of changes it made. */
export interface Coercion {
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly freeText: ReadonlySet<string>;
  /** Whether only keys are renamed, without changing values. */
  readonly keysOnly: boolean;
  /**
   * Whether the model wrote this number differently than JavaScript would; such a number is never converted to text.
   */
  isInexact(value: number): boolean;
  readonly repairs: Repair[];
  /** Current depth of nested interpretations; a contradictory schema would nest them without end. */
  readonly depth: number;
}
