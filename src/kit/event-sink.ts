import type { TextFilter } from "../artifacts/index.ts";
import { joinPath, messageOf } from "../text/index.ts";
import { ToolError, type EventLog, type HaftEvent } from "../core/index.ts";
import {
  openEventLog,
  WaitingEvents,
  type CollectEventsOptions,
  type EventCollection,
  type EventFilter,
  type SessionLog,
} from "../session/index.ts";
import type { SettingsProblem } from "../workspace/index.ts";

/** Destination of a kit's events. */
export interface EventSink {
  /** Receives the events; undefined if none are stored. */
  readonly log: EventLog | undefined;
  /** File the events are written to; undefined if there is none. */
  readonly file: string | undefined;
  /** Returns why events are not stored now; undefined while they are. */
  problem(): SettingsProblem | undefined;
  /** Deletes old events of the file; there are none elsewhere that outlive the process. */
  collect(options: CollectEventsOptions): Promise<EventCollection>;
  /** Writes pending events and closes the file. A log that was given stays open. */
  close(): Promise<void>;
}

export interface KeepEventsOptions {
  readonly dataDirectory: string;
  /** Workspace of the events. */
  readonly workspace: string;
  /** Whether secrets are left out of the file. */
  readonly redactSecrets: boolean;
  /** Maximum bytes of the file. */
  readonly maxBytes: number;
  /** Whether there is a file at a path. */
  readonly exists: (path: string) => Promise<boolean>;
}

const nothingCollected: EventCollection = { events: 0, bytes: 0 };

export function eventSink(log: EventLog | "none" | "file", options: KeepEventsOptions): EventSink {
  if (log === "file") return fileLog(joinPath(options.dataDirectory, "events.db"), options);
  return {
    log: log === "none" ? undefined : log,
    file: undefined,
    problem: () => undefined,
    collect: async () => nothingCollected,
    close: async () => undefined,
  };
}

/** Minimum bytes of a log file: a workspace that lowers limits must not erase what happened in it. */
const minBytes = 8 * 1024 * 1024;

/** Consecutive failures after which a file is reported: a brief lock of another program is not worth reporting. */
const reportedFailures = 3;

/**
 * Opens the file with the first event, so that a kit that is only asked for its tools opens none. Events are buffered
 * until then; if the file cannot be opened, they are lost and that is reported, but no call fails.
 */
function fileLog(
  file: string,
  { workspace, redactSecrets, maxBytes, exists }: KeepEventsOptions,
): EventSink {
  const waiting = new WaitingEvents();
  let opening: Promise<SessionLog | undefined> | undefined;
  let log: SessionLog | undefined;
  let reason: unknown;
  const open = async (): Promise<SessionLog | undefined> => {
    try {
      const { redact } = await import("../redact/index.ts");
      log = await openEventLog({
        file,
        workspace,
        maxBytes: Math.max(maxBytes, minBytes),
        ...(redactSecrets ? { redact } : {}),
      });
      for (const event of waiting) log.append(event);
      waiting.clear();
    } catch (error) {
      reason = error ?? "unknown";
      waiting.giveUp();
    }
    return log;
  };
  const append = (event: HaftEvent): void => {
    if (log !== undefined) {
      log.append(event);
      return;
    }
    if (reason !== undefined) return;
    // Before the first call there is nothing to report: the tools on offer are not an event of a session.
    if (opening === undefined && event.type === "tools-change") return;
    waiting.add(event);
    opening ??= open();
  };
  return {
    get file() {
      return reason === undefined ? file : undefined;
    },
    log: { append },
    problem() {
      if (reason !== undefined) return unstored(reason);
      const health = log?.health();
      const isFailing = (health?.failures ?? 0) >= reportedFailures;
      return isFailing ? unstored(`${file}: ${health?.problem ?? "unknown"}.`) : undefined;
    },
    async collect(options) {
      // A collection creates no log.
      if (opening === undefined && (await exists(file))) opening ??= open();
      return (await (await opening)?.collect(options)) ?? nothingCollected;
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

function unstored(reason: unknown): SettingsProblem {
  const why = messageOf(reason);
  const hint = ToolError.is(reason) ? reason.hint : undefined;
  return {
    severity: "warning",
    message: `Events are not stored, calls run as before. ${why}`,
    hint: hint ?? "Check that there is room on the disk and that the file can be written.",
  };
}

/** Loaded before the first event: an event is emitted at once, so there is no time to load it later. */
export async function eventFilter(): Promise<EventFilter> {
  const { hiddenEvent, RedactedStream } = await import("../redact/index.ts");
  return { event: hiddenEvent, text: () => new RedactedStream() };
}

/** Creates a filter; loaded with the first artifact, like the call engine with the first call. */
export async function secretFilter(): Promise<TextFilter> {
  const { RedactedStream } = await import("../redact/index.ts");
  return new RedactedStream();
}
