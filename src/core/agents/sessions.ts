import { serviceToken } from "../ports/service-token.ts";
import type { AgentCaller } from "./agents.ts";

/** A session, as other sessions see it. */
export interface SessionFacts {
  /** Id of the session. */
  readonly sessionId: string;
  /** Title given by the user; otherwise the start of its first task. */
  readonly title: string;
  /** `new`, `running`, `interrupted`, or how its latest run ended. */
  readonly status: string;
  /** Number of messages. */
  readonly messages: number;
  /** Time of its latest change, in milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A message of a session, as text. */
export interface SessionMessage {
  /** Author of the message; `tool` for results of calls. */
  readonly role: "user" | "assistant" | "tool";
  /** Text, with the names of calls. */
  readonly text: string;
}

/** Request for a new session. */
export interface SpawnRequest {
  /** Task of the session. */
  readonly prompt: string;
  /** Kind of agent that works in it. Default: the same tools as the caller. */
  readonly agent?: string | undefined;
  /** Title for users. */
  readonly title?: string | undefined;
}

/** Other sessions of the same workspace. */
export interface OtherSessions {
  /** Starts a session in the background; its end is reported to the caller's run. */
  spawn(request: SpawnRequest, caller: AgentCaller): Promise<SessionFacts>;
  /** Sessions, the latest first. */
  list(page: { readonly limit: number; readonly offset: number }): Promise<readonly SessionFacts[]>;
  /** Returns a session. Rejects with NOT_FOUND. */
  get(sessionId: string): Promise<SessionFacts>;
  /**
   * Stores a message that the session reads before its next turn, also in another process. Rejects with UNAVAILABLE for a
   * session that has ended.
   */
  send(sessionId: string, message: string, caller: AgentCaller): Promise<void>;
  /** Latest messages of a session, in order. */
  history(
    sessionId: string,
    limit: number,
    caller: AgentCaller,
  ): Promise<readonly SessionMessage[]>;
  /** Ends the caller's run with this message, once its background work has ended. Rejects outside a run. */
  yield(message: string, caller: AgentCaller): Promise<void>;
}

/** Token of the service for other sessions. */
export const otherSessions = serviceToken<OtherSessions>(
  "otherSessions",
  "The user can name a model in the setting models.default; sessions must be stored.",
);
