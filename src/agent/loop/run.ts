import {
  anObject,
  argumentError,
  checkedOptions,
  contentText,
  type Denial,
  type HaftEvent,
  type InputSchema,
  type NewEvent,
  type OnAsk,
  type Toolkit,
} from "../../core/index.ts";
import { runForms, runProblem } from "../../text/index.ts";
import {
  ephemeralSteps,
  repairMessages,
  userMessage,
  type Message,
  type RunLog,
  type Steps,
  type UserMessage,
} from "../../session/index.ts";
import type { Model, ModelTool } from "../models/model.ts";
import { promptParts, promptText, type PromptPart } from "../system-prompt.ts";
import { budgetOfRun, smallest, type RunBudget } from "./budget/budget.ts";
import { systemClock, type RunClock } from "./clock.ts";
import type { CompactionOptions } from "./compaction/compact-messages.ts";
import { runConversation } from "./conversation.ts";
import { runEvents, type RunEvents } from "./events/run-events.ts";
import { finalOutput } from "./final-output.ts";
import { createInbox } from "./inbox.ts";
import { checkLimits, type RunLimits } from "./limits.ts";
import { runLoop } from "./loop.ts";
import type { CompactionRequests, RunGates } from "./loop-context.ts";
import type { RunResult } from "./run-result.ts";
import { aborted, failed, pastDeadline, type RunStop } from "./stop-reason.ts";
import { onAbort } from "./turn/abortable-stream.ts";
import { requestOptions, type PrepareTurn, type RequestOptions } from "./turn/prepare-turn.ts";
import { checkedRetry, type RetryOptions } from "./turn/retry.ts";
import { definitionSource } from "./turn/tool-definitions.ts";

/** Options of a run. */
export interface RunOptions extends RequestOptions {
  /** Tools of the agent. */
  readonly toolkit: Toolkit;
  /** Model of the agent. */
  readonly model: Model;
  /** Models that are asked, in this order, when one has failed. Default: none. */
  readonly fallbackModels?: readonly Model[];
  /** Model for summaries. Default: `model`. */
  readonly backgroundModel?: Model;
  /** Task of the user. Optional if `messages` is a conversation that continues. */
  readonly task?: string;
  /** Limits of the run. Default: those of `RunLimits`. */
  readonly limits?: RunLimits;
  /** Budget shared with other runs, in addition to `limits`. A run with a `depth` above 0 counts as an agent of it. */
  readonly budget?: RunBudget;
  /** System prompt as a text or in named parts. Default: `defaultPromptParts`. */
  readonly system?: string | readonly PromptPart[];
  /**
   * Schema of the final answer, a Standard Schema or a JSON Schema. The answer is validated, and the model is asked to
   * correct one that does not fit. Default: the answer is text.
   */
  readonly output?: InputSchema;
  /** Called before each turn; may change the request of that turn. */
  readonly prepareTurn?: PrepareTurn;
  /** Repetition of failed requests. */
  readonly retry?: RetryOptions;
  /** When the conversation is shortened to fit the model's context; false: never. Default: at 0.8 of a known context. */
  readonly compaction?: CompactionOptions | false;
  /**
   * Whether the run ends only when no background command or agent of it is active; the end of each reaches the model as
   * a message. Default: true.
   */
  readonly waitForBackground?: boolean;
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
  /**
   * Definitions that the model sees. A call of one that the toolkit does not have is refused. Default: those of the
   * toolkit.
   */
  readonly tools?: readonly ModelTool[];
  /** Answers questions about calls of the run. Default: that of the toolkit. */
  readonly onAsk?: OnAsk;
  /** Ends the run; its status is `aborted`. */
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

/** A run of an agent. */
export interface AgentRun {
  /** Id of the run. */
  readonly id: string;
  /** Session of the run. */
  readonly sessionId: string;
  /**
   * Events of the run, from its start, for any number of readers. A reader that is slow or late gets text in larger
   * pieces, and `events-dropped` where others had to be left out. Ends after `run-end`.
   */
  readonly events: AsyncIterable<HaftEvent>;
  /** Result of the run. Never rejects: a failure is a result too. */
  readonly result: Promise<RunResult>;
  /**
   * Sends a message of the user, which the model sees at its next turn; if it had ended, the run continues. Returns
   * false once the run has ended: start another run from `result.messages` then.
   */
  send(message: string | UserMessage): boolean;
  /** Compacts the conversation before the next turn. Resolves to whether it got shorter; false if the run ends first. */
  compact(): Promise<boolean>;
  /** Ends the run soon: the model request is abandoned, calls complete as aborted. No effect once it has ended. */
  abort(reason?: string): void;
}

/** Starts an agent on a task. Invalid options throw a TypeError immediately; every other failure is in the result. */
export function startRun(given: RunOptions): AgentRun {
  return startHeardRun(given);
}

/** Everything that a provider's cache depends on. */
export interface Snapshot {
  /** Text of the system prompt. */
  readonly system: string;
  /** Conversation so far; the calls that are made now have no results. */
  readonly messages: readonly Message[];
  /** Definitions of the tools. */
  readonly tools: readonly ModelTool[];
  readonly options: RequestOptions;
}

/** A run with what the runs that it starts share with it. */
export interface HeardRun extends AgentRun {
  /** Budget of the run, with the time that is left. */
  readonly budget: RunBudget;
  /** Fires when the run is aborted or its deadline passes. */
  readonly signal: AbortSignal;
  /** Returns what the model sees at this moment, from which a fork continues; undefined before the first turn. */
  readonly snapshot: () => Promise<Snapshot | undefined>;
  /** Ends the run after its present calls, with this text as its answer; false if its answer has a schema. */
  readonly yieldWith: (text: string) => boolean;
  /** Whether its conversation takes stored messages, as of agents that ended. */
  readonly readsMail: boolean;
  /** Adds refused calls of an agent that the run started. */
  readonly addDenials: (denials: readonly Denial[]) => void;
}

/** State of a run before it starts, while calls of an interrupted one are settled. */
export interface EarlyRun {
  /** Events so far. */
  readonly events: RunEvents;
  /** Budget of the run, from which agents of these calls have taken. */
  readonly budget: RunBudget;
}

/** Starts a run, which keeps the events and the budget that it had before. */
export function startHeardRun(given: RunOptions, early?: EarlyRun, gates?: RunGates): HeardRun {
  const options = checkedOptions("run", given, { ...runForms, toolkit: anObject });
  const limits = checkLimits(options.limits);
  const problem = runProblem(options);
  if (problem !== undefined) throw argumentError(problem);
  const { toolkit, agentId, parentAgentId, depth = 0, log, clock = systemClock } = options;
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
  const heard = early?.events ?? runEvents(toolkit, id, sessionId);
  const inbox = createInbox();
  const budget = early?.budget ?? budgetOfRun(options, () => toolkit.now());
  const requests: CompactionRequests = [];
  const denials: Denial[] = [];
  const conversation = runConversation(log);
  let system: string | undefined;
  let definitionsOf: ((model: Model) => Promise<readonly ModelTool[]>) | undefined;
  let yielding: string | undefined;
  let isOver = false;
  const identity = {
    runId: id,
    sessionId,
    depth,
    ...(agentId === undefined ? {} : { agentId }),
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
  };
  const emit = (event: NewEvent): void => toolkit.events.emit({ ...identity, ...event });

  const work = async (): Promise<RunResult> => {
    const definitions = definitionsByDialect(toolkit, sessionId, options.tools);
    // The time left to an agent above is the deadline of this run as well.
    const deadlineMs = smallest(limits.deadlineMs, options.budget?.leftMs);
    const cancelDeadline =
      deadlineMs === undefined
        ? undefined
        : clock.timer(Math.max(0, deadlineMs), () => end(pastDeadline(deadlineMs)));
    const forget = linkSignal(options.signal, abort);
    const forgetWork = toolkit.work?.watch(
      id,
      (changed, completion) => inbox.note(changed, completion),
      { sessionId, agentId },
    );
    try {
      if (depth > 0) options.budget?.takeAgent();
      emit({ type: "run-start", runId: id, task: taskOf(options), model: options.model.id });
      const output = options.output === undefined ? undefined : await finalOutput(options.output);
      const parts = promptParts(options.system);
      system = promptText(output === undefined ? parts : [...parts, output.part]);
      definitionsOf = definitions.of;
      const result = await runLoop({
        identity,
        toolkit,
        model: options.model,
        fallbackModels: options.fallbackModels ?? [],
        backgroundModel: options.backgroundModel,
        system,
        recorded: options.messages ?? [],
        given: givenMessages(options),
        conversation,
        limits,
        budget,
        retry: checkedRetry(options.retry),
        options: requestOptions(options),
        compaction: options.compaction ?? {},
        requests,
        prepareTurn: options.prepareTurn,
        inbox,
        denials,
        yielded() {
          const text = yielding;
          yielding = undefined;
          return text;
        },
        onAsk: options.onAsk,
        waitsForWork: options.waitForBackground ?? true,
        gates,
        output,
        steps: options.steps ?? log?.steps ?? ephemeralSteps,
        clock,
        signal: controller.signal,
        stopped: () => stop,
        definitions: definitions.of,
        emit,
      });
      const { status, text, usage, tokensSaved, costUsd } = result;
      const cost = costUsd === undefined ? {} : { costUsd };
      const saved = tokensSaved === 0 ? {} : { tokensSaved };
      emit({ type: "run-end", runId: id, status, text, usage, ...saved, ...cost });
      return result;
    } finally {
      isOver = true;
      inbox.end();
      for (const answer of requests.splice(0)) answer(false);
      cancelDeadline?.();
      forget();
      forgetWork?.();
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
  return {
    id,
    sessionId,
    budget,
    signal: controller.signal,
    async snapshot() {
      if (system === undefined || definitionsOf === undefined) return undefined;
      const tools = await definitionsOf(options.model);
      const messages = [...conversation.messages];
      return { system, messages, tools, options: requestOptions(options) };
    },
    yieldWith(text) {
      if (options.output !== undefined) return false;
      yielding = text;
      return true;
    },
    readsMail: log?.mail !== undefined,
    addDenials: (refused) => void denials.push(...refused),
    events: heard.events,
    result,
    send: (message) => inbox.send(message),
    compact: async () =>
      await new Promise((resolve) => {
        if (isOver) resolve(false);
        else requests.push(resolve);
      }),
    abort,
  };
}

/** Definitions of the tools in the schema dialect of each model that is asked. */
function definitionsByDialect(
  toolkit: Toolkit,
  sessionId: string,
  fixed: readonly ModelTool[] | undefined,
): {
  readonly of: (model: Model) => Promise<readonly ModelTool[]>;
  readonly stop: () => void;
} {
  const sources = new Map<string, ReturnType<typeof definitionSource>>();
  return {
    of: async (model) => {
      const calls = await toolkit.deferral?.chooseCalls(model, sessionId);
      if (fixed !== undefined) return fixed;
      const { dialect = "mcp" } = model;
      const native = calls === "native" ? "client" : undefined;
      const key = `${dialect} ${calls ?? ""}`;
      const source = sources.get(key) ?? definitionSource(toolkit, { dialect, sessionId, native });
      sources.set(key, source);
      return await source.current();
    },
    stop: () => {
      for (const source of sources.values()) source.stop();
    },
  };
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
    tokensSaved: 0,
    denials: [],
    messages: [...repairMessages(options.messages ?? []), ...givenMessages(options)],
    error: error.toJSON(),
  };
}

function linkSignal(signal: AbortSignal | undefined, abort: () => void): () => void {
  return signal === undefined ? () => undefined : onAbort(signal, () => abort());
}
