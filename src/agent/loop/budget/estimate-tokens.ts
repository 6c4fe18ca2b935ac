import { partText, type ContentPart, type TokenUsage } from "../../../core/index.ts";
import type { AssistantPart, Message } from "../../../session/index.ts";
import type { ModelTool } from "../../models/model.ts";

/** Bytes of UTF-8 in a token. Lower than the average of English and code, so that an estimate is rarely too small. */
const bytesPerToken = 3.5;
/** Tokens of an image, whatever its size: providers scale it down. */
const imageTokens = 1600;
/** Tokens that a provider adds to each message. */
const messageTokens = 6;

export interface SizedRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
}

/**
 * Estimates the input tokens of requests. After an answer, the provider's own count of its request is the base, and only
 * what was added since is estimated.
 */
export interface TokenEstimator {
  estimate(request: SizedRequest): number;
  /** Records the count of a request that was answered. */
  learn(request: SizedRequest, usage: TokenUsage): void;
}

/** Estimate without a count of the provider. */
export function plainEstimate({ system, messages, tools }: SizedRequest): number {
  return tokensOf(system) + toolTokens(tools) + sumOf(messages);
}

export function tokenEstimator(): TokenEstimator {
  let known:
    | { readonly last: Message | undefined; readonly count: number; readonly tokens: number }
    | undefined;
  return {
    estimate(request) {
      const { messages } = request;
      // The counted request is the start of this one if the message at its end is still in the same position.
      if (known !== undefined && known.count > 0 && messages[known.count - 1] === known.last) {
        return known.tokens + sumOf(messages.slice(known.count));
      }
      return plainEstimate(request);
    },
    learn({ messages }, { input }) {
      if (input > 0) known = { last: messages.at(-1), count: messages.length, tokens: input };
    },
  };
}

/**
 * Estimates the tokens of a text, rather too many than too few.
 *
 * @example
 * tokensOf("You review code."); // 5
 */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** Sizes of messages and tool lists that do not change, so that a long conversation is measured once. */
const sizes = new WeakMap<object, number>();

function remembered(key: object, measure: () => number): number {
  const size = sizes.get(key) ?? measure();
  sizes.set(key, size);
  return size;
}

function sumOf(messages: readonly Message[]): number {
  let sum = 0;
  for (const message of messages) sum += remembered(message, () => messageSize(message));
  return sum;
}

function toolTokens(tools: readonly ModelTool[]): number {
  return remembered(tools, () => tokensOf(JSON.stringify(tools)));
}

function messageSize(message: Message): number {
  let sum = messageTokens;
  if (message.role === "user") for (const part of message.content) sum += contentSize(part);
  if (message.role === "assistant") sum += answerTokens(message.content);
  if (message.role === "tool") {
    for (const { content } of message.content) {
      sum += messageTokens;
      for (const part of content) sum += contentSize(part);
    }
  }
  return sum;
}

/** Estimates the tokens of an answer. */
export function answerTokens(content: readonly AssistantPart[]): number {
  return content.reduce((sum, part) => sum + partSize(part), 0);
}

function contentSize(part: ContentPart): number {
  return part.type === "image" || part.type === "audio" ? imageTokens : tokensOf(partText(part));
}

function partSize(part: AssistantPart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return tokensOf(part.text);
    case "tool-call":
      return messageTokens + tokensOf(part.name) + tokensOf(part.input);
    case "provider":
      return tokensOf(JSON.stringify(part.data) ?? "");
  }
}
