import { ToolError } from "../../core/index.ts";
import type { Channel } from "./channel.ts";
import { isRecord } from "./json-rpc.ts";
import type { ConnectionState } from "./server-side.ts";
import { visibleText } from "./visible-text.ts";
import type { Question } from "./question.ts";

/** What a question needs of the call it belongs to. */
export interface Asking {
  readonly state: ConnectionState;
  /** Of the call: closed once the call is. */
  readonly channel: Channel;
  readonly direct: Channel;
  /** Fires when the call is over, however it ends. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called while the client takes its time. */
  readonly onWaiting: () => void;
}

/** Open questions one client is held to. */
const maxWaiting = 16;
/** A client that gives calls a minute, and more with each sign of life, must not give up on one that waits for it. */
const signOfLifeMs = 10_000;
const maxErrorChars = 500;

/**
 * Sends a question as a request of our own, as the revisions with `initialize` have it, and resolves with the
 * client's result. When the call ends or time is up, the client is told to forget it.
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
    hint: "Go on without the answer, or ask again when somebody is there.",
    data: { timeoutMs },
  });
}

function refusedBy(method: string, error: unknown): ToolError {
  const { code, message } = isRecord(error) ? error : {};
  const said =
    typeof message === "string" ? visibleText(message).slice(0, maxErrorChars) : "no reason";
  return new ToolError("UNAVAILABLE", `The client refused ${method}: ${said}`, {
    hint: "Go on without the answer.",
    data: typeof code === "number" ? { method, code } : { method },
  });
}
