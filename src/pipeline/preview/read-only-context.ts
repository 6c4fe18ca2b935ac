import { requireService, ToolError, type Host, type ToolContext } from "../../core/index.ts";
import type { Request } from "../call-state.ts";
import type { FieldsOf, Foreseen } from "../step.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";

/** Creates the context of a tool that may only read; its output and progress are neither shown nor stored. */
export function lookingContext(
  state: Request & FieldsOf<"tool"> & Pick<Foreseen, "grant">,
  environment: PipelineEnvironment,
  host: Host,
): ToolContext {
  const { options, grant } = state;
  return {
    host,
    workspace: environment.workspace,
    cwd: environment.cwd,
    signal: options.signal ?? new AbortController().signal,
    callId: state.id,
    toolName: state.tool.name,
    sessionId: options.sessionId,
    agentId: options.agentId,
    excludes: (path) => grant?.excludes(path, "read"),
    progress: () => undefined,
    output: { write: () => undefined },
    metadata: () => undefined,
    ask: async () => {
      throw new ToolError("UNAVAILABLE", "A preview asks no questions.", {
        hint: "Make the call to ask the user.",
      });
    },
    service: (token) =>
      options.services?.get(token) ??
      requireService(environment.services(options.sessionId), token),
  };
}
