import {
  childPromptParts,
  forkedMessages,
  type AgentRun,
  type RunResult,
  type Snapshot,
} from "../../agent/index.ts";
import {
  ToolError,
  type AgentExecution,
  type AgentExecutor,
  type AgentFork,
  type AgentJob,
  type AgentResult,
  type ModelInfo,
  type Toolkit,
} from "../../core/index.ts";
import type { Message } from "../../session/index.ts";
import { isRecord } from "../../text/index.ts";
import type { AgentKit } from "./bound-agents.ts";
import type { KitParts } from "../kit-parts.ts";
import type { ActiveRun } from "../runs/active-runs.ts";
import type { KitRunOptions } from "../runs/run-options.ts";

type ExecutorParts = Pick<KitParts, "runs" | "models" | "sessionFile" | "place">;

/** Names of models that definitions of another program use; without an alias they are the model of the caller. */
const foreignModels: ReadonlySet<string> = new Set(["sonnet", "opus", "haiku", "fable"]);

/** Runs agents with haft's own loop. */
export function loopExecutor({ runs, models, sessionFile, place }: ExecutorParts): AgentExecutor {
  return {
    start(job) {
      const { toolkit, parentRunId, state, definition, maxTurns, maxTokens, onAsk } = job;
      const { maxCalls, deadlineMs } = job;
      if (!runsAgents(toolkit)) throw new TypeError("An agent of haft needs a toolkit of haft.");
      const parent = parentRunId === undefined ? undefined : runs.get(parentRunId);
      const isForeign =
        foreignModels.has(job.model ?? "") &&
        !Object.hasOwn(place.models.aliases ?? {}, job.model ?? "");
      const model = (isForeign ? undefined : job.model) ?? parent?.model ?? models.main;
      const messages = sessionFile.isStored || !isConversation(state) ? undefined : state;
      const given = {
        sessionId: job.sessionId,
        runId: job.runId,
        agentId: job.agentId,
        ...(job.parentAgentId === undefined ? {} : { parentAgentId: job.parentAgentId }),
        depth: job.depth,
        ...(model === undefined ? {} : { model }),
        ...(parent?.backgroundModel === undefined
          ? {}
          : { backgroundModel: parent.backgroundModel }),
        ...(parent === undefined ? {} : { budget: parent.budget }),
        limits: {
          ...(maxTurns === undefined ? {} : { maxTurns }),
          ...(maxTokens === undefined ? {} : { maxTokens }),
          ...(maxCalls === undefined ? {} : { maxCalls }),
          ...(deadlineMs === undefined ? {} : { deadlineMs }),
        },
        ...(onAsk === undefined ? {} : { onAsk }),
        signal: job.signal,
      };
      const prices = model === undefined || typeof model === "string" ? undefined : model.info;
      const finish = resultOf(job, prices?.usdPerMTok);
      const { fork } = job;
      if (fork !== undefined) {
        return forkedRun(toolkit, { job, fork, parent, given, messages, finish });
      }
      const run = toolkit.run({
        ...given,
        task: job.prompt,
        system: childPromptParts(definition),
        ...(messages === undefined ? {} : { messages }),
      });
      return { result: run.result.then(finish), send: (message) => run.send(message) };
    },
  };
}

function resultOf({ signal }: AgentJob, prices: Prices | undefined): Finish {
  return (result) => {
    const { status, turns, calls, usage, costUsd, denials, messages } = result;
    // The signal says why the agent was stopped, such as by the watchdog.
    const reason: unknown = signal.aborted ? signal.reason : undefined;
    const error = result.error;
    const text = error === undefined ? result.text : workSoFar(result.text, error.message);
    const timeout = ToolError.is(reason) && reason.code === "TIMEOUT" ? reason : undefined;
    return {
      status: timeout === undefined ? status : "failed",
      text,
      turns,
      calls,
      usage,
      ...(costUsd === undefined ? {} : { costUsd }),
      denials,
      ...savedOf(result, prices),
      ...(error === undefined ? {} : { error: timeout?.toJSON() ?? error }),
      state: messages,
    };
  };
}

type Prices = NonNullable<ModelInfo["usdPerMTok"]>;

type Finish = (result: RunResult) => AgentResult;

/** Money that tokens of the cache cost less than fresh ones. */
function savedOf({ usage }: RunResult, prices: Prices | undefined): Pick<AgentResult, "savedUsd"> {
  const { cacheRead = 0 } = usage;
  if (prices?.cacheRead === undefined || cacheRead === 0) return {};
  return { savedUsd: (cacheRead * (prices.input - prices.cacheRead)) / 1_000_000 };
}

interface ForkedRun {
  readonly job: AgentJob;
  readonly fork: AgentFork;
  readonly parent: ActiveRun | undefined;
  readonly given: Omit<KitRunOptions, "task" | "messages" | "system">;
  /** Conversation of an earlier run of the fork, where no sessions are stored. */
  readonly messages: readonly Message[] | undefined;
  readonly finish: Finish;
}

/** Definitions and system prompt of the original, with which a fork continues later. */
type Original = Pick<Snapshot, "system" | "tools">;

/** A run that begins with the conversation of the one that started it. */
function forkedRun(
  toolkit: Pick<AgentKit, "run">,
  { job, fork, parent, given, messages, finish }: ForkedRun,
): AgentExecution {
  let run: AgentRun | undefined;
  const work = async (): Promise<AgentResult> => {
    const isFirst = job.state === undefined;
    const now = await parent?.snapshot();
    const original = isOriginal(fork.original) ? fork.original : now;
    if (original === undefined || (isFirst && now === undefined)) {
      throw new ToolError("UNAVAILABLE", "The run of this fork has ended.", {
        hint: "Start an agent without fork.",
        retryable: false,
      });
    }
    const { system, tools } = original;
    if (fork.original === undefined) await fork.keep({ system, tools } satisfies Original);
    run = toolkit.run({
      ...now?.options,
      ...given,
      system,
      tools,
      ...(isFirst
        ? { messages: forkedMessages(now?.messages ?? [], job.prompt) }
        : { task: job.prompt, ...(messages === undefined ? {} : { messages }) }),
    });
    return finish(await run.result);
  };
  return { result: work(), send: (message) => run?.send(message) ?? false };
}

/** Whether a value is what an earlier run of a fork has kept. */
function isOriginal(value: unknown): value is Original {
  return isRecord(value) && typeof value["system"] === "string" && Array.isArray(value["tools"]);
}

/** Text of the agent without the reason for its end, which the error names. */
function workSoFar(text: string, reason: string): string {
  const ending = `Stopped: ${reason}`;
  return text.endsWith(ending) ? text.slice(0, -ending.length).trim() : text;
}

function runsAgents(toolkit: Toolkit): toolkit is Toolkit & Pick<AgentKit, "run"> {
  return "run" in toolkit && typeof toolkit.run === "function";
}

/** Conversation that an earlier run of this executor returned. */
function isConversation(state: unknown): state is readonly Message[] {
  return Array.isArray(state);
}
