import type { Denial, NewEvent } from "../../core/index.ts";
import type { Model, RunBudget, Snapshot } from "../../agent/index.ts";

/** A run that is active, with what the runs that it starts share with it. */
export interface ActiveRun {
  readonly runId: string;
  readonly sessionId: string;
  readonly agentId?: string | undefined;
  readonly parentAgentId?: string | undefined;
  /** Number of agents between this one and the agent that talks to the user. */
  readonly depth: number;
  readonly model: Model;
  /** Model for summaries; undefined: the model of the run. */
  readonly backgroundModel: Model | undefined;
  readonly budget: RunBudget;
  /** Fires when the run is aborted or its deadline passes. */
  readonly signal: AbortSignal;
  /** Returns what the model sees at this moment; undefined before the first turn. */
  readonly snapshot: () => Promise<Snapshot | undefined>;
  /** Ends the run after its present calls, with this text as its answer; false if its answer has a schema. */
  readonly yieldWith: (text: string) => boolean;
  /** Whether its conversation takes stored messages. */
  readonly readsMail: boolean;
  /** Adds refused calls of an agent that the run started. */
  readonly addDenials: (denials: readonly Denial[]) => void;
}

/** Active runs of a kit and the kits derived from it, by id. */
export type ActiveRuns = Map<string, ActiveRun>;

/** Event of a task with the place of its run among the agents. */
export function withRun(event: NewEvent, runs: ActiveRuns): NewEvent {
  const run = event.runId === undefined ? undefined : runs.get(event.runId);
  return run === undefined
    ? event
    : { ...event, parentAgentId: run.parentAgentId, depth: run.depth };
}
