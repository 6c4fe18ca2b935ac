import {
  ToolError,
  type Answer,
  type Ask,
  type UserQuestion,
  type UserReply,
} from "../../core/index.ts";
import type { Understood } from "../step.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { eventSource } from "../event-source.ts";
import { orAborted } from "../run/abortable.ts";
import { answerFor } from "./answer-for.ts";
import { turnEnded } from "./denial-messages.ts";

export interface AskingCall {
  readonly state: Understood;
  readonly environment: PipelineEnvironment;
}

/**
 * Asks the user what a running tool wants to know, in the queue of all questions. Only a clear yes approves a plan:
 * whatever interrupts the question, or answers something else, is an error or a refusal.
 */
export async function askUser(call: AskingCall, question: UserQuestion): Promise<UserReply> {
  const { state, environment } = call;
  if (!state.effects.some(({ kind }) => kind === "interact")) {
    throw new ToolError(
      "UNDECLARED_EFFECT",
      `${state.tool.name} asks the user without declaring it.`,
      {
        hint: 'Add "interact" to touches, and to the effects of this call.',
      },
    );
  }
  if (environment.mode() === "dontAsk")
    throw nobodyAsked(question, "dontAsk mode asks no questions");
  return await environment.askQueue.run(
    async () => await orAborted(replyTo(call, question), state.stops, whileAsked),
  );
}

const whileAsked = "The call was aborted while it waited for an answer, so nothing was answered.";

async function replyTo(call: AskingCall, question: UserQuestion): Promise<UserReply> {
  const { state, environment } = call;
  if (state.stops.isAborted) throw new ToolError("ABORTED", whileAsked);
  if (state.turn.aborted) throw turnEnded();
  if (state.turn.denied !== undefined) return refused(state.turn.denied.reason);
  const ask = askOf(state, question);
  const source = eventSource(state.options);
  environment.emit({ type: "permission-ask", callId: state.id, ask, ...source });
  const { answer, by, isAutomatic } = await answerFor(state, environment, {
    question: ask,
    absent: () => nobodyAsked(question, "no user is available"),
  });
  environment.emit({
    type: "permission-answer",
    callId: state.id,
    answer: answer.kind,
    ...source,
  });
  return replyOf(call, { question, answer, by: isAutomatic ? "none" : by });
}

function askOf({ id, options, tool, effects }: Understood, question: UserQuestion): Ask {
  const { sessionId, agentId } = options;
  return {
    kind: question.kind,
    callId: id,
    tool: tool.name,
    displayName: tool.displayName ?? tool.name,
    input: question.kind === "plan" ? { plan: question.plan } : {},
    effects,
    question: question.kind === "plan" ? "Carry out this plan?" : question.question,
    reason:
      question.kind === "plan"
        ? "The agent has made a plan and asks to leave plan mode."
        : (question.header ?? "The agent asks."),
    ...(question.kind === "question" && question.options !== undefined
      ? { options: question.options }
      : {}),
    ...(question.kind === "question" && question.isMultiSelect === true
      ? { isMultiSelect: true }
      : {}),
    trail: [],
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    refusals: 0,
  };
}

interface Answered {
  readonly question: UserQuestion;
  readonly answer: Answer;
  readonly by: "user" | "hook" | "none";
}

function replyOf({ state }: AskingCall, { question, answer, by }: Answered): UserReply {
  switch (answer.kind) {
    case "abort":
      state.turn.abort();
      throw turnEnded();
    case "deny-all":
      state.turn.denied = { reason: answer.reason };
      return refused(answer.reason);
    case "deny":
      return refused(answer.reason);
    case "answer":
      if (!isOffered(question, answer.choices)) throw noAnswer("a choice that was not offered");
      return answer;
    case "once":
      // An asker that says yes to everything has not chosen anything.
      if (question.kind === "question") return { kind: "automatic" };
      return { kind: "approved", plan: question.plan, isChanged: false, by };
    case "edit":
    case "save": {
      const plan = answer.kind === "edit" ? planIn(answer.input) : undefined;
      if (question.kind === "question" || plan === undefined)
        throw noAnswer(`kind ${JSON.stringify(answer.kind)}`);
      return { kind: "approved", plan, isChanged: plan !== question.plan, by };
    }
  }
}

function isOffered(question: UserQuestion, choices: readonly string[]): boolean {
  if (question.kind === "plan") return false;
  const { options = [], isMultiSelect = false } = question;
  const isCount = isMultiSelect || choices.length <= 1;
  return isCount && choices.every((choice) => options.some(({ label }) => label === choice));
}

function planIn(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null || !("plan" in input)) return undefined;
  const { plan } = input;
  return typeof plan === "string" && plan.trim() !== "" ? plan : undefined;
}

function refused(reason: string | undefined): UserReply {
  return reason === undefined || reason === "" ? { kind: "refused" } : { kind: "refused", reason };
}

function noAnswer(form: string): ToolError {
  return new ToolError("APPROVAL_REQUIRED", `The answer to the question is invalid (${form}).`, {
    hint: "Fix the program that asks; nothing was approved.",
  });
}

function nobodyAsked({ kind }: UserQuestion, why: string): ToolError {
  return new ToolError("APPROVAL_REQUIRED", `No user was asked, because ${why}.`, {
    hint:
      kind === "plan"
        ? "Nothing is approved: give the plan as your answer, and stay in plan mode."
        : "Continue without the answer, and say what you assumed.",
  });
}
