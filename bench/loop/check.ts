/** Stops the comparison if a contestant did not do the work. */
export function check(isRight: boolean, what: unknown): void {
  if (!isRight) throw new Error(`The run went wrong: ${JSON.stringify(what)}`);
}
