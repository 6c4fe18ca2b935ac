import type { HaftEvent } from "../../core/index.ts";
import type { EventBus } from "../../session/index.ts";

/** The maker of a call or of a run, as far as it is known. */
export interface RunSource {
  readonly sessionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly agentId?: string | undefined;
}

/** Runs that calls have started: agents and other sessions, however deep, and also after their callers have ended. */
export interface RunCallers {
  /** Notes the call that starts a run. */
  begin(run: RunSource & { readonly runId: string }, caller: RunSource): void;
  /** Notes the end of a run; does nothing for a run that no call started. */
  end(runId: string): void;
  /**
   * The source itself, then the caller that started its run, and so on up to the run that no call started. With
   * `since`, up to a run that had begun by then.
   */
  above(source: RunSource, since?: number): readonly RunSource[];
  /** Whether a call has started the run, and before a moment. */
  beganBefore(runId: string | undefined, since: number): boolean;
  /** Number of runs that have begun: a moment for `since`. */
  readonly begun: () => number;
  /** Runs that have not ended. */
  running(): readonly RunSource[];
}

/** Something that applies to a caller and to all that it starts, such as the limits of a skill. */
export interface Use {
  /** Whether it applies to the calls of a source. */
  readonly appliesTo: (source: RunSource) => boolean;
  /** Takes in an event; returns whether it applies to nothing any more. */
  readonly isOver: (event: HaftEvent) => boolean;
}

interface StartedRun {
  readonly run: RunSource;
  readonly caller: RunSource;
  /** Number of runs that had begun before. */
  readonly place: number;
  isRunning: boolean;
}

export function runCallers(): RunCallers {
  const started = new Map<string, StartedRun>();
  let begun = 0;
  const above = (source: RunSource, since = 0): readonly RunSource[] => {
    const chain = [source];
    const seen = new Set<string>();
    for (let at = source; at.runId !== undefined && !seen.has(at.runId);) {
      seen.add(at.runId);
      const run = started.get(at.runId);
      if (run === undefined || run.place < since) break;
      chain.push(run.caller);
      at = run.caller;
    }
    return chain;
  };
  const running = (): readonly RunSource[] =>
    [...started.values()].filter(({ isRunning }) => isRunning).map(({ run }) => run);
  return {
    begin(run, caller) {
      started.set(run.runId, { run, caller, place: begun, isRunning: true });
      begun += 1;
    },
    end(runId) {
      const ended = started.get(runId);
      if (ended === undefined) return;
      ended.isRunning = false;
      const needed = new Set(running().flatMap((run) => above(run).map((each) => each.runId)));
      for (const [id, each] of started) if (!each.isRunning && !needed.has(id)) started.delete(id);
    },
    above,
    beganBefore: (runId = "", since) => (started.get(runId)?.place ?? since) < since,
    begun: () => begun,
    running,
  };
}

/** Notes the agents that calls start, by their events, and the ends of all runs. */
export function followRuns(callers: RunCallers, bus: Pick<EventBus, "subscribe">): void {
  bus.subscribe((event) => {
    if (event.type === "run-end") callers.end(event.runId);
    else if (event.type === "agent-end") callers.end(event.agent.runId);
    else if (event.type === "agent-start") {
      const { agentId, runId, sessionId, parentAgentId } = event.agent;
      const caller = { sessionId, runId: event.parentRunId, agentId: parentAgentId };
      callers.begin({ sessionId, runId, agentId }, caller);
    }
  }, readEvents);
}

const readEvents: ReadonlySet<HaftEvent["type"]> = new Set(["run-end", "agent-end", "agent-start"]);

/**
 * Something that a caller uses: it applies to the caller's session until its run has ended, and to the agents and
 * sessions that were started meanwhile until these have ended. `endsOf` tells whether an event is the end of the run.
 */
export function useOf(
  caller: RunSource,
  callers: RunCallers,
  endsOf: (event: HaftEvent) => boolean,
): Use {
  let hasEnded = false;
  const since = callers.begun();
  const isOwn = ({ sessionId, runId }: RunSource): boolean =>
    (runId !== undefined && runId === caller.runId) ||
    // An agent works in the session of its caller.
    (!hasEnded && sessionId === caller.sessionId && !callers.beganBefore(runId, since));
  const appliesTo = (source: RunSource): boolean => callers.above(source, since).some(isOwn);
  return {
    appliesTo,
    isOver(event) {
      hasEnded ||= endsOf(event);
      return hasEnded && !callers.running().some(appliesTo);
    },
  };
}
