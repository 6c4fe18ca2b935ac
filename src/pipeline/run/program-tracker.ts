import type { EndedProgram } from "../../core/index.ts";
import type { NarrowOptions } from "../../grant/index.ts";
import type { Request } from "../call-state.ts";
import type { FieldsOf } from "../step.ts";
import type {
  CallConfinement,
  ConfinementAccount,
  ConfineRequest,
} from "../environment/confinement.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";

export interface ConfinedPrograms {
  readonly narrowing: Pick<NarrowOptions, "confine" | "onProgramEnd">;
  /** Returns the report on the programs; undefined where none was started. Called at the end; safe to call twice. */
  readonly close: () => Promise<ConfinementAccount | undefined>;
}

/** Starts programs outside a call's own run, in its preview and its undo, confined like those of the run. */
export function confinedPrograms(
  state: Request & FieldsOf<"tool">,
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
      // A program that could not be confined was not started, and the tool got the error.
      return undefined;
    } finally {
      // An open record would claim indefinitely that the call is still running.
      await environment.checkpoints?.after(callId).catch(() => undefined);
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
          tool: state.tool.name,
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
