import {
  ToolError,
  type Answer,
  type Ask,
  type Effect,
  type OnAsk,
  type Word,
} from "../../../core/index.ts";
import { approvalAnswer, approvalForm, choices } from "./approval-form.ts";
import type { AskClient } from "./question.ts";
import { questionAnswer, questionForm, questionMessage } from "./question-form.ts";
import { isRecord, visibleText } from "../../../text/index.ts";

/** Maximum characters shown of one field: fewer if a diff shows the change. */
const shownChars = 10_000;
const shownBesideDiff = 2000;
const shownEffects = 20;

/**
 * Sends a permission question to the user at the client, as a form. Only an accepted form with one of the offered
 * choices approves; declining denies, and everything else, including cancelling, leaves the question unanswered. One
 * for each call: a changed input is asked about again under its own name, so that no answer counts twice.
 */
export function approver(ask: AskClient): OnAsk {
  let changes = 0;
  let questions = 0;
  return async (question) => {
    const { tool, input, effects, kind } = question;
    try {
      if (kind === "question") {
        questions += 1;
        return await askQuestion(ask, question, questions);
      }
      const answer = await ask({
        key: changes === 0 ? "approval" : `approval-${changes + 1}`,
        method: "elicitation/create",
        params: { message: approvalMessage(question), requestedSchema: approvalForm(question) },
        binding: { tool, input, effects, suggestion: question.suggestion ?? null },
      });
      const said = approvalAnswer(question, answer);
      if (said.kind === "edit") changes += 1;
      return said;
    } catch (cause) {
      if (!ToolError.is(cause) || cause.code === "ABORTED") throw cause;
      throw unanswered(question, cause.message);
    }
  };
}

async function askQuestion(ask: AskClient, question: Ask, number: number): Promise<Answer> {
  const answer = await ask({
    key: `question-${number}`,
    method: "elicitation/create",
    params: { message: questionMessage(question), requestedSchema: questionForm(question) },
    binding: {
      tool: question.tool,
      question: question.question,
      options: question.options ?? null,
    },
  });
  return questionAnswer(question, answer);
}

function unanswered({ kind, tool, suggestion }: Ask, why: string): ToolError {
  if (kind !== "permission") {
    return new ToolError(
      "APPROVAL_REQUIRED",
      `The user did not answer, so nothing is approved. ${why}`,
      {
        hint: "Send the call again when a user can answer.",
        data: { asked: true },
      },
    );
  }
  return new ToolError("APPROVAL_REQUIRED", `${tool} needs approval. ${why}`, {
    hint: "Send the call again when a user can answer.",
    data: { asked: true, ...(suggestion === undefined ? {} : { suggestion }) },
  });
}

/**
 * Message on which the user decides. Text from a model is indented, visibly shortened and stripped of characters that
 * could hide it, so that it cannot pass for the lines around it.
 */
export function approvalMessage(ask: Ask): string {
  const { tool, displayName, question, reason, input, effects, suggestion } = ask;
  const { preview, notUndoable, refusals } = ask;
  const more = effects.length - shownEffects;
  const fieldChars = preview === undefined ? shownChars : shownBesideDiff;
  const lines = [
    `${line(displayName)}: ${line(question)}`,
    `Why it asks: ${line(reason)}`,
    `Tool: ${tool}`,
    "Input:",
    ...fieldsOf(input, fieldChars).map((field) => indented(field)),
    "It would:",
    ...mostTelling(effects).map((effect) => indented(effectText(effect))),
    ...(more > 0 ? [indented(`and ${more} more`)] : []),
    ...(effects.length === 0 ? [indented("touch nothing that is known")] : []),
    ...(preview === undefined ? [] : ["What would change:", block(cut(preview, shownChars))]),
    ...(notUndoable === undefined ? [] : [`Cannot all be undone: ${line(notUndoable)}`]),
    ...(refusals === 0
      ? []
      : [`This exact call was refused ${refusals === 1 ? "once" : `${refusals} times`} before.`]),
    ...(suggestion === undefined
      ? []
      : [`"${choices.session}" adds the rule: ${line(suggestion.split("\n").join(", "))}`]),
  ];
  return lines.join("\n");
}

/** All effects in their order if they fit; otherwise those that the user most needs to know, first. */
function mostTelling(effects: readonly Effect[]): readonly Effect[] {
  if (effects.length <= shownEffects) return effects;
  return effects.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, shownEffects);
}

function rankOf(effect: Effect): number {
  const isListed = effect.kind === "execute" && effect.consequences === "listed";
  return isListed ? kinds.length : kinds.indexOf(effect.kind);
}

const kinds = ["unknown", "delegate", "execute", "connect", "write", "read", "interact"] as const;

function fieldsOf(input: unknown, chars: number): string[] {
  if (!isRecord(input)) return [cut(JSON.stringify(input) ?? "", chars)];
  return Object.entries(input).map(
    ([key, value]) =>
      `${line(key)}: ${cut(typeof value === "string" ? value : JSON.stringify(value), chars)}`,
  );
}

function effectText(effect: Effect): string {
  switch (effect.kind) {
    case "read":
      return `read ${effect.path}${effect.scope === "tree" ? " and everything below" : ""}`;
    case "write":
      return `${changes[effect.change]} ${effect.path}${effect.scope === "tree" ? " and everything below" : ""}`;
    case "execute":
      return `run ${commandText(effect)}`;
    case "connect":
      return `connect to ${effect.host}${effect.port === undefined ? "" : `:${effect.port}`}`;
    case "delegate":
      return `start or talk to the agent ${effect.agent}`;
    case "interact":
      return "show something to you";
    case "unknown":
      return `unknown effects: ${effect.because}`;
  }
}

function commandText({ assigns, via, argv }: Extract<Effect, { kind: "execute" }>): string {
  const assigned = assigns.map(({ name, value }) => `${name}=${wordText(value)}`);
  return [...assigned, ...via, ...argv.map(wordText)].join(" ");
}

/** Quotes an argument that could be read as more than one. */
function wordText(word: Word): string {
  if (typeof word !== "string") return "…";
  return /^[\w./:=@%+,-]+$/u.test(word) ? word : JSON.stringify(word);
}

const changes = { create: "create", modify: "change", delete: "delete", any: "write to" } as const;

function line(text: string): string {
  return visibleText(text).replaceAll(/\n\s*/gu, " ");
}

/** Shortens a text to its beginning and end, because a long harmless text may hide something at its end. */
function cut(text: string, chars: number): string {
  const more = text.length - chars;
  if (more <= 0) return text;
  const end = Math.floor(chars / 4);
  return `${text.slice(0, chars - end)}… (${more} more characters) …${text.slice(-end)}`;
}

/** Formats one entry: lines after the first are indented further. */
function indented(text: string): string {
  return `  ${visibleText(text).trimEnd().replaceAll("\n", "\n    ")}`;
}

function block(text: string): string {
  return `  ${visibleText(text).trimEnd().replaceAll("\n", "\n  ")}`;
}
