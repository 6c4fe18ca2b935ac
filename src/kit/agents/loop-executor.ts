import { childPromptParts, type RunResult } from "../../agent/index.ts";
import {
  ToolError,
  type AgentExecutor,
  type AgentJob,
  type AgentResult,
  type Toolkit,
} from "../../core/index.ts";
import type { Message } from "../../session/index.ts";
import type { AgentKit } from "./bound-agents.ts";
import type { KitParts } from "../kit-parts.ts";

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
      const run = toolkit.run({
        task: job.prompt,
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
        system: childPromptParts(definition),
        ...(messages === undefined ? {} : { messages }),
        signal: job.signal,
      });
      return { result: run.result.then(resultOf(job)), send: (message) => run.send(message) };
    },
  };
}

function resultOf({ signal }: AgentJob): (result: RunResult) => AgentResult {
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
      ...(error === undefined ? {} : { error: timeout?.toJSON() ?? error }),
      state: messages,
    };
  };
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
