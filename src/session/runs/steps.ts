/**
 * Stores the results of a run's steps, so that a durable engine can resume an interrupted run: a step with a recorded
 * result does not run again. Keys are stable: `llm:<turn>` for a model's answer, `tool:<callId>` for a call. Results
 * are serializable as JSON.
 */
export interface Steps {
  /** Returns the recorded result of a step, or does its work and records the result. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs several steps together. `work` gets the keys without a recorded result, in order, and records each result as
   * soon as it is known; all of them must be recorded when it resolves. Results are in the order of `keys`.
   */
  runAll<T>(keys: readonly string[], work: StepBatch<T>): Promise<readonly T[]>;
}

/** Works on the steps that have no recorded result, and records each result as it arrives. */
export type StepBatch<T> = (
  missing: readonly string[],
  record: (key: string, result: T) => void,
) => Promise<void>;

/** Steps without storage: each runs once, in place. */
export const ephemeralSteps: Steps = {
  run: async (_key, work) => await work(),
  runAll: async <T>(keys: readonly string[], work: StepBatch<T>): Promise<readonly T[]> => {
    const results = new Map<string, T>();
    await work(keys, (key, result) => results.set(key, result));
    return keys.map((key) => resultOf(results, key));
  },
};

/** Result recorded under a key; a missing one is an error of the code that did the work. */
export function resultOf<T>(results: ReadonlyMap<string, T>, key: string): T {
  const result = results.get(key);
  if (result === undefined) throw new TypeError(`Step ${key} ended without a result.`);
  return result;
}
