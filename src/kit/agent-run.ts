import type { AgentRun, RunEvents, RunOptions, RunResult } from "../agent/index.ts";
import { argumentError, ToolError, type OnAsk, type Toolkit } from "../core/index.ts";
import { sentMessage, type UserMessage } from "../session/index.ts";
import { messageOf, runProblem } from "../text/index.ts";
import type { SessionFile } from "./sessions/session-file.ts";
import type { ContinuedRun } from "./sessions/stored-run.ts";

export type { AgentRun } from "../agent/index.ts";

export type KitRunOptions = Omit<RunOptions, "toolkit">;

export interface RunParts {
  readonly toolkit: Toolkit;
  readonly workspace: string;
  /** Fires when the kit is disposed. */
  readonly ending: AbortSignal;
  readonly sessions: SessionFile;
  readonly onAsk: OnAsk | undefined;
}

/** Starts a run at once and loads the loop in the background, so that a kit without agents never loads one. */
export function startAgentRun(options: KitRunOptions, parts: RunParts): AgentRun {
  const { toolkit, ending, sessions } = parts;
  // The loop makes the same checks, but is loaded too late to throw to the caller at once.
  const { task, sessionId: given } = options;
  const isContinued = sessions.isStored && given !== undefined && task === undefined;
  const problem = runProblem(isContinued ? { ...options, task: "continue" } : options);
  if (problem !== undefined) throw argumentError(problem);
  const runId = options.runId ?? toolkit.newId("run");
  const sessionId = options.sessionId ?? toolkit.newId("session");
  const controller = new AbortController();
  const signals = [controller.signal, ending];
  if (options.signal !== undefined) signals.push(options.signal);
  const signal = AbortSignal.any(signals);
  const run = { ...options, runId, sessionId };
  const waiting: UserMessage[] = [];
  let current: AgentRun | undefined;
  const { promise: hearing, resolve: hear } = Promise.withResolvers<Hearing>();
  const started = start(run, { ...parts, signal, hear }).then((found) => {
    current = found.agent;
    for (const message of waiting) current?.send(message);
    return found;
  });
  return {
    id: runId,
    sessionId,
    events: {
      async *[Symbol.asyncIterator]() {
        const events = await hearing;
        if (events !== undefined) yield* events;
      },
    },
    result: started.then(async ({ agent, stored, failure }) => {
      const result = agent === undefined ? failedStart(failure, options) : await agent.result;
      // The conversation is stored; without this record the run counts as interrupted.
      await stored?.end(result).catch(() => undefined);
      return result;
    }),
    send(message) {
      const checked = sentMessage(message);
      if (current !== undefined) return current.send(checked);
      waiting.push(checked);
      return true;
    },
    compact: async () => (await (await started).agent?.compact()) ?? false,
    // Before the run itself starts, the signal ends what it waits for, such as a call that is settled.
    abort: (reason) => {
      if (current === undefined) controller.abort(abortion(reason));
      else current.abort(reason);
    },
  };
}

function abortion(reason = "The run was aborted."): ToolError {
  return new ToolError("ABORTED", reason, { hint: "Continue the session when you like." });
}

/** Events of the run; undefined if it cannot start. */
type Hearing = AgentRun["events"] | undefined;

interface Started {
  readonly agent?: AgentRun;
  readonly stored?: ContinuedRun;
  /** Why the run could not start. */
  readonly failure?: unknown;
}

type IdentifiedRun = KitRunOptions & { readonly runId: string; readonly sessionId: string };

async function start(
  run: IdentifiedRun,
  parts: RunParts & { readonly signal: AbortSignal; readonly hear: (events: Hearing) => void },
): Promise<Started> {
  const { toolkit, sessions, signal, hear } = parts;
  let stored: ContinuedRun | undefined;
  let early: RunEvents | undefined;
  try {
    const { runEvents, startHeardRun } = await import("../agent/index.ts");
    // Calls that are settled before the run starts are events of it, and so are questions about them.
    const onClaim = (): void => {
      early = runEvents(toolkit, run.runId, run.sessionId);
      hear(early.events);
    };
    // A log that the caller keeps takes precedence.
    if (sessions.isStored && run.log === undefined) {
      const { beginStoredRun } = await import("./sessions/stored-run.ts");
      stored = await beginStoredRun({ ...parts, run, store: await sessions.open(), onClaim });
    }
    const agent = startHeardRun({ ...run, ...stored?.options, toolkit, signal }, early);
    hear(agent.events);
    if (signal.aborted && ToolError.is(signal.reason)) agent.abort(signal.reason.message);
    return { agent, ...(stored === undefined ? {} : { stored }) };
  } catch (failure) {
    early?.end();
    hear(undefined);
    return { failure, ...(stored === undefined ? {} : { stored }) };
  }
}

function failedStart(failure: unknown, { messages = [] }: KitRunOptions): RunResult {
  const error = startError(failure);
  return {
    status: error.code === "ABORTED" ? "aborted" : "failed",
    text: `Stopped: ${error.message}`,
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    denials: [],
    messages,
    error: error.toJSON(),
  };
}

/** Options that no run can have are a TypeError; anything else is a mistake in the program. */
function startError(failure: unknown): ToolError {
  if (ToolError.is(failure)) return failure;
  if (failure instanceof TypeError && "code" in failure) {
    return new ToolError("INVALID_INPUT", failure.message, {
      hint: "Give the run a task, or a session that can continue.",
      cause: failure,
    });
  }
  return new ToolError("INTERNAL", `The run could not start: ${messageOf(failure)}`, {
    hint: "This is a mistake in the program that ran it: please report it.",
    cause: failure,
  });
}
