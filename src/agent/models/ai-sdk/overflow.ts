/**
 * Messages with which providers refuse a request because it is too long, one entry for each wording. The first provider
 * named is the one that it was taken from; servers with its protocol often repeat it.
 */
const overflowMessages: readonly { readonly provider: string; readonly message: RegExp }[] = [
  { provider: "anthropic, bedrock", message: /prompt is too long/iu },
  { provider: "anthropic", message: /input length and `max_tokens` exceed context limit/iu },
  { provider: "anthropic", message: /request exceeds the maximum size/iu },
  { provider: "openai", message: /context_length_exceeded/iu },
  { provider: "openai responses", message: /exceeds? the context window/iu },
  { provider: "openai", message: /input tokens exceed the configured limit/iu },
  { provider: "openai", message: /input or output tokens must be reduced/iu },
  {
    provider: "openai, deepseek, openrouter, vllm",
    message: /maximum context length is [\d,]+/iu,
  },
  { provider: "google", message: /input token count.{0,40}exceeds the maximum number of tokens/iu },
  { provider: "bedrock", message: /input is too long for (?:the )?requested model/iu },
  { provider: "mistral", message: /too large for model with [\d,]+ maximum context length/iu },
  { provider: "xai", message: /maximum prompt length is [\d,]+/iu },
  { provider: "groq", message: /reduce the length of the messages/iu },
  { provider: "openrouter", message: /exceeds the maximum allowed input length/iu },
  { provider: "kimi", message: /exceeded model token limit/iu },
  { provider: "llama.cpp", message: /exceeds the available context size|exceed_context_size/iu },
  { provider: "lm studio", message: /greater than the context length/iu },
  { provider: "sglang", message: /longer than the model's context length/iu },
  { provider: "ollama", message: /exceeded max context length/iu },
];

/** Statuses that are about something else, whatever the text: keys, names, and providers that are busy. */
const otherStatuses: ReadonlySet<number> = new Set([401, 403, 404, 408, 409]);

/** Whether a provider refused a request because the conversation is longer than the model accepts. */
export function isOverflow(text: string, status: number | undefined): boolean {
  if (status === 413) return true;
  if (status !== undefined && otherStatuses.has(status)) return false;
  return overflowMessages.some(({ message }) => message.test(text));
}
