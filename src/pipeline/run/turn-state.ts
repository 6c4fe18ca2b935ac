import type { CallOptions } from "../../core/index.ts";
import { RecentMap } from "../../text/index.ts";

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

/** Agents whose turns are remembered. */
const maxAgents = 1000;

type Numbered = Pick<CallOptions, "sessionId" | "agentId" | "turn">;

/** The latest turn of each agent, so that the user's answer about a turn applies to calls that arrive one by one. */
export class Turns {
  readonly #latest = new RecentMap<string, { readonly turn: number; readonly state: TurnState }>(
    maxAgents,
  );

  /** The turn that a call says it belongs to; a call that says nothing is a turn of its own. */
  of(options: Numbered): TurnState {
    const { turn } = options;
    if (turn === undefined) return new TurnState();
    const known = this.#latest.get(keyOf(options));
    return known?.turn === turn ? known.state : this.begin(options);
  }

  /** A fresh turn, also where a run before counted to the same number. */
  begin(options: Numbered): TurnState {
    const state = new TurnState();
    if (options.turn !== undefined) {
      this.#latest.set(keyOf(options), { turn: options.turn, state });
    }
    return state;
  }
}

function keyOf({ sessionId, agentId }: Numbered): string {
  return JSON.stringify([sessionId, agentId]);
}
