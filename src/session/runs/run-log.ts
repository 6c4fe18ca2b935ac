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
  /**
   * Appends messages to the conversation, in order. Those of `mail` no longer wait then, in the same transaction, so
   * that none is lost or delivered twice.
   */
  append(messages: readonly Message[], mail?: readonly number[]): Promise<void>;
  /** Messages of other sessions, and ends of agents in the background, that wait; without it there are none. */
  mail?(): readonly StoredMail[];
  /**
   * Records that the model sees `messages` from now on, in place of everything before. The replaced messages stay in
   * the log.
   */
  replace(messages: readonly Message[], reason: "compaction"): Promise<void>;
}

/** A message of another session, or the end of an agent in the background. */
export interface StoredMail {
  /** Number in the store. */
  readonly number: number;
  /** Text of the message, with the session that sent it. */
  readonly text: string;
  /** Agent whose end it reports; absent for a message of another session. */
  readonly workId?: string;
}
