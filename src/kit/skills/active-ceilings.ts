import type { CallOptions } from "../../core/index.ts";
import type { Ceiling } from "../../policy/index.ts";
import type { EventBus } from "../../session/index.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import { useOf, type RunCallers, type Use } from "../runs/run-callers.ts";

/** Rules, events and runs of the kit, which exist before a skill or command is used. */
export interface CeilingParts {
  readonly rules: () => Pick<RuleBook, "ceilingOfFile">;
  readonly bus: () => Pick<EventBus, "subscribe">;
  readonly callers: RunCallers;
}

/** Limits of the skills and commands in use. */
export interface ActiveCeilings {
  /**
   * Limits the calls of the caller's session until its run has ended, and those of the agents and sessions that it
   * starts until these have ended.
   */
  activate(
    what: string,
    allowedTools: readonly string[],
    caller: Pick<CallOptions, "sessionId" | "runId">,
  ): void;
  /**
   * Limits the calls of a session outside of runs, which has no end: until the next limit of this kind. Without tools it
   * lifts the last one.
   */
  limitSession(
    what: string,
    allowedTools: readonly string[] | undefined,
    sessionId: string | undefined,
  ): void;
  /** Ceilings that apply to a call. */
  readonly of: (options: CallOptions) => readonly Ceiling[];
}

interface Active {
  readonly what: string;
  readonly sessionId: string | undefined;
  readonly runId: string | undefined;
  readonly ceiling: Ceiling;
  readonly use: Use;
}

export function activeCeilings({ rules, bus, callers }: CeilingParts): ActiveCeilings {
  let active: readonly Active[] = [];
  /** Limits of sessions outside of runs. */
  const limits = new Map<string | undefined, Ceiling>();
  let isListening = false;
  const listen = (): void => {
    if (isListening) return;
    isListening = true;
    bus().subscribe((event) => {
      if (event.type !== "run-end" && event.type !== "agent-end") return;
      active = active.filter(({ use }) => !use.isOver(event));
    });
  };
  return {
    activate(what, allowedTools, { sessionId, runId }) {
      listen();
      const ceiling = rules().ceilingOfFile(allowedTools, `${what} (allowed-tools)`);
      const isKnown = active.some(
        (each) => each.what === what && each.sessionId === sessionId && each.runId === runId,
      );
      if (isKnown) return;
      // Outside of a run only the session counts, which has no end.
      const use = useOf(
        { sessionId, runId },
        callers,
        (event) => event.type === "run-end" && event.runId === runId,
      );
      active = [...active, { what, sessionId, runId, ceiling, use }];
    },
    limitSession(what, allowedTools, sessionId) {
      const limit =
        allowedTools &&
        rules().ceilingOfFile(allowedTools, `${what} (allowed-tools of the last prompt)`);
      limits.delete(sessionId);
      if (limit !== undefined) limits.set(sessionId, limit);
    },
    of: ({ sessionId, runId, agentId }) => {
      const source = { sessionId, runId, agentId };
      const used = active.filter(({ use }) => use.appliesTo(source)).map(({ ceiling }) => ceiling);
      if (limits.size === 0) return used;
      const sessions = new Set(callers.above(source).map((each) => each.sessionId));
      return [...used, ...[...limits].flatMap(([id, limit]) => (sessions.has(id) ? [limit] : []))];
    },
  };
}
