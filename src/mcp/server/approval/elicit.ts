import { ToolError } from "../../../core/index.ts";
import type { Channel } from "../transport/transport.ts";
import type { ConnectionState } from "../protocol/server-context.ts";
import { isRecord, visibleText } from "../../../text/index.ts";
import type { Question } from "./question.ts";

/** Context of a question: the call it belongs to. */
export interface Asking {
  readonly state: ConnectionState;
  /** Channel of the call, closed when the call ends. */
  readonly channel: Channel;
  readonly direct: Channel;
  /** Aborted when the call ends, for whatever reason. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called repeatedly while the client has not answered. */
  readonly onWaiting: () => void;
}

/** Maximum number of open questions to one client. */
const maxWaiting = 16;
/**
 * Interval of progress messages. A client that gives calls a minute, and more with each message, must not time out a
 * call that waits for the client.
 */
const signOfLifeMs = 10_000;
const maxErrorChars = 500;

/**
 * Sends a question as a request of this server, as the revisions with `initialize` define it, and resolves with the
 * client's result. When the call ends or the time is up, the request is cancelled at the client.
 */
export async function askNow({ method, params }: Question, asking: Asking): Promise<unknown> {
  const { state, channel, direct, signal, timeoutMs, onWaiting } = asking;
  if (signal.aborted) throw overBefore();
  state.asked ??= { waiting: new Map(), count: 0 };
  const { asked } = state;
  if (asked.waiting.size >= maxWaiting) {
    throw new ToolError("LIMIT_REACHED", `The client has ${maxWaiting} questions open already.`, {
      hint: "Ask again when it has answered some of them.",
    });
  }
  asked.count += 1;
  const id = `ask-${asked.count}`;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  asked.waiting.set(id, (answer) => {
    if ("error" in answer) reject(refusedBy(method, answer.error));
    else resolve(answer.result);
  });
  const forget = (why: ToolError): void => {
    direct.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason: why.message },
    });
    reject(why);
  };
  const onAbort = (): void => forget(overBefore());
  signal.addEventListener("abort", onAbort, { once: true });
  const deadline = setTimeout(() => forget(tooLate(timeoutMs)), timeoutMs);
  const signs = setInterval(onWaiting, signOfLifeMs);
  try {
    channel.send({ jsonrpc: "2.0", id, method, params });
    onWaiting();
    return await promise;
  } finally {
    asked.waiting.delete(id);
    signal.removeEventListener("abort", onAbort);
    clearTimeout(deadline);
    clearInterval(signs);
  }
}

function overBefore(): ToolError {
  return new ToolError("ABORTED", "The call ended before the client had answered.");
}

function tooLate(timeoutMs: number): ToolError {
  return new ToolError("TIMEOUT", `The client did not answer within ${timeoutMs / 1000} s.`, {
    hint: "Continue without the answer, or ask again when a user is there.",
    data: { timeoutMs },
  });
}

function refusedBy(method: string, error: unknown): ToolError {
  const { code, message } = isRecord(error) ? error : {};
  const said =
    typeof message === "string" ? visibleText(message).slice(0, maxErrorChars) : "no reason";
  return new ToolError("UNAVAILABLE", `The client refused ${method}: ${said}`, {
    hint: "Continue without the answer.",
    data: typeof code === "number" ? { method, code } : { method },
  });
}
