import { narrowHost, ToolError, type PreviewResult } from "../core/index.ts";
import { toolOf, type CallState } from "./call-state.ts";
import type { PipelineEnvironment } from "./environment.ts";
import { lookingContext } from "./looking-context.ts";
import { lookingMs, lookWithin } from "./look-within.ts";

/** What the call would change, by its tool's own account, on a host that only reads; undefined where the tool has none. */
export async function previewCall(
  state: CallState,
  environment: PipelineEnvironment,
): Promise<PreviewResult | undefined> {
  const tool = toolOf(state);
  if (tool.preview === undefined) return undefined;
  const narrowed = narrowHost(environment.host, { grant: "read-only", cwd: environment.cwd });
  try {
    const looking = tool.preview(state.input, lookingContext(state, environment, narrowed.host));
    return await lookWithin(looking, { state, environment, ms: lookingMs, late });
  } finally {
    narrowed.revoke();
  }
}

function late(): ToolError {
  return new ToolError("TIMEOUT", `The preview was not there within ${lookingMs / 1000} s.`, {
    hint: "Run the call, or ask for less in one.",
  });
}
