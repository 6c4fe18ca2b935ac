import type { EndedProgram } from "../../core/index.ts";
import type { NarrowOptions } from "../../grant/index.ts";
import { toolOf, type CallState } from "../call-state.ts";
import type {
  CallConfinement,
  ConfinementAccount,
  ConfineRequest,
  PipelineEnvironment,
} from "../environment.ts";

export interface ConfinedPrograms {
  readonly narrowing: Pick<NarrowOptions, "confine" | "onProgramEnd">;
  /** What is to be told of them; undefined where none was started. Asked at the end; asking twice is fine. */
  readonly close: () => Promise<ConfinementAccount | undefined>;
}

/** How programs are started beside a call's own run, in its preview and its undo: confined as those of the run are. */
export function confinedPrograms(
  state: CallState,
  environment: PipelineEnvironment,
  { grant, approve }: Pick<ConfineRequest, "grant" | "approve">,
): ConfinedPrograms {
  const { confine } = environment;
  const ended: EndedProgram[] = [];
  let confining: Promise<CallConfinement> | undefined;
  let closing: Promise<ConfinementAccount | undefined> | undefined;
  let callId: string | undefined;
  const close = async (): Promise<ConfinementAccount | undefined> => {
    if (confining === undefined || callId === undefined) return undefined;
    try {
      return await (await confining).close(ended);
    } catch {
      // What could not be confined was not started, and the tool has been told why.
      return undefined;
    } finally {
      // A record that stays open says for ever that somebody is at it.
      await environment.checkpoints?.after(callId, undefined).catch(() => undefined);
    }
  };
  if (confine === undefined) return { narrowing: {}, close: async () => undefined };
  return {
    narrowing: {
      confine: async (program) => {
        const { sessionId, agentId } = state.options;
        callId ??= environment.newId(state.key);
        confining ??= confine({
          callId,
          tool: toolOf(state).name,
          grant,
          sessionId,
          agentId,
          approve,
        });
        return await (await confining).confinement(program);
      },
      onProgramEnd: (program) => ended.push(program),
    },
    close: async () => await (closing ??= close()),
  };
}
