import type {
  AgentRun,
  EarlyRun,
  HeardRun,
  Model,
  PromptPart,
  RunResult,
} from "../../agent/index.ts";
import { ToolError, type Denial, type OnAsk, type Todo, type Toolkit } from "../../core/index.ts";
import { userMessage, type UserMessage } from "../../session/index.ts";
import { messageOf } from "../../text/index.ts";
import type { KitHooks } from "../hooks/kit-hooks.ts";
import type { HookedRun } from "../hooks/run-hooks.ts";
import type { InstructedRun } from "../instructions/instructed-run.ts";
import type { KitInstructions } from "../instructions/kit-instructions.ts";
import type { SessionFile } from "../sessions/session-file.ts";
import type { ContinuedRun } from "../sessions/stored-run.ts";
import { suspectStored, type Taints } from "../sessions/taints.ts";
import type { KitTasks } from "../tasks.ts";
import type { ActiveRun, ActiveRuns } from "./active-runs.ts";
import type { KitModels, ModelChoice } from "./models.ts";
import type { OpenRun, KitRunOptions } from "./run-options.ts";

/** Parts of a kit that its runs use. */
export interface RunParts {
  readonly toolkit: Toolkit;
  readonly workspace: string;
  /** Fires when the kit is disposed. */
  readonly ending: AbortSignal;
  readonly sessions: SessionFile;
  readonly models: KitModels;
  readonly runs: ActiveRuns;
  readonly onAsk: OnAsk | undefined;
  readonly taints: Taints;
  /** Called with a session that the run names, if no sessions are stored. */
  readonly onUnstored: (sessionId: string) => void;
  /** Hooks of the settings; undefined if there are none. */
  readonly hooks: KitHooks | undefined;
  /** Instructions of the project; undefined where no files are read. */
  readonly instructions: KitInstructions | undefined;
  /** Tasks, of which the open todos survive a compaction. */
  readonly tasks: Pick<KitTasks, "list">;
}

/** Events of the run; undefined if it cannot start. */
export type Hearing = AgentRun["events"] | undefined;

/** A run that was started, or why it was not. */
export interface Started {
  readonly agent?: HeardRun;
  readonly stored?: ContinuedRun;
  /** Why the run could not start. */
  readonly failure?: unknown;
}

/** Options of a run that has a model. */
export type RunWithModels = KitRunOptions & { readonly model: ModelChoice };

/** Options of a run that has a model and its ids. */
export type IdentifiedRun = RunWithModels & { readonly runId: string; readonly sessionId: string };

/** The run with the models that its options name. */
async function opened(named: IdentifiedRun, models: KitModels): Promise<OpenRun> {
  const { model, fallbackModels = [], backgroundModel, ...run } = named;
  const fallbacks: Model[] = [];
  for (const each of fallbackModels) fallbacks.push(await models.open(each));
  return {
    ...run,
    model: await models.open(model),
    fallbackModels: fallbacks,
    ...(backgroundModel === undefined
      ? {}
      : { backgroundModel: await models.open(backgroundModel) }),
  };
}

/** Opens the models, reads the instructions, and starts the loop. Never rejects. */
export async function beginRun(
  named: IdentifiedRun,
  parts: RunParts & { readonly signal: AbortSignal; readonly hear: (events: Hearing) => void },
): Promise<Started> {
  const { toolkit, sessions, signal, hear, runs } = parts;
  let stored: ContinuedRun | undefined;
  let early: EarlyRun | undefined;
  let unfollow: (() => void) | undefined;
  try {
    const { budgetOfRun, runEvents, startHeardRun } = await import("../../agent/index.ts");
    const kept = withTodos(await opened(named, parts.models), parts.tasks);
    const instructed = await withInstructions(kept, parts);
    unfollow = instructed.stop;
    const hooked = await withHooks(instructed.run, parts);
    const { run } = hooked;
    const budget = budgetOfRun(run, () => toolkit.now());
    // Calls that are settled before the run starts are events of it, and so are questions about them.
    const onClaim = (): void => {
      early = { events: runEvents(toolkit, run.runId, run.sessionId), budget };
      hear(early.events.events);
    };
    suspectStored(parts.taints, run.sessionId, run.messages ?? []);
    const denials: Denial[] = [];
    // A log that the caller keeps takes precedence.
    if (sessions.isStored && run.log === undefined) {
      const { beginStoredRun } = await import("../sessions/stored-run.ts");
      // Agents of calls that are settled belong to this run, and report their ends to it.
      runs.set(run.runId, startingRun(run, { budget, signal, denials }));
      stored = await beginStoredRun({ ...parts, run, store: await sessions.open(), onClaim });
    }
    const agent = startHeardRun(
      { ...run, ...stored?.options, toolkit, signal },
      early,
      hooked.gates,
    );
    agent.addDenials(denials);
    hooked.follow(agent);
    void agent.result.finally(instructed.stop);
    runs.set(agent.id, activeRun(run, agent));
    hear(agent.events);
    if (signal.aborted && ToolError.is(signal.reason)) agent.abort(signal.reason.message);
    return { agent, ...(stored === undefined ? {} : { stored }) };
  } catch (failure) {
    unfollow?.();
    early?.events.end();
    hear(undefined);
    return { failure, ...(stored === undefined ? {} : { stored }) };
  }
}

/** The run whose open todos are in its conversation after a compaction, besides what its caller keeps. */
function withTodos(run: OpenRun, tasks: RunParts["tasks"]): OpenRun {
  const { compaction = {}, sessionId } = run;
  if (compaction === false) return run;
  const keep = async (): Promise<readonly PromptPart[]> => {
    const own = (await compaction.keep?.()) ?? [];
    // A list that cannot be read must not end the run.
    const found = await tasks.list().catch(() => []);
    const open = found.flatMap((task) => {
      const isOpen = task.kind === "todo" && openStatuses.has(task.status);
      return isOpen && task.sessionId === sessionId ? [todoLine(task)] : [];
    });
    return open.length === 0 ? own : [...own, { name: "Open todos", text: open.join("\n") }];
  };
  return { ...run, compaction: { ...compaction, keep } };
}

const openStatuses: ReadonlySet<Todo["status"]> = new Set(["pending", "in_progress"]);

function todoLine({ id, status, title }: Todo): string {
  return `- ${id} (${status}): ${title}`;
}

/** The run with the instructions of its project; the run itself where no files are read. */
async function withInstructions(
  run: OpenRun,
  { instructions, toolkit }: Pick<RunParts, "instructions" | "toolkit">,
): Promise<InstructedRun> {
  if (instructions === undefined) return { run, stop: () => undefined };
  const { instructedRun } = await import("../instructions/instructed-run.ts");
  return await instructedRun(run, instructions, toolkit);
}

/** The run as its hooks make it; the run itself where there are none. */
async function withHooks(
  run: OpenRun,
  { hooks, signal }: Pick<RunParts, "hooks"> & { readonly signal: AbortSignal },
): Promise<HookedRun> {
  if (hooks === undefined) return { run, gates: undefined, follow: () => undefined };
  const { hookedRun } = await import("../hooks/run-hooks.ts");
  return await hookedRun(run, hooks, signal);
}

/** A run whose calls are settled before its loop starts. */
function startingRun(
  run: OpenRun,
  { denials, ...shared }: Pick<ActiveRun, "budget" | "signal"> & { readonly denials: Denial[] },
): ActiveRun {
  return activeRun(run, {
    ...shared,
    readsMail: true,
    addDenials: (added) => void denials.push(...added),
    yieldWith: () => false,
    snapshot: async () => await Promise.resolve(undefined),
  });
}

type SharedByRun = Pick<
  ActiveRun,
  "budget" | "signal" | "readsMail" | "addDenials" | "yieldWith" | "snapshot"
>;

function activeRun(
  { runId, sessionId, agentId, parentAgentId, depth = 0, model, backgroundModel }: OpenRun,
  { budget, signal, readsMail, addDenials, yieldWith, snapshot }: SharedByRun,
): ActiveRun {
  return {
    runId,
    sessionId,
    agentId,
    parentAgentId,
    depth,
    model,
    backgroundModel,
    budget,
    signal,
    readsMail,
    addDenials,
    yieldWith,
    snapshot,
  };
}

/** Result of a run that could not start. The task and messages that were sent to it stay in its conversation. */
export function failedStart(
  failure: unknown,
  { task, messages = [] }: KitRunOptions,
  sent: readonly UserMessage[],
): RunResult {
  const error = startError(failure);
  return {
    status: error.code === "ABORTED" ? "aborted" : "failed",
    text: `Stopped: ${error.message}`,
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    tokensSaved: 0,
    denials: [],
    messages: [...messages, ...(task === undefined ? [] : [userMessage(task)]), ...sent],
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
    hint: "This is a bug in the program that ran it: please report it.",
    cause: failure,
  });
}
