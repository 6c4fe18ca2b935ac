/** State shared by the calls of one turn: the user's answer about all of them. */
export class TurnState {
  /** Set once the user has refused the rest of the turn. */
  denied: { readonly reason: string | undefined } | undefined = undefined;
  #isAborted = false;
  #ending: AbortController | undefined;

  get aborted(): boolean {
    return this.#isAborted;
  }

  /** Fires when the user ends the turn; created only for turns whose calls may run concurrently. */
  get signal(): AbortSignal {
    if (this.#ending === undefined) {
      this.#ending = new AbortController();
      if (this.#isAborted) this.#ending.abort();
    }
    return this.#ending.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#ending?.abort();
  }
}
