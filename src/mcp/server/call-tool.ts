import type { McpToolkit } from "./mcp-toolkit.ts";
import type { Channel } from "./channel.ts";
import { isRecord, RpcError } from "./json-rpc.ts";
import { outputReporter, type LogLevel } from "./live-output.ts";
import { progressReporter } from "./progress.ts";
import { isPublishable } from "./tool-list.ts";
import { toolResult } from "./tool-result.ts";
import { metaOf, type Era } from "./versions.ts";

export interface CallSurroundings {
  readonly toolkit: McpToolkit;
  readonly channel: Channel;
  readonly era: Era;
  readonly signal: AbortSignal;
  readonly logLevel: LogLevel | undefined;
  readonly sessionId: string | undefined;
}

/**
 * Answers `tools/call`. Whatever goes wrong inside the call is a result a model can read; only a request
 * that is none, or a tool that is not there, is an error of the protocol.
 */
export async function callTool(
  params: Readonly<Record<string, unknown>>,
  { toolkit, channel, era, signal, logLevel, sessionId }: CallSurroundings,
): Promise<Readonly<Record<string, unknown>>> {
  const { name, arguments: input = {} } = params;
  if (typeof name !== "string") throw new RpcError("invalidParams", "tools/call needs a name.");
  if (!isRecord(input)) throw new RpcError("invalidParams", "arguments must be an object.");
  const outcome = await toolkit.call(
    { id: toolkit.newId("mcp"), name, input },
    {
      signal,
      inOrder: true,
      sessionId,
      onProgress: progressReporter(metaOf(params)["progressToken"], channel),
      onOutput: outputReporter(name, logLevel, channel),
    },
  );
  // A call that was decided found its tool: the code then comes from something the tool itself called.
  if (outcome.error?.code === "UNKNOWN_TOOL" && outcome.decision === undefined) {
    const { message, hint, data } = outcome.error;
    throw new RpcError("invalidParams", hint === undefined ? message : `${message} ${hint}`, {
      ...data,
      code: "UNKNOWN_TOOL",
    });
  }
  return toolResult(outcome, era, promisedSchema(toolkit, outcome.tool, era));
}

function promisedSchema(toolkit: McpToolkit, tool: string, era: Era): unknown {
  const schema = toolkit.listings().find((listing) => listing.name === tool)?.outputSchema;
  return isPublishable(schema, era) ? schema : undefined;
}
