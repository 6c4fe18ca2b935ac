import { narrowHost, type PreviewResult } from "../core/index.ts";
import { toolOf, type CallState } from "./call-state.ts";
import type { PipelineEnvironment } from "./environment.ts";
import { lookingContext } from "./looking-context.ts";

/** What the call would change, by its tool's own account, on a host that only reads; undefined where the tool has none. */
export async function previewCall(
  state: CallState,
  environment: PipelineEnvironment,
): Promise<PreviewResult | undefined> {
  const tool = toolOf(state);
  if (tool.preview === undefined) return undefined;
  const narrowed = narrowHost(environment.host, { grant: "read-only", cwd: environment.cwd });
  try {
    return await tool.preview(state.input, lookingContext(state, environment, narrowed.host));
  } finally {
    narrowed.revoke();
  }
}
