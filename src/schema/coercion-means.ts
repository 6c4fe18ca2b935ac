import type { Repair } from "../core/index.ts";

/** What a coercion may use, and the list of changes it made. */
export interface Coercion {
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly freeText: ReadonlySet<string>;
  /** Only keys are renamed; no value is changed. */
  readonly keysOnly: boolean;
  /** Whether the model wrote this number in another way than JavaScript does: no text is made of it. */
  isInexact(value: number): boolean;
  readonly repairs: Repair[];
  /** Readings of readings so far; there is no end to them in a schema that contradicts itself. */
  readonly depth: number;
}
