/**
 * Where the results of a run's steps are kept, so that a durable engine can take up an interrupted run: a step
 * with a recorded result is not worked again. Keys are stable: `llm:<turn>` for a model's answer, `tool:<callId>`
 * for a call. Results can be carried by JSON.
 */
export interface Steps {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Steps that are worked together. `work` gets the keys without a recorded result, in order, and records each
   * result as soon as it is known; all of them once it resolves. Results come in the order of `keys`.
   */
  runAll<T>(keys: readonly string[], work: WorkTogether<T>): Promise<readonly T[]>;
}

export type WorkTogether<T> = (
  missing: readonly string[],
  record: (key: string, result: T) => void,
) => Promise<void>;

/** Steps that keep nothing: each is worked once, where it stands. */
export const directSteps: Steps = {
  run: async (_key, work) => await work(),
  runAll: async <T>(keys: readonly string[], work: WorkTogether<T>): Promise<readonly T[]> => {
    const results = new Map<string, T>();
    await work(keys, (key, result) => results.set(key, result));
    return keys.map((key) => resultOf(results, key));
  },
};

/** The result recorded under a key; a missing one is a mistake of whoever did the work. */
export function resultOf<T>(results: ReadonlyMap<string, T>, key: string): T {
  const result = results.get(key);
  if (result === undefined) throw new TypeError(`Step ${key} ended without a result.`);
  return result;
}
