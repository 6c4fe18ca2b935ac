import { narrowHost } from "../../grant/index.ts";
import { ToolError, type Call, type CallOptions, type Reconciliation } from "../../core/index.ts";
import { resolved } from "../step.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { lookingContext } from "../preview/read-only-context.ts";
import { lookingMs, lookWithin } from "../preview/with-deadline.ts";
import { forecastCall } from "../run/run-call.ts";
import { reachOf } from "../steps/record-intent.ts";

/**
 * Finds out whether an interrupted call took effect: it has nothing to repeat if it only reads, otherwise its tool's
 * `reconcile` looks, with a host that only reads. Never rejects; undefined if neither can tell.
 */
export async function reconcileCall(
  call: Call,
  environment: PipelineEnvironment,
  options: CallOptions,
): Promise<Reconciliation | undefined> {
  const state = await forecastCall(call, environment, { options });
  if (state.error !== undefined) return undefined;
  if (reachOf(state.effects, environment.boundary()) === "none") return "repeatable";
  const understood = resolved(state);
  const { tool } = understood;
  if (tool.reconcile === undefined) return undefined;
  const narrowed = narrowHost(environment.host, { grant: "read-only", cwd: environment.cwd });
  try {
    const context = lookingContext(understood, environment, narrowed.host);
    const looking = Promise.resolve(tool.reconcile(state.input, context));
    const found = await lookWithin(looking, { state, environment, ms: lookingMs, late });
    return found === "done" || found === "not-done" || found === "unknown" ? found : undefined;
  } catch {
    return undefined;
  } finally {
    narrowed.revoke();
  }
}

function late(): ToolError {
  return new ToolError("TIMEOUT", "The tool did not say in time whether its call took effect.");
}
