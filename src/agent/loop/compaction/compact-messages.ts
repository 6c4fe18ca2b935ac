import { contentText } from "../../../core/index.ts";
import type { Message } from "../../../session/index.ts";
import type { PromptPart } from "../../system-prompt.ts";
import { tokensOf } from "../budget/estimate-tokens.ts";
import { shortenResults, startOfLatest } from "./shorten-results.ts";
import { isSummary, summaryMessage } from "./summary.ts";

/** When and how a conversation is compacted. */
export interface CompactionOptions {
  /** Estimated tokens of a request at which it is compacted. Default: a share of the model's context. */
  readonly atTokens?: number;
  /** Share of the model's context at which it is compacted, from 0 to 1. Default 0.8. */
  readonly atShare?: number;
  /** Number of latest turns that stay unchanged where possible. Default 4. */
  readonly keepTurns?: number;
  /** Named facts that the conversation must have afterwards, such as open todos. */
  readonly keep?: () => readonly PromptPart[] | Promise<readonly PromptPart[]>;
}

export interface Compaction {
  readonly messages: readonly Message[];
  readonly kind: "results" | "summary";
}

export interface CompactionWork {
  readonly messages: readonly Message[];
  /** Estimated tokens below which the conversation must come. */
  readonly targetTokens: number;
  readonly keepTurns: number;
  /** Summarize also where shorter results would suffice. */
  readonly isRequested: boolean;
  readonly files: readonly string[];
  readonly keep: readonly PromptPart[];
  readonly estimate: (messages: readonly Message[]) => number;
  readonly summarize: (messages: readonly Message[]) => Promise<string>;
}

/**
 * Shortens old results first; if that does not suffice, replaces the old turns by a summary. Messages of the user stay
 * as they are while they fit, the first one in any case. A call and its result are never separated.
 */
export async function compactMessages(work: CompactionWork): Promise<Compaction> {
  const { messages, targetTokens, keepTurns, estimate } = work;
  const shortened = shortenResults(messages, keepTurns);
  const hasChanged = shortened.some((message, index) => message !== messages[index]);
  if (!work.isRequested && hasChanged && estimate(shortened) <= targetTokens) {
    return { messages: shortened, kind: "results" };
  }
  const start = latestThatFit(work);
  const old = messages.slice(0, start);
  const latest = messages.slice(start);
  const summary = summaryMessage(await work.summarize(old), work);
  const users = userMessages(old, targetTokens / 4);
  const whole = [...users, summary, ...latest];
  if (estimate(whole) <= targetTokens) return { messages: whole, kind: "summary" };
  return { messages: [...users, summary, ...shortenResults(latest, 0)], kind: "summary" };
}

/** Start of the latest turns that leave room for a summary: fewer if the turns are long, none if a single one is. */
function latestThatFit({ messages, keepTurns, targetTokens, estimate }: CompactionWork): number {
  for (let turns = keepTurns; turns > 0; turns -= 1) {
    const start = startOfLatest(messages, turns);
    if (start > 1 && estimate(messages.slice(start)) <= targetTokens / 2) return start;
  }
  // A single turn that is too long is kept, with shortened results, so that the model sees what it just did.
  return Math.max(startOfLatest(messages, 1), 1);
}

function userMessages(old: readonly Message[], maxTokens: number): readonly Message[] {
  const users = old.filter((message) => message.role === "user" && !isSummary(message));
  let size = 0;
  const kept = users.toReversed().filter((message) => {
    size += message.role === "user" ? tokensOf(contentText(message.content)) : 0;
    return size <= maxTokens;
  });
  const first = users[0];
  return first === undefined || kept.includes(first)
    ? kept.toReversed()
    : [first, ...kept.toReversed()];
}
