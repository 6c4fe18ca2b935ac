/** Work of one pass over the tests, as its workers read it. */
export interface Plan {
  /** Those nothing has noticed yet. */
  readonly mutants: readonly number[];
  /** A test that takes longer waits for the next pass. */
  readonly quickMs?: number;
  /** Files of an earlier pass, and their tests that waited. */
  readonly quickFiles: readonly string[];
  readonly slowTests: readonly string[];
}

/** The name of a file in the state directory. */
export function fileName(file: string): string {
  return encodeURIComponent(file);
}
