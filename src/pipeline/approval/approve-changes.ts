import { namedPaths } from "../../text/index.ts";
import { type Answer, type Ask, type StagedChanges } from "../../core/index.ts";
import type { Request } from "../call-state.ts";
import type { Understood } from "../step.ts";
import { eventSource } from "../event-source.ts";
import { checkAnswer } from "./check-answer.ts";
import type {
  ApprovalContext,
  ApprovalRefused,
  StartOnRealFiles,
} from "../environment/confinement.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { orAborted } from "../run/abortable.ts";
import { stagedResult } from "../preview/preview-command.ts";
import { withReason } from "./denial-messages.ts";

/**
 * Shows the user the changes of a call's programs before they are applied, or what they may change before they start,
 * and asks for approval. Resolves to the reason of a refusal, worded for the model, or to undefined if it is approved.
 */
export async function approveChanges(
  { state, environment }: { readonly state: Understood; readonly environment: PipelineEnvironment },
  staged: StagedChanges,
  context: ApprovalContext = {},
): Promise<ApprovalRefused | undefined> {
  const onAsk = state.options.onAsk ?? environment.onAsk;
  if (onAsk === undefined) {
    return {
      because: "no user was available to approve it",
      code: "APPROVAL_REQUIRED",
      isAbsent: true,
    };
  }
  const { sessionId, agentId, signal } = state.options;
  const source = eventSource(state.options);
  const { tool } = state;
  const question: Ask = {
    kind: "permission",
    callId: state.id,
    tool: tool.name,
    displayName: tool.displayName ?? tool.name,
    input: state.input,
    effects: state.effects,
    ...(context.start === undefined
      ? await aboutChanges(staged, context, environment)
      : aboutStart(context.start, { name: tool.displayName ?? tool.name, cwd: environment.cwd })),
    trail: [],
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    refusals: 0,
  };
  return await environment.askQueue.run(async () => {
    environment.emit({
      type: "permission-ask",
      callId: state.id,
      ask: question,
      ...source,
    });
    let answer: Answer;
    try {
      answer = checkAnswer(await orAborted(onAsk(question, { signal }), state.stops), "user");
    } catch {
      return { because: "the user did not answer", code: "APPROVAL_REQUIRED" };
    }
    environment.emit({
      type: "permission-answer",
      callId: state.id,
      answer: answer.kind,
      ...source,
    });
    return refusalIn(state, answer);
  });
}

type Words = Pick<Ask, "question" | "reason" | "preview" | "notUndoable">;

async function aboutChanges(
  staged: StagedChanges,
  { protectedWrites = [], ruled = [], locked, notUndoable }: ApprovalContext,
  environment: PipelineEnvironment,
): Promise<Words> {
  const { summary, diff } = await stagedResult(staged, {
    environment,
    staged: environment.host.fs,
  });
  const named = [...new Set([...protectedWrites, ...ruled])];
  return {
    question:
      named.length === 0
        ? "Keep what the command changed?"
        : `Keep what the command changed, ${namedPaths(named, environment.cwd)} included?`,
    reason: [
      "It ran on an overlay.",
      ...(protectedWrites.length === 0 ? [] : [protectedWritesReason(protectedWrites)]),
      ...(ruled.length === 0 ? [] : [ruledReason(ruled)]),
      ...(locked === undefined ? [] : [locked]),
      ...(notUndoable === undefined ? [] : [notUndoable]),
      summary,
    ].join(" "),
    preview: diff ?? summary,
    ...(notUndoable === undefined ? {} : { notUndoable }),
  };
}

function aboutStart(
  { directories, because }: StartOnRealFiles,
  { name, cwd }: { readonly name: string; readonly cwd: string },
): Words {
  return {
    question: `Start ${name}, which may create protected files in ${namedPaths(directories, cwd)}?`,
    reason: `No overlay holds its changes back there. ${because} Nothing else can keep it from creating files that run by themselves or change what this session may do, so no rule can allow it.`,
  };
}

/** Returns the refusal in an answer. Rules are not saved here: they would allow the next command, which is unseen. */
function refusalIn({ turn }: Request, answer: Answer): ApprovalRefused | undefined {
  switch (answer.kind) {
    case "once":
    case "save":
      return undefined;
    case "answer":
      return { because: "the user did not answer", code: "APPROVAL_REQUIRED" };
    case "edit":
      return { because: "the user wanted another command", code: "DENIED_BY_USER" };
    case "abort":
      turn.abort();
      return { because: "the user ended this turn", code: "ABORTED" };
    case "deny-all":
      turn.denied = { reason: answer.reason };
      return saidNo(answer.reason);
    case "deny":
      return saidNo(answer.reason);
  }
}

function saidNo(reason: string | undefined): ApprovalRefused {
  return { because: withReason("the user said no", reason), code: "DENIED_BY_USER" };
}

function protectedWritesReason(protectedWrites: readonly string[]): string {
  return protectedWrites.length === 1
    ? "One of these files runs by itself or changes what this session may do, so no rule can allow it."
    : `${protectedWrites.length} of these files run by themselves or change what this session may do, so no rule can allow them.`;
}

function ruledReason(ruled: readonly string[]): string {
  return ruled.length === 1
    ? "A rule asks about one of these files."
    : `Rules ask about ${ruled.length} of these files.`;
}
