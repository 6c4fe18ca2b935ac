import type { HaftEvent, Outcome } from "../../core/index.ts";

/** How interfaces show a call. */
export type StepType =
  | "bash"
  | "bash-confirm"
  | "read"
  | "write"
  | "edit"
  | "glob"
  | "grep"
  | "skill"
  | "delegate"
  | "tool_call";

/** State of a call. */
export type StepStatus = "pending" | "running" | "completed" | "failed" | "awaiting-confirmation";

/** One call as interfaces show it. A later state of the same step has the same id. */
export interface Step {
  /** Id of the call. */
  readonly id: string;
  /** By the tool; `bash-confirm` for a command that the user was asked about. */
  readonly type: StepType;
  /** The action in a few words. It may change while the call runs. */
  readonly title: string;
  /** Purpose that the model stated, or progress that the tool reported; "" without any. */
  readonly description: string;
  /** State of the call. */
  readonly status: StepStatus;
  /** Start of the call, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** Turn of the run, from 0. */
  readonly turnIndex: number;
  /** Id of the call. */
  readonly toolCallId: string;
  /** Tool and arguments, as the model sent them and then as they were understood. */
  readonly toolCall: { readonly name: string; readonly arguments: unknown };
  /** Message of the call, where the caller named one. */
  readonly messageId?: string;
  /** Reasoning of the model before it made the call. */
  readonly thinking?: string;
  /** The answer that the model sees. */
  readonly result?: string;
  /** The result in a few words. */
  readonly summary?: string;
  /** Why the call failed. */
  readonly error?: string;
  /** Result of a delegated task, as the tool returned it. */
  readonly toolAgentResult?: unknown;
  /** Agent of the call; missing for the agent that talks to the user. */
  readonly agentId?: string;
  /** Run of the call. */
  readonly runId?: string;
}

/** Types of the tools that interfaces show in a way of their own. */
const types: ReadonlyMap<string, StepType> = new Map([
  ["Bash", "bash"],
  ["Read", "read"],
  ["Write", "write"],
  ["Edit", "edit"],
  ["NotebookEdit", "edit"],
  ["ApplyPatch", "edit"],
  ["Glob", "glob"],
  ["Grep", "grep"],
  ["Skill", "skill"],
  ["Delegate", "delegate"],
]);

/**
 * Reads events as steps. From a stream, such as the events of a run, it yields a step each time that it changes; from a
 * list it returns the steps in their last state, in the order in which they began.
 */
export function stepsFrom(events: AsyncIterable<HaftEvent>): AsyncIterable<Step>;
/** Reads a list of events as steps in their last state. */
export function stepsFrom(events: Iterable<HaftEvent>): readonly Step[];
export function stepsFrom(
  events: AsyncIterable<HaftEvent> | Iterable<HaftEvent>,
): AsyncIterable<Step> | readonly Step[] {
  const reader = stepReader();
  if (Symbol.asyncIterator in events) return changesOf(events, (event) => reader.read(event));
  for (const event of events) reader.read(event);
  return reader.steps();
}

async function* changesOf(
  events: AsyncIterable<HaftEvent>,
  read: (event: HaftEvent) => Step | undefined,
): AsyncGenerator<Step> {
  for await (const event of events) {
    const step = read(event);
    if (step !== undefined) yield step;
  }
}

/** Reads events of a run as steps, one by one. */
export interface StepReader {
  /** Returns the step that the event changes; undefined if it changes none. */
  read(event: HaftEvent): Step | undefined;
  steps(): readonly Step[];
}

/** Creates a reader of steps. */
export function stepReader(): StepReader {
  const steps = new Map<string, Step>();
  /** Reasoning of the current turn of each run. */
  const thoughts = new Map<string, string>();

  const changed = (id: string, change: Partial<Step>): Step | undefined => {
    const before = steps.get(id);
    if (before === undefined) return undefined;
    const step = { ...before, ...change };
    steps.set(id, step);
    return step;
  };

  const read = (event: HaftEvent): Step | undefined => {
    switch (event.type) {
      case "turn-start":
      case "turn-discard":
      case "run-end":
        thoughts.delete(event.runId);
        return undefined;
      case "model-reasoning":
        thoughts.set(event.runId, (thoughts.get(event.runId) ?? "") + event.text);
        return undefined;
      case "call-start": {
        const step = startOf(event, thoughts.get(event.runId ?? ""));
        steps.set(step.id, step);
        return step;
      }
      case "call-decided": {
        const { callId, tool, input, decision } = event;
        return changed(callId, {
          type: typeOf(tool, steps.get(callId)),
          description: purposeOf(input),
          toolCall: { name: tool, arguments: input },
          ...(decision.kind === "allow" ? { status: "running" } : {}),
        });
      }
      case "permission-ask": {
        const isCommand = steps.get(event.callId)?.type === "bash";
        return changed(event.callId, {
          status: "awaiting-confirmation",
          ...(isCommand ? { type: "bash-confirm" } : {}),
        });
      }
      case "permission-answer":
        return changed(event.callId, { status: "running" });
      case "call-progress": {
        const { title, message } = event.update;
        return changed(event.callId, {
          status: "running",
          ...(title === undefined ? {} : { title }),
          ...(message === undefined ? {} : { description: message }),
        });
      }
      case "call-end":
        return changed(event.callId, endOf(event.outcome, steps.get(event.callId)?.type));
      case "call-output":
      case "task-start":
      case "task-end":
      case "task-change":
      case "request-start":
      case "request-end":
      case "agent-start":
      case "agent-event":
      case "agent-end":
      case "hook":
      case "run-wait":
      case "mode-change":
      case "settings-change":
      case "tools-change":
      case "run-start":
      case "model-text":
      case "model-retry":
      case "turn-end":
      case "compaction":
      case "user-message":
      case "events-dropped":
        return undefined;
    }
  };
  return { read, steps: () => [...steps.values()] };
}

type CallStart = Extract<HaftEvent, { readonly type: "call-start" }>;

function startOf(
  { callId, call, at, turn = 1, agentId, runId }: CallStart,
  thinking?: string,
): Step {
  return {
    id: callId,
    type: typeOf(call.name),
    title: call.name,
    description: purposeOf(call.input),
    status: "pending",
    timestamp: at,
    turnIndex: Math.max(0, turn - 1),
    toolCallId: callId,
    toolCall: { name: call.name, arguments: call.input },
    ...(call.messageId === undefined ? {} : { messageId: call.messageId }),
    ...(thinking === undefined || thinking === "" ? {} : { thinking }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(runId === undefined ? {} : { runId }),
  };
}

function endOf(outcome: Outcome, type: StepType | undefined): Partial<Step> {
  const { isError, text, title, summary, error, structuredContent, metadata } = outcome;
  return {
    status: isError ? "failed" : "completed",
    ...(title === "" ? {} : { title }),
    result: text,
    summary,
    ...(isError ? { error: error?.message ?? text } : {}),
    ...(type === "delegate" ? { toolAgentResult: structuredContent ?? metadata } : {}),
  };
}

/** Type by the name of the tool; a command that was asked about stays one. */
function typeOf(tool: string, before?: Step): StepType {
  if (before?.type === "bash-confirm") return before.type;
  return types.get(tool) ?? "tool_call";
}

/** Commands have a field for their purpose. */
function purposeOf(input: unknown): string {
  if (typeof input !== "object" || input === null || !("description" in input)) return "";
  return typeof input.description === "string" ? input.description : "";
}
