import type { Answer, Ask, StagedChanges } from "../core/index.ts";
import { toolOf, type CallState } from "./call-state.ts";
import { checkAnswer } from "./check-answer.ts";
import type { PipelineEnvironment } from "./environment.ts";
import { orAborted } from "./or-aborted.ts";
import { stagedResult } from "./preview-command.ts";

/**
 * Shows a person what the programs of a call changed where it does not count yet, and asks whether it shall. Resolves
 * to why it shall not, in words for the model; undefined for a yes.
 */
export async function approveChanges(
  state: CallState,
  environment: PipelineEnvironment,
  staged: StagedChanges,
): Promise<string | undefined> {
  const onAsk = state.options.onAsk ?? environment.onAsk;
  if (onAsk === undefined) return "nobody was here to approve them";
  const { sessionId, agentId, signal } = state.options;
  const tool = toolOf(state);
  const { summary, diff } = await stagedResult(staged, {
    environment,
    staged: environment.host.fs,
  });
  const question: Ask = {
    callId: state.id,
    tool: tool.name,
    displayName: tool.displayName ?? tool.name,
    input: state.input,
    effects: state.effects,
    question: "Keep what the command changed?",
    reason: `It has run on files kept apart. ${summary}`,
    preview: diff ?? summary,
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
      sessionId,
      agentId,
    });
    let answer: Answer;
    try {
      answer = checkAnswer(await orAborted(onAsk(question, { signal }), state.stops), "person");
    } catch {
      return "nobody answered";
    }
    environment.emit({
      type: "permission-answer",
      callId: state.id,
      answer: answer.kind,
      sessionId,
      agentId,
    });
    return refusalIn(state, answer);
  });
}

/** A rule is not saved here: it would allow the next command, which nobody has seen. */
function refusalIn(state: CallState, answer: Answer): string | undefined {
  switch (answer.kind) {
    case "once":
    case "save":
      return undefined;
    case "edit":
      return "the person wanted another command";
    case "abort":
      state.turn.abort();
      return "the person ended this turn";
    case "deny-all":
      state.turn.denied = { reason: answer.reason };
      return becauseOf(answer.reason);
    case "deny":
      return becauseOf(answer.reason);
  }
}

function becauseOf(reason: string | undefined): string {
  return reason === undefined || reason === ""
    ? "the person said no"
    : `the person said no: ${reason}`;
}
