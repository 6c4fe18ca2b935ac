import {
  argumentError,
  contentText,
  type HaftEvent,
  type NewEvent,
  type Toolkit,
} from "../../core/index.ts";
import { runProblem } from "../../text/index.ts";
import {
  directSteps,
  repairMessages,
  userMessage,
  type Message,
  type RunLog,
  type Steps,
} from "../../session/index.ts";
import { systemClock, type RunClock } from "./clock.ts";
import { runConversation } from "./conversation.ts";
import { checkLimits, type RunLimits } from "./limits.ts";
import { runLoop } from "./loop.ts";
import type { Model } from "../models/model.ts";
import { runEvents } from "./run-events.ts";
import type { RunResult } from "./run-result.ts";
import { aborted, failed, pastDeadline, type RunStop } from "./stop-reason.ts";
import { defaultSystemPrompt } from "../system-prompt.ts";
import { definitionSource } from "./tool-definitions.ts";

export interface RunOptions {
  readonly toolkit: Toolkit;
  readonly model: Model;
  /** Task of the user. May be left out if `messages` is a conversation to go on from. */
  readonly task?: string;
  readonly limits?: RunLimits;
  /** System prompt, instead of the default one. */
  readonly system?: string;
  /** Conversation to continue; it is made legal first. With `log`, it is what the log has. */
  readonly messages?: readonly Message[];
  /** Default: a new session. */
  readonly sessionId?: string;
  /** Id of an agent that another one started. Default: the agent that talks to the user. */
  readonly agentId?: string;
  /** Id of the agent that started this one. Default: none. */
  readonly parentAgentId?: string;
  /** Number of agents between this one and the agent that talks to the user. Default: 0. */
  readonly depth?: number;
  /** Id of the run; a resumed run keeps its id. Default: a new one. */
  readonly runId?: string;
  readonly signal?: AbortSignal;
  /**
   * Log of the run. Every message is stored before the next step starts; if that fails, the run ends with the error and
   * without a further effect. Default: none.
   */
  readonly log?: RunLog;
  /** Recorder of steps. Default: that of `log`. */
  readonly steps?: Steps;
  /** Clock. Default: the system's. */
  readonly clock?: RunClock;
}

export interface AgentRun {
  readonly id: string;
  readonly sessionId: string;
  /** Every event of the run, once, from its start; ends after `run-end`. */
  readonly events: AsyncIterable<HaftEvent>;
  /** Result of the run. Never rejects: a failure is a result too. */
  readonly result: Promise<RunResult>;
  /** Ends the run soon: the model request is abandoned, calls complete as aborted. No effect once it has ended. */
  abort(reason?: string): void;
}

/** Starts an agent on a task. Invalid options throw a TypeError immediately; every other failure is in the result. */
export function startRun(options: RunOptions): AgentRun {
  const limits = checkLimits(options.limits);
  const problem = runProblem(options);
  if (problem !== undefined) throw argumentError(problem);
  const { toolkit, model, agentId, parentAgentId, depth = 0, log, clock = systemClock } = options;
  const id = options.runId ?? toolkit.newId("run");
  const sessionId = options.sessionId ?? toolkit.newId("session");
  const controller = new AbortController();
  let stop: RunStop = aborted("The run was aborted.");
  const end = (why: RunStop): void => {
    if (controller.signal.aborted) return;
    stop = why;
    controller.abort(why.error);
  };
  const abort = (reason?: string): void => end(aborted(reason ?? "The run was aborted."));
  const heard = runEvents(toolkit, id, sessionId);
  const identity = {
    runId: id,
    sessionId,
    depth,
    ...(agentId === undefined ? {} : { agentId }),
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
  };
  const emit = (event: NewEvent): void => toolkit.emit({ ...identity, ...event });

  const work = async (): Promise<RunResult> => {
    const definitions = definitionSource(toolkit, model.dialect ?? "mcp");
    const { deadlineMs } = limits;
    const cancelDeadline =
      deadlineMs === undefined
        ? undefined
        : clock.timer(deadlineMs, () => end(pastDeadline(deadlineMs)));
    const forget = linkSignal(options.signal, abort);
    try {
      emit({ type: "run-start", runId: id, task: taskOf(options), model: model.id });
      const result = await runLoop({
        identity,
        toolkit,
        model,
        system: options.system ?? defaultSystemPrompt,
        recorded: options.messages ?? [],
        given: givenMessages(options),
        conversation: runConversation(log),
        limits,
        steps: options.steps ?? log?.steps ?? directSteps,
        clock,
        signal: controller.signal,
        stopped: () => stop,
        definitions: async () => definitions.current(),
        emit,
      });
      emit({ type: "run-end", runId: id, status: result.status, text: result.text });
      return result;
    } finally {
      cancelDeadline?.();
      forget();
      definitions.stop();
    }
  };
  // Starts after the caller has received the run, so that no event precedes a listener.
  const result = Promise.resolve()
    .then(work)
    .catch((cause: unknown) => {
      heard.end();
      return brokenResult(cause, options);
    });
  return { id, sessionId, events: heard.events, result, abort };
}

const goOn = "Continue with the task.";

/** Messages that the run adds to the conversation: the task, or a request to continue after the model had ended. */
function givenMessages({ task, messages = [] }: RunOptions): readonly Message[] {
  if (task !== undefined) return [userMessage(task)];
  const last = repairMessages(messages).at(-1);
  return last?.role === "assistant" ? [userMessage(goOn)] : [];
}

/** Task as the user last stated it. */
function taskOf({ task, messages = [] }: RunOptions): string {
  if (task !== undefined) return task;
  const last = messages.findLast(({ role }) => role === "user");
  return last?.role === "user" ? contentText(last.content) : "";
}

/** Result if not even the loop could run, because the toolkit itself failed. */
function brokenResult(cause: unknown, options: RunOptions): RunResult {
  const { status, error } = failed(cause);
  return {
    status,
    text: `Stopped: ${error.message}`,
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    denials: [],
    messages: [...repairMessages(options.messages ?? []), ...givenMessages(options)],
    error: error.toJSON(),
  };
}

function linkSignal(signal: AbortSignal | undefined, abort: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const listener = (): void => abort();
  if (signal.aborted) abort();
  else signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
