import { ToolError, type Answer, type Ask, type OnAsk } from "../../core/index.ts";
import { sentenceOf } from "../../text/index.ts";
import type { Request } from "../call-state.ts";
import type { FieldsOf } from "../step.ts";
import type { AskingParts, PipelineEnvironment } from "../environment/environment.ts";
import { orAborted } from "../run/abortable.ts";
import { checkAnswer } from "./check-answer.ts";

/** An answer, and who gave it. */
export interface GivenAnswer {
  readonly answer: Answer;
  readonly by: "hook" | "user";
  /** The asker answers without a person. */
  readonly isAutomatic: boolean;
}

export interface AskedQuestion {
  readonly question: Ask;
  /** Makes the error for a call without anybody to ask. */
  readonly absent: () => ToolError;
}

/** Puts a question to the permission hooks, then to the user. Whatever is not an answer is an error. */
export async function answerFor(
  state: Request & FieldsOf<"hooked">,
  environment: PipelineEnvironment,
  { question, absent }: AskedQuestion,
): Promise<GivenAnswer> {
  // A hook before the call counts like a rule: where no rule could allow the call, it cannot either.
  const { allows, asks } = state.hooked;
  const isPermission = question.kind === "permission";
  if (
    isPermission &&
    allows !== undefined &&
    asks === undefined &&
    question.suggestion !== undefined
  ) {
    return { answer: { kind: "once" }, by: "hook", isAutomatic: false };
  }
  for (const hook of environment.hooks.permission ?? []) {
    let answer: Answer | undefined;
    try {
      answer = await hook(question);
    } catch (cause) {
      const why = `A permission hook failed, so nothing was approved: ${sentenceOf(cause)}`;
      throw new ToolError("BLOCKED_BY_HOOK", why, { hint: "Fix the hook.", cause });
    }
    if (answer === undefined) continue;
    return { answer: checkAnswer(answer, "hook", question.kind), by: "hook", isAutomatic: false };
  }
  const onAsk = askerOf(state, environment);
  if (onAsk === undefined) throw absent();
  const { signal } = state.options;
  const answering = askedOf(onAsk, question, signal);
  const answer = await orAborted(answering, state.stops, whileAsked);
  return {
    answer: checkAnswer(answer, "user", question.kind),
    by: "user",
    isAutomatic: onAsk.isAutomatic === true,
  };
}

export const whileAsked = "The call was aborted while it waited for an answer.";

/** Asks the question. An exception counts as no answer; a ToolError is passed on unchanged. */
async function askedOf(
  onAsk: OnAsk,
  question: Ask,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  try {
    return await onAsk(question, { signal });
  } catch (cause) {
    if (ToolError.is(cause)) throw cause;
    throw new ToolError("APPROVAL_REQUIRED", `The user could not be asked: ${sentenceOf(cause)}`, {
      hint: "Fix the program that asks; the call did not run.",
      cause,
    });
  }
}

/** The asker of the call takes precedence over that of the kit. */
export function askerOf({ options }: Request, { onAsk }: AskingParts): OnAsk | undefined {
  return options.onAsk ?? onAsk;
}
