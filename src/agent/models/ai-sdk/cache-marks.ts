import type { PackageOptions } from "./provider-table.ts";
import type { PromptMessage, PromptPart } from "./prompt-message.ts";

/**
 * Marks a prompt for a provider's cache, at most four times: after the instructions, after the last two messages, and
 * at the end of the previous request, the message before the latest answer. Anthropic finds a stored prefix only within
 * 20 blocks before a mark, and an answer with ten parallel calls has more than that together with its results.
 */
export function markCache(
  prompt: readonly PromptMessage[],
  mark: PackageOptions,
): readonly PromptMessage[] {
  const latestAnswer = prompt.findLastIndex(({ role }) => role === "assistant");
  const marked = new Set([0, latestAnswer - 1, prompt.length - 2, prompt.length - 1]);
  return prompt.map((message, index) => (marked.has(index) ? markMessage(message, mark) : message));
}

/**
 * Marks the end of a message. Results are marked at the last one, since a mark on the message holds for each of them in
 * some packages.
 */
function markMessage(message: PromptMessage, mark: PackageOptions): PromptMessage {
  const { role, content } = message;
  const last = typeof content === "string" ? undefined : content.at(-1);
  // Reasoning cannot be marked.
  if (last?.["type"] === "reasoning") return message;
  if (role === "system" || role === "assistant" || typeof content === "string" || !last) {
    return { ...message, providerOptions: mark };
  }
  return { ...message, content: [...content.slice(0, -1), markPart(last, mark)] };
}

function markPart(part: PromptPart, mark: PackageOptions): PromptPart {
  return { ...part, providerOptions: mark };
}
