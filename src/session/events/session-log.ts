import type { EventLog, HaftEvent } from "../../core/index.ts";

/** An event with its position in the log. */
export type StoredEvent = HaftEvent & {
  /** Increases through the whole log, across every kit that wrote to it. */
  readonly position: number;
};

/** Selection of stored events. */
export interface EventQuery {
  /** Only events of this session. */
  readonly sessionId?: string;
  /** Only events whose `seq` is at least this. `seq` restarts with each kit; to follow a log, use `after`. */
  readonly fromSeq?: number;
  /** Only events after this position. */
  readonly after?: number;
  /** Maximum number of events; the earliest come first. */
  readonly limit?: number;
}

/** A session as its events show it. */
export interface SessionSummary {
  /** Id of the session. */
  readonly sessionId: string;
  /** Number of its events. */
  readonly events: number;
  /** Time of its first event, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Time of its last event, in milliseconds since the epoch. */
  readonly endedAt: number;
  /** Task of its latest run. */
  readonly task?: string;
  /** Status with which that run ended; missing while it is running, or if it was interrupted. */
  readonly status?: string;
}

/** State of an event log. */
export interface LogHealth {
  /** Number of events accepted but not stored yet. */
  readonly waiting: number;
  /** Number of events dropped because they could not be stored. */
  readonly dropped: number;
  /** Why events cannot be stored now. */
  readonly problem?: string;
  /** Number of consecutive failed attempts to store. */
  readonly failures?: number;
  /** Number of stored events that the latest read could not understand and skipped. */
  readonly damaged?: number;
}

/** Selection of old events. */
export interface CollectEventsOptions {
  /** Events older than this, in milliseconds since the epoch, are deleted. */
  readonly beforeMs: number;
  /** Count what would be deleted, and delete nothing. */
  readonly dryRun: boolean;
}

/** Result of a collection of events. */
export interface EventCollection {
  /** Number of deleted events. */
  readonly events: number;
  /** Bytes of the deleted events. */
  readonly bytes: number;
}

/** An event log that can be read. A read sees everything appended before it started. */
export interface SessionLog extends EventLog {
  /** Reads stored events, the earliest first. */
  readEvents(query?: EventQuery): Promise<readonly StoredEvent[]>;
  /** Position of the latest event; 0 if there is none. */
  lastPosition(): Promise<number>;
  /** Sessions, the latest first. Events without a session are not included. */
  sessions(): Promise<readonly SessionSummary[]>;
  /** State of the log. */
  health(): LogHealth;
  /** Deletes events that are old or beyond the log's size limit. */
  collect(options: CollectEventsOptions): Promise<EventCollection>;
  /** Stores everything appended so far. Never rejects: `health` says what could not be stored. */
  flush(): Promise<void>;
  /** Flushes and closes the file. Appending afterwards has no effect. */
  close(): Promise<void>;
}
