import type {
  AgentCaller,
  AgentInfo,
  Agents,
  Ask,
  DelegateCallbacks,
  DelegateLimits,
  DelegateRequest,
  DelegateResult,
  DelegateStep,
  HaftEvent,
  OnAsk,
  Outcome,
} from "../../core/index.ts";
import { pathBelow, quietly } from "../../text/index.ts";
import { stepReader, type Step } from "../steps/steps-from.ts";
import { delegatePrompts } from "./prompts.ts";

export interface DelegationParts {
  readonly agents: Pick<Agents, "start">;
  readonly workspace: string;
  readonly onAsk: OnAsk | undefined;
  readonly now: () => number;
  /** Paths that the journal recorded as changed by a call; undefined if it recorded nothing about the call. */
  readonly changedBy: (callId: string) => Promise<readonly string[] | undefined>;
}

/** Kind of agent that works on delegated tasks. */
export const delegateName = "delegate";

/** Runs a delegated task to its end and collects what it did. */
export async function runDelegation(
  request: DelegateRequest,
  caller: AgentCaller,
  given: DelegationParts & { readonly options: DelegateLimits & DelegateCallbacks },
): Promise<DelegateResult> {
  const { agents, onAsk, now, options } = given;
  const startedAt = now();
  const reader = stepReader();
  const outcomes: Outcome[] = [];
  const info = await agents.start(
    {
      prompt: delegatePrompts.task(request),
      definition: {
        name: delegateName,
        description: "A delegated task.",
        prompt: delegatePrompts.system(),
      },
      isBackground: false,
      model: options.model,
      maxCalls: options.maxToolCalls,
      deadlineMs: options.timeoutMs,
      onAsk: options.autoConfirmDangerous === true ? confirming(onAsk) : undefined,
      onEvent(event) {
        if (event.type === "call-end") outcomes.push(event.outcome);
        const step = reader.read(event);
        report(event, step === undefined ? undefined : stepOf(step), options);
      },
    },
    caller,
  );
  const steps = reader.steps().map(stepOf);
  const { error } = info;
  if (error !== undefined) quietly(() => options.onError?.(error));
  return {
    ...answerOf(info),
    success: info.status === "done" && !isAllFailed(steps),
    filesModified: await filesOf(outcomes, given),
    errors: errorsOf(info, steps),
    toolCallCount: steps.length,
    executionTimeMs: now() - startedAt,
    steps,
    agentId: info.agentId,
  };
}

function report(
  event: HaftEvent,
  step: DelegateStep | undefined,
  callbacks: DelegateCallbacks,
): void {
  const { onStepStart, onStepComplete, onStepSummary, onTextChunk, onProgress, onError } =
    callbacks;
  quietly(() => {
    if (event.type === "model-text") onTextChunk?.(event.text);
    if (event.type === "call-progress")
      onProgress?.(event.update.title ?? event.update.message ?? "");
    if (step === undefined) return;
    if (event.type === "call-start") {
      onStepStart?.(step);
      onProgress?.(step.toolName);
    }
    if (event.type !== "call-end") return;
    onStepComplete?.(step);
    if (step.summary !== undefined && step.summary !== "") onStepSummary?.(step.summary, step);
    if (event.outcome.error !== undefined) onError?.(event.outcome.error);
  });
}

function stepOf({
  toolCall,
  result,
  status,
  timestamp,
  error,
  thinking,
  summary,
}: Step): DelegateStep {
  return {
    toolName: toolCall.name,
    arguments: toolCall.arguments,
    ...(result === undefined ? {} : { result }),
    status: status === "completed" || status === "failed" ? status : "running",
    timestamp,
    ...(error === undefined ? {} : { error }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(summary === undefined ? {} : { summary }),
  };
}

function answerOf({ text, error }: AgentInfo): Pick<DelegateResult, "summary" | "details"> {
  const [first = ""] = text.trim().split(/\n\s*\n/u);
  const reason = error === undefined ? "" : `The task did not finish: ${error.message}`;
  return { summary: reason === "" ? first.trim() : reason, details: text };
}

function isAllFailed(steps: readonly DelegateStep[]): boolean {
  return steps.length > 0 && steps.every(({ status }) => status === "failed");
}

function errorsOf({ error }: AgentInfo, steps: readonly DelegateStep[]): readonly string[] {
  return [
    ...(error === undefined ? [] : [`${error.code}: ${error.message}`]),
    ...steps.flatMap((step) =>
      step.error === undefined ? [] : [`${step.toolName}: ${step.error}`],
    ),
  ];
}

/** Files that calls changed: as the journal has recorded, otherwise as the effects of calls without an error say. */
async function filesOf(
  outcomes: readonly Outcome[],
  { changedBy, workspace }: Pick<DelegationParts, "changedBy" | "workspace">,
): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const { id, isError, effects } of outcomes) {
    const recorded = await changedBy(id);
    const written = effects.flatMap((effect) =>
      effect.kind === "write" && effect.scope === "file" && !isError ? [effect.path] : [],
    );
    for (const path of recorded ?? written) files.add(pathBelow(workspace, path) ?? path);
  }
  return [...files];
}

/**
 * Answers questions that come from the mode alone with yes. A question that a rule, the floor or an exclusion asks goes
 * to the user, as does one that no rule may answer.
 */
function confirming(onAsk: OnAsk | undefined): OnAsk {
  const answer: OnAsk = async (ask, options) => {
    if (isConfirmable(ask)) return { kind: "once" };
    if (onAsk !== undefined) return await onAsk(ask, options);
    return { kind: "deny", reason: "A rule asks the user about this, and no user can be asked." };
  };
  return Object.assign(answer, {
    looksAtPreview: onAsk?.looksAtPreview ?? false,
    isAutomatic: onAsk === undefined || onAsk.isAutomatic === true,
  });
}

function isConfirmable({ kind, trail, effects }: Ask): boolean {
  const asking = trail.filter(({ verdict }) => verdict !== "allow" && verdict !== "note");
  return (
    kind === "permission" &&
    asking.length > 0 &&
    asking.every(({ verdict, rule }) => verdict === "ask" && rule === undefined) &&
    !effects.some((effect) => effect.kind === "unknown" && effect.alwaysAsks === true)
  );
}
