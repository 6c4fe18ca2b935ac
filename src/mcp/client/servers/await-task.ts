import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../../../core/index.ts";
import { isRecord, visibleText } from "../../../text/index.ts";
import type { RequestLimits, SendRequest, ServerRequest } from "./follow-request.ts";

/** Answers a request that a task makes to the client. */
export type AnswerInput = (method: string, params: unknown) => Promise<unknown>;

export interface TaskCall {
  readonly send: SendRequest;
  readonly answerInput: AnswerInput;
  /** Revisions without `initialize`, in which the state of a task has its result and its questions. */
  readonly isModern: boolean;
}

/** Member of the metadata of a result that says that a call became a task. */
export const taskMember = "haft/task";

const minPollMs = 50;
const maxPollMs = 5000;
const defaultPollMs = 500;
/** Milliseconds for one question about a task. */
const requestMs = 60_000;
const maxIdChars = 1000;
/** Maximum number of questions that one task may ask. */
const maxInputs = 50;

interface TaskState {
  readonly id: string;
  readonly status: string;
  readonly message: string | undefined;
  readonly pollMs: number;
}

/**
 * A message in which a call became a task, as a result that the client library lets through: it knows no other kinds of
 * results than those of the core protocol.
 */
export function withTaskAsResult<T>(message: T): T {
  const result = isRecord(message) ? message["result"] : undefined;
  if (!isRecord(result) || result["resultType"] !== "task") return message;
  const complete = { resultType: "complete", content: [], _meta: { [taskMember]: result } };
  return { ...message, result: complete };
}

/** Result of a call that may become a task: it is followed until it has ended, and cancelled with the call. */
export async function resultOfCall(
  request: ServerRequest,
  limits: RequestLimits,
  call: TaskCall,
): Promise<unknown> {
  const first = await call.send(request, limits);
  const started = startedTask(first, call.isModern);
  if (started === undefined) return first;
  const deadline = Date.now() + (limits.totalMs ?? limits.idleMs);
  try {
    return await followTask(started, { limits, call, deadline });
  } catch (error) {
    await call
      .send(
        { method: "tasks/cancel", params: { taskId: started.id } },
        { idleMs: 1000, totalMs: 1000 },
      )
      .catch(() => undefined);
    throw error;
  }
}

interface Following {
  readonly limits: RequestLimits;
  readonly call: TaskCall;
  readonly deadline: number;
}

async function followTask(started: TaskState, following: Following): Promise<unknown> {
  const { limits, call, deadline } = following;
  const { signal, caller } = limits;
  const answered = new Set<string>();
  let task = started;
  let progress = 0;
  for (;;) {
    await delay(task.pollMs, undefined, { signal });
    if (Date.now() > deadline) throw late();
    const params = { taskId: task.id };
    const each = { idleMs: requestMs, totalMs: requestMs, signal, caller };
    const state = await call.send({ method: "tasks/get", params }, each);
    const next = readTask(state);
    if (next === undefined || next.id !== task.id) throw invalid();
    if (next.message !== undefined && next.message !== task.message) {
      progress += 1;
      limits.onProgress?.({ progress, message: next.message });
    }
    task = next;
    switch (task.status) {
      case "working":
        continue;
      case "input_required":
        if (!call.isModern) return await legacyResult(task, following);
        await answerInputs(state, { task, answered, following });
        continue;
      case "completed":
        return call.isModern && isRecord(state)
          ? state["result"]
          : await legacyResult(task, following);
      default:
        throw ended(task, state);
    }
  }
}

/** Waits for the result, in the revisions in which the server asks its questions meanwhile. */
async function legacyResult(
  task: TaskState,
  { limits, call, deadline }: Following,
): Promise<unknown> {
  const { signal, caller } = limits;
  const left = Math.max(1, deadline - Date.now());
  return await call.send(
    { method: "tasks/result", params: { taskId: task.id } },
    { idleMs: left, totalMs: left, signal, caller },
  );
}

interface Inputs {
  readonly task: TaskState;
  /** Names of questions that have an answer. */
  readonly answered: Set<string>;
  readonly following: Following;
}

/** Answers the questions of a task, each once. */
async function answerInputs(state: unknown, inputs: Inputs): Promise<void> {
  const { task, answered, following } = inputs;
  const { limits, call } = following;
  const asked = isRecord(state) ? state["inputRequests"] : undefined;
  const open = Object.entries(isRecord(asked) ? asked : {}).filter(([key]) => !answered.has(key));
  if (open.length === 0) return;
  if (answered.size + open.length > maxInputs) throw invalid();
  const responses: [string, unknown][] = [];
  for (const [key, request] of open) {
    answered.add(key);
    const { method, params } = isRecord(request) ? request : {};
    responses.push([key, await call.answerInput(String(method), params)]);
  }
  const params = { taskId: task.id, inputResponses: Object.fromEntries(responses) };
  const { signal, caller } = limits;
  await call.send(
    { method: "tasks/update", params },
    { idleMs: requestMs, totalMs: requestMs, signal, caller },
  );
}

function startedTask(result: unknown, isModern: boolean): TaskState | undefined {
  if (!isRecord(result)) return undefined;
  const meta = result["_meta"];
  const given = isModern ? (isRecord(meta) ? meta[taskMember] : undefined) : result["task"];
  if (given === undefined) return undefined;
  const task = readTask(given);
  if (task === undefined) throw invalid();
  return task;
}

function readTask(given: unknown): TaskState | undefined {
  if (!isRecord(given)) return undefined;
  const { taskId, status, statusMessage } = given;
  if (typeof taskId !== "string" || taskId.length > maxIdChars || typeof status !== "string") {
    return undefined;
  }
  const wanted = given["pollIntervalMs"] ?? given["pollInterval"];
  const pollMs = typeof wanted === "number" && wanted >= 0 ? wanted : defaultPollMs;
  return {
    id: taskId,
    status,
    message: typeof statusMessage === "string" ? statusMessage : undefined,
    pollMs: Math.min(maxPollMs, Math.max(minPollMs, pollMs)),
  };
}

function ended({ status, message }: TaskState, state: unknown): ToolError {
  const error = isRecord(state) ? state["error"] : undefined;
  const said = isRecord(error) && typeof error["message"] === "string" ? error["message"] : message;
  const why = said === undefined ? "" : `: ${visibleText(said.slice(0, maxIdChars))}`;
  const how = visibleText(status.slice(0, 64));
  return new ToolError("TOOL_FAILED", `The task of the call is ${how}${why}`, {
    hint: "Check whether the call took effect before you repeat it.",
    retryable: false,
  });
}

function late(): ToolError {
  return new ToolError("TIMEOUT", "The task of the call did not end in time.", {
    hint: "Check whether the call took effect before you repeat it.",
    retryable: false,
  });
}

function invalid(): ToolError {
  return new ToolError("TOOL_FAILED", "The server sent a task that is not valid.", {
    hint: "Check whether the call took effect before you repeat it.",
    retryable: false,
  });
}
