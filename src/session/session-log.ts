import type { EventLog, HaftEvent } from "../core/index.ts";

/** An event where it stands in its log. */
export type StoredEvent = HaftEvent & {
  /** Counts up through the whole log, across every kit that wrote to it. */
  readonly position: number;
};

export interface EventQuery {
  readonly sessionId?: string;
  /** Only events whose `seq` is at least this. `seq` starts anew with each kit; to follow a log, use `after`. */
  readonly fromSeq?: number;
  /** Only events that stand after this position. */
  readonly after?: number;
  /** At most this many, the earliest first. */
  readonly limit?: number;
}

export interface SessionSummary {
  readonly sessionId: string;
  readonly events: number;
  /** Milliseconds since the epoch, of its first and last event. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The task of its latest run. */
  readonly task?: string;
  /** How that run ended; missing while it goes on, or when it was interrupted. */
  readonly status?: string;
}

export interface LogHealth {
  /** Events accepted but not stored yet. */
  readonly waiting: number;
  /** Events given up because they could not be stored. */
  readonly dropped: number;
  readonly problem?: string;
  /** Attempts to store that have failed in a row. */
  readonly failures?: number;
}

/** An event log that can be read. What was appended is seen by a read that starts later. */
export interface SessionLog extends EventLog {
  readEvents(query?: EventQuery): Promise<readonly StoredEvent[]>;
  /** The latest first. Events of no session are not among them. */
  sessions(): Promise<readonly SessionSummary[]>;
  health(): LogHealth;
  /** Stores everything appended so far. Never rejects: `health` says what could not be stored. */
  flush(): Promise<void>;
  /** Flushes and lets go of the file. Appending later does nothing. */
  close(): Promise<void>;
}
