import { ToolError } from "../../../core/index.ts";
import type { Message } from "../../../session/index.ts";
import type { Model } from "../../models/model.ts";
import { plainEstimate } from "../budget/estimate-tokens.ts";
import type { LoopContext, LoopState } from "../loop-context.ts";
import { compactMessages } from "./compact-messages.ts";
import { orAborted } from "../turn/abortable-stream.ts";
import { summarize } from "./summarize.ts";
import { filesInSummaries, filesRead } from "./summary.ts";

/** Cause of a compaction. `overflow`: the model refused the conversation as too long. */
export type CompactionCause = "size" | "overflow" | "requested";

/** Share of the permitted size to which a conversation is compacted, so that several turns fit before the next time. */
const targetShare = 0.6;

/** Compacts if the next request would be larger than the options allow. */
export async function compactIfLarge(context: LoopContext, state: LoopState): Promise<void> {
  const limit = thresholdOf(context, state.model);
  if (limit === undefined) return;
  if (state.isCompactionBroken) return;
  const request = await nextRequest(context, state);
  if (state.estimator.estimate(request) <= Math.max(limit, state.compactAbove)) return;
  try {
    await compactRun(context, state, "size");
  } catch (cause) {
    const isModel = ToolError.is(cause) && summaryFailures.has(cause.code);
    if (!isModel || context.signal.aborted) throw cause;
    // The conversation still fits, so the run continues until the model refuses it.
    state.isCompactionBroken = true;
  }
}

/** Factor by which a conversation that could not be shortened must grow before it is compacted for its size again. */
const regrowth = 1.25;

/** Estimated tokens of messages that no summary under six headings would shorten, so that no model is asked for one. */
const leastTokens = 300;

/** Failures of a summary that leave the conversation as it was. */
const summaryFailures = new Set<string>(["MODEL_FAILED", "CONTEXT_OVERFLOW"]);

/**
 * Compacts the conversation, stores the new one, and reports it. Returns whether it got shorter; one that would not get
 * shorter stays as it is.
 */
export async function compactRun(
  context: LoopContext,
  state: LoopState,
  cause: CompactionCause,
): Promise<boolean> {
  const { conversation, compaction, emit, identity } = context;
  if (compaction === false || conversation.messages.length < 3) return false;
  if (cause !== "overflow") {
    const reason = await orAborted(() => context.gates?.beforeCompaction(cause), context.signal);
    // Not asked again before each turn: the model refuses a conversation that is really too long.
    if (reason !== undefined) state.isCompactionBroken = true;
    if (reason !== undefined) return false;
  }
  const request = await nextRequest(context, state);
  const tokensBefore = state.estimator.estimate(request);
  const plain = plainEstimate(request);
  const fixed = plainEstimate({ ...request, messages: [] });
  const limit = Math.min(thresholdOf(context, state.model) ?? tokensBefore, tokensBefore);
  // The provider's count and the estimate differ by a factor that is about the same for all messages.
  const factor = tokensBefore / plain;
  if (cause === "requested" && estimate(conversation.messages) <= leastTokens) return false;
  const compacted = await compactMessages({
    messages: conversation.messages,
    targetTokens: Math.max((limit * targetShare) / factor - fixed, plain * 0.1),
    keepTurns: compaction.keepTurns ?? 4,
    isRequested: cause === "requested",
    files: await filesOf(context, state),
    keep: (await orAborted(() => compaction.keep?.(), context.signal)) ?? [],
    estimate,
    summarize: async (old) => await summarize(context, state, old),
  });
  const after = plainEstimate({ ...request, messages: compacted.messages });
  if (after >= plain) {
    // Not tried again before each turn, but once there is more to shorten.
    state.compactAbove = tokensBefore * regrowth;
    return false;
  }
  await conversation.replace(compacted.messages);
  state.compactAbove = 0;
  emit({
    type: "compaction",
    runId: identity.runId,
    turn: state.turns,
    cause,
    kind: compacted.kind,
    tokensBefore,
    tokensAfter: Math.round(after * factor),
  });
  return true;
}

function estimate(messages: readonly Message[]): number {
  return plainEstimate({ system: "", tools: noTools, messages });
}

/** Names of the files that were read, also by runs before this one, of which only the calls are recorded. */
async function filesOf(
  { toolkit, recorded }: LoopContext,
  state: LoopState,
): Promise<readonly string[]> {
  if (!state.knowsRecordedFiles) {
    const before = [...filesInSummaries(recorded), ...(await filesRead(toolkit, recorded))];
    state.files = new Set([...before.filter((path) => !state.files.has(path)), ...state.files]);
    state.knowsRecordedFiles = true;
  }
  return [...state.files];
}

const noTools = [] as const;

async function nextRequest(
  { system, conversation, definitions }: LoopContext,
  { model }: LoopState,
): Promise<Parameters<typeof plainEstimate>[0]> {
  return { system, messages: conversation.messages, tools: await definitions(model) };
}

function thresholdOf({ compaction }: LoopContext, { info }: Model): number | undefined {
  if (compaction === false) return undefined;
  const { atTokens, atShare = 0.8 } = compaction;
  if (atTokens !== undefined) return atTokens;
  return info?.contextTokens === undefined ? undefined : info.contextTokens * atShare;
}
