import { toolCallsOf, type AssistantMessage, type Message } from "../../../session/index.ts";
import type { Script, ScriptTurn } from "./script.ts";

/**
 * Script that plays a recorded conversation again: each answer in order, with its calls under the provider's ids and
 * with their input as it was. Results are not part of it; they come from the tools of the new run.
 *
 * @example
 * const model = scriptedModel(recordedScript(result.messages));
 */
export function recordedScript(messages: readonly Message[], name = "recorded"): Script {
  const turns = messages.flatMap((message) =>
    message.role === "assistant" && message.content.length > 0 ? [turnOf(message)] : [],
  );
  const isOpen = (turns.at(-1)?.calls ?? []).length > 0;
  // A recording that stopped after calls has no answer that ends the run.
  return {
    format: 1,
    name,
    turns: isOpen ? [...turns, { text: "The recording ends here." }] : turns,
  };
}

function turnOf(message: AssistantMessage): ScriptTurn {
  const text = textOf(message, "text");
  const reasoning = textOf(message, "reasoning");
  const calls = toolCallsOf(message).map((call) => ({
    name: call.name,
    inputText: call.input,
    id: call.providerCallId ?? call.id,
    ...(call.incomplete === true ? { incomplete: true } : {}),
  }));
  return {
    ...(reasoning === "" ? {} : { reasoning }),
    ...(text === "" ? {} : { text }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}

function textOf({ content }: AssistantMessage, type: "text" | "reasoning"): string {
  return content.map((part) => (part.type === type ? part.text : "")).join("");
}
