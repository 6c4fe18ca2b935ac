import type { Effect } from "../../core/index.ts";
import { classOf, type Boundary } from "../../policy/index.ts";
import type { Step } from "../step.ts";

/**
 * Records that the call is about to run, where its run is stored. A call without a result that has no such record did
 * not start.
 *
 * Runs after the checkpoint, so that everything before it can be repeated, and before run, so that no effect precedes
 * its record.
 */
export const recordIntent: Step<never, "tool" | "effects" | "checkpoint", "intent"> = (
  state,
  environment,
) => {
  const { sessionId, runId } = state.options;
  if (sessionId === undefined || runId === undefined) return undefined;
  const reach = reachOf(state.effects, environment.boundary());
  if (reach === "none") return undefined;
  const body = { tool: state.tool.name, effects: state.effects };
  return environment
    .recordCall?.({
      sessionId,
      callId: state.id,
      kind: "intent",
      isDurable: reach === "outside",
      body,
    })
    ?.then(() => undefined);
};

/** How far effects reach: repeating a call of none changes nothing, and those inside the workspace are journaled. */
export type Reach = "none" | "inside" | "outside";

export function reachOf(effects: readonly Effect[], boundary: Boundary): Reach {
  let reach: Reach = "none";
  for (const effect of effects) {
    switch (classOf(effect, boundary)) {
      case "interact":
      case "read-inside":
      case "read-outside":
      case "device":
      case "execute-listed":
        break;
      case "write-inside":
        reach = "inside";
        break;
      case "connect":
      case "connect-public":
      case "delegate":
      case "delegate-session":
      case "unknown":
      case "execute-open":
      case "execute-stop":
      case "write-outside":
        return "outside";
    }
  }
  return reach;
}
