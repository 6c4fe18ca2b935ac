import type { CallOptions } from "../../core/index.ts";
import { TurnState } from "./turn-state.ts";
import { RecentMap } from "../../text/index.ts";

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
