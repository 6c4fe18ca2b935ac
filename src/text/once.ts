/** Creates a value on first request and shares it. A failure is not cached: a later request tries again. */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined;
  return async () => {
    const mine = (making ??= make());
    try {
      return await mine;
    } catch (error) {
      // Another caller may have started again in the meantime.
      if (making === mine) making = undefined;
      throw error;
    }
  };
}
