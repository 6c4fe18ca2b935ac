import type { EndedProgram, Grant, NarrowOptions } from "../core/index.ts";
import { toolOf, type CallState } from "./call-state.ts";
import type { CallConfinement, ConfinementAccount, PipelineEnvironment } from "./environment.ts";

export interface ConfinedPrograms {
  readonly narrowing: Pick<NarrowOptions, "confine" | "onProgramEnd">;
  /** What is to be told of them; undefined where none was started. Asked once, at the end. */
  close(): Promise<ConfinementAccount | undefined>;
}

/** How programs are started beside a call's own run, in its preview and its undo: confined as those of the run are. */
export function confinedPrograms(
  state: CallState,
  environment: PipelineEnvironment,
  grant: Grant,
): ConfinedPrograms {
  const { confine } = environment;
  const ended: EndedProgram[] = [];
  let confining: Promise<CallConfinement> | undefined;
  if (confine === undefined) return { narrowing: {}, close: async () => undefined };
  return {
    narrowing: {
      confine: async () => {
        confining ??= confine({
          callId: environment.newId(state.key),
          tool: toolOf(state).name,
          grant,
          sessionId: state.options.sessionId,
          agentId: state.options.agentId,
          approve: async () => undefined,
        });
        // No journal is kept of them, so what they change is changed at once.
        return await (await confining).confinement({ live: true });
      },
      onProgramEnd: (program) => ended.push(program),
    },
    async close() {
      try {
        return await (await confining)?.close(ended);
      } catch {
        // What could not be confined was not started, and the tool has been told why.
        return undefined;
      }
    },
  };
}
