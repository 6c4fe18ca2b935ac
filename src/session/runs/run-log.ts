import type { Message } from "../messages/messages.ts";
import type { Steps } from "./steps.ts";

/**
 * Storage of one run, from which the run continues after an interruption. The message log is the truth of a
 * conversation: it contains every message in order, with everything a provider needs back. Each promise resolves once
 * the data is stored; a run does not start its next step before.
 */
export interface RunLog {
  /** Recorded results of the run's steps. */
  readonly steps: Steps;
  /** Appends messages to the conversation, in order. */
  append(messages: readonly Message[]): Promise<void>;
  /**
   * Records that the model sees `messages` from now on, in place of everything before. The replaced messages stay in
   * the log.
   */
  replace(messages: readonly Message[], reason: "compaction"): Promise<void>;
}
