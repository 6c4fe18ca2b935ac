import type { CallOptions } from "../../core/index.ts";
import type { Ceiling } from "../../policy/index.ts";
import type { EventBus } from "../../session/index.ts";
import type { RuleBook } from "../rules/rule-book.ts";

/** Rules and events of the kit, which exist before a skill or command is used. */
export interface CeilingParts {
  readonly rules: () => Pick<RuleBook, "ceiling">;
  readonly bus: () => EventBus;
}

/** Limits of the skills and commands in use. */
export interface ActiveCeilings {
  /** Limits the calls of the caller's session until its run has ended. */
  activate(
    what: string,
    allowedTools: readonly string[],
    caller: Pick<CallOptions, "sessionId" | "runId">,
  ): void;
  /** Ceilings that are active in the session or the run of a call. */
  readonly of: (options: CallOptions) => readonly Ceiling[];
}

interface Active {
  readonly what: string;
  readonly sessionId: string | undefined;
  readonly runId: string | undefined;
  readonly ceiling: Ceiling;
}

export function activeCeilings({ rules, bus }: CeilingParts): ActiveCeilings {
  let active: readonly Active[] = [];
  let isListening = false;
  const listen = (): void => {
    if (isListening) return;
    isListening = true;
    bus().subscribe((event) => {
      if (event.type !== "run-end") return;
      active = active.filter(({ runId }) => runId !== event.runId);
    });
  };
  return {
    activate(what, allowedTools, { sessionId, runId }) {
      listen();
      const ceiling = rules().ceiling(allowedTools, `${what} (allowed-tools)`);
      const isKnown = active.some(
        (each) => each.what === what && each.sessionId === sessionId && each.runId === runId,
      );
      if (!isKnown) active = [...active, { what, sessionId, runId, ceiling }];
    },
    of: ({ sessionId, runId }) =>
      active
        .filter((each) => {
          // Outside of a run only the session counts.
          const isSameRun = runId !== undefined && each.runId === runId;
          return isSameRun || each.sessionId === sessionId;
        })
        .map(({ ceiling }) => ceiling),
  };
}
