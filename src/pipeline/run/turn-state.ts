/** What the calls of one turn share: a person's word about all of them. */
export class TurnState {
  /** Set once a person refused the rest of the turn. */
  denied: { readonly reason: string | undefined } | undefined = undefined;
  #isAborted = false;
  #ending: AbortController | undefined;

  get aborted(): boolean {
    return this.#isAborted;
  }

  /** Fires when a person ends the turn; made only for turns whose calls may run side by side. */
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
