import type { CallState } from "../call-state.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { plainJson } from "../../text/index.ts";

/**
 * Stores the data that the tool needs to undo a call itself.
 *
 * Runs after the run, because only then are there changes to undo and an outcome to undo them with.
 */
export async function keepCompensation(
  state: CallState,
  environment: PipelineEnvironment,
): Promise<void> {
  const { tool, result, error, options, key, input } = state;
  const { compensations } = environment;
  if (compensations === undefined || tool?.undo === undefined || !state.hasRun) return;
  if (error !== undefined || result === undefined || result.isError === true) return;
  const { content, structuredContent, metadata = {} } = result;
  const outcome = plainJson({ content, structuredContent, metadata }, (text) => text);
  const { sessionId, agentId } = options;
  const isKept =
    outcome !== undefined &&
    (await compensations.keep({
      callId: key,
      tool: tool.name,
      input,
      outcome,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(agentId === undefined ? {} : { agentId }),
      at: environment.now(),
    }));
  if (isKept) state.undo ??= { callId: key, level: "full" };
}
