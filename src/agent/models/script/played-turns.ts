import { toolCallsOf, type AssistantMessage, type Message } from "../../../session/index.ts";
import type { ScriptCall, ScriptTurn } from "./script.ts";

/**
 * Number of turns that a conversation has already used, for a model that is created to continue it: answers are
 * compared with the turns in order, answers of rules are passed by. A script that was played to its end begins again.
 */
export function playedTurns(turns: readonly ScriptTurn[], messages: readonly Message[]): number {
  let next = 0;
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    const index = matchFrom(next, turns, message);
    if (index !== undefined) next = index + 1 < turns.length ? index + 1 : 0;
  }
  return next;
}

/** Index of the turn that gave an answer; only turns that may have been skipped are ignored. */
function matchFrom(
  start: number,
  turns: readonly ScriptTurn[],
  message: AssistantMessage,
): number | undefined {
  for (const [index, turn] of turns.entries()) {
    if (index < start) continue;
    if (gave(turn, message)) return index;
    if (turn.when === undefined && turn.error === undefined) return undefined;
  }
  return undefined;
}

function gave({ text = "", calls = [], error }: ScriptTurn, message: AssistantMessage): boolean {
  const answer = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const made = toolCallsOf(message);
  return (
    error === undefined &&
    fits(text, answer) &&
    calls.length === made.length &&
    calls.every((call, index) => {
      const other = made[index];
      return other?.name === call.name && fits(inputTextOf(call), other.input);
    })
  );
}

/** Text of a call's input as the model sends it. */
export function inputTextOf({ input = {}, inputText }: ScriptCall): string {
  return inputText ?? JSON.stringify(input);
}

/** Whether a text is the template with any text in place of `{{name}}`. */
function fits(template: string, text: string): boolean {
  if (template === text) return true;
  const pieces = template.split(/\{\{\w+\}\}/u);
  if (pieces.length === 1) return false;
  const [first = ""] = pieces;
  const last = pieces.at(-1) ?? "";
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}
