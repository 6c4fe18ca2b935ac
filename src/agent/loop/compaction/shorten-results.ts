import { contentText } from "../../../core/index.ts";
import type { Message, ToolResultPart } from "../../../session/index.ts";

/** Characters of an old result that stay, from its start and from its end. */
const startChars = 300;
const endChars = 200;
/** A result that is barely longer than what stays is not worth shortening. */
const longChars = 1000;

/** Index at which the last `turns` turns start. A turn is an answer of the model with what follows it. */
export function startOfLatest(messages: readonly Message[], turns: number): number {
  let left = turns;
  for (let index = messages.length - 1; index >= 0 && left > 0; index -= 1) {
    if (messages[index]?.role !== "assistant") continue;
    left -= 1;
    if (left === 0) return index;
  }
  return left > 0 && turns > 0 ? 0 : messages.length;
}

/** Shortens long results of tools in all turns but the latest. Calls and results stay together. */
export function shortenResults(
  messages: readonly Message[],
  latestTurns: number,
): readonly Message[] {
  const end = startOfLatest(messages, latestTurns);
  return messages.map((message, index) => {
    if (index >= end || message.role !== "tool") return message;
    const content = message.content.map(shorten);
    return content.every((part, at) => part === message.content[at])
      ? message
      : { ...message, content };
  });
}

function shorten(result: ToolResultPart): ToolResultPart {
  const text = contentText(result.content);
  const hasMedia = result.content.some(({ type }) => type === "image" || type === "audio");
  if (text.length <= longChars && !hasMedia) return result;
  const start = text.slice(0, startChars);
  const end = text.length > longChars ? text.slice(-endChars) : "";
  const left = Math.max(0, text.length - start.length - end.length);
  const note = `[This old result was shortened by ${left} characters. Make the call again if you need it.]`;
  return { ...result, content: [{ type: "text", text: [start, note, end].join("\n").trim() }] };
}
