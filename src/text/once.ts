/** Makes something when it is first asked for, for all who ask. A failure may pass: whoever asks after it tries again. */
export function madeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined;
  return async () => {
    const mine = (making ??= make());
    try {
      return await mine;
    } catch (error) {
      // Somebody else may have begun anew meanwhile.
      if (making === mine) making = undefined;
      throw error;
    }
  };
}
