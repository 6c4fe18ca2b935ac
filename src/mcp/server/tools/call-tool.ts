import type { McpToolkit } from "./mcp-toolkit.ts";
import type { Outcome, ProgressUpdate, TraceParent } from "../../../core/index.ts";
import type { Question } from "../approval/question.ts";
import { openCallClient } from "./call-client.ts";
import { isRecord, visibleName } from "../../../text/index.ts";
import { RpcError } from "../protocol/json-rpc.ts";
import { outputReporter } from "../protocol/log-messages.ts";
import type { Result, Running } from "../protocol/server-context.ts";
import { isPublishable, isSelected } from "./tool-list.ts";
import { toolResult } from "./tool-result.ts";
import { metaOf, type Era } from "../protocol/versions.ts";
import type { Channel } from "../transport/transport.ts";

/** Small enough that uncounted updates between two counted figures stay between them. */
const uncountedStep = 0.001;

/**
 * Converts a call's updates to progress notifications whose figure always grows, as the protocol requires: an update
 * without a count advances it by a small step; one that counts backwards and has no new message is dropped. Undefined
 * if the client asked for no progress.
 */
export function progressReporter(
  token: unknown,
  channel: Channel,
): ((update: ProgressUpdate) => void) | undefined {
  if (typeof token !== "string" && !Number.isInteger(token)) return undefined;
  let last: number | undefined;
  let isCounting = false;
  return ({ done, total, message }) => {
    const advances =
      done !== undefined && Number.isFinite(done) && (last === undefined || done > last);
    if (!advances && message === undefined) return;
    if (channel.isCongested?.() === true) return;
    isCounting ||= advances;
    last = advances ? done : (last ?? 0) + (isCounting ? uncountedStep : 1);
    channel.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: {
        progressToken: token,
        progress: last,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    });
  };
}

export type CallSurroundings = Omit<Running, "request"> & { readonly task?: TaskOfCall };

/** Task that a call is, or may become. */
export interface TaskOfCall {
  readonly callId: string;
  /** Asks the client of the task; undefined while the call is not one. */
  ask(question: Question): Promise<unknown> | undefined;
}

/**
 * Handles `tools/call`. A failure inside the call is a result that a model can read; only an invalid request or an
 * unknown tool is a protocol error.
 */
export async function callTool(
  params: Readonly<Record<string, unknown>>,
  { server, era, signal, direct, task }: CallSurroundings,
): Promise<Result> {
  const { toolkit, channel, options, state } = server;
  const { name, arguments: input = {} } = params;
  if (typeof name !== "string") throw new RpcError("invalidParams", "tools/call needs a name.");
  if (!isRecord(input)) throw new RpcError("invalidParams", "arguments must be an object.");
  if (!isSelected(name, options.tools)) throw notOffered(name);
  const onProgress = progressReporter(metaOf(params)["progressToken"], channel);
  const logLevel = era.kind === "legacy" ? state.logLevel : undefined;
  const onWaiting = (): void => onProgress?.({ message: "Waiting for an answer from the client." });
  const client = await openCallClient({
    server,
    params,
    era,
    signal,
    direct,
    onWaiting,
    askTask: task === undefined ? undefined : (question) => task.ask(question),
  });
  let outcome: Outcome;
  try {
    outcome = await toolkit.call(
      { id: task?.callId ?? toolkit.newId("mcp"), name, input },
      {
        signal,
        inOrder: true,
        trace: traceOf(params),
        sessionId: options.sessionId,
        onProgress,
        onOutput: outputReporter(name, logLevel, channel),
        services: client.services,
        onAsk: client.onAsk,
      },
    );
  } finally {
    client.end();
  }
  // A call with a decision found its tool, so the code comes from something that the tool itself called.
  if (outcome.error?.code === "UNKNOWN_TOOL" && outcome.decision === undefined) {
    const { message, hint, data } = outcome.error;
    throw new RpcError("invalidParams", hint === undefined ? message : `${message} ${hint}`, {
      ...data,
      code: "UNKNOWN_TOOL",
    });
  }
  return (
    client.instead(outcome) ?? toolResult(outcome, era, promisedSchema(toolkit, outcome.tool, era))
  );
}

function notOffered(name: string): RpcError {
  return new RpcError(
    "invalidParams",
    `This server does not offer the tool ${visibleName(name)}. Use one of tools/list.`,
    { code: "UNKNOWN_TOOL" },
  );
}

/** Trace that the client sent with its request. */
function traceOf(params: Readonly<Record<string, unknown>>): TraceParent {
  const { traceparent, tracestate } = metaOf(params);
  return {
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    ...(typeof tracestate === "string" ? { tracestate } : {}),
  };
}

function promisedSchema(toolkit: McpToolkit, tool: string, era: Era): unknown {
  const schema = toolkit.listings().find((listing) => listing.name === tool)?.outputSchema;
  return isPublishable(schema, era) ? schema : undefined;
}
