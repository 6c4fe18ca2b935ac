import { joinPath } from "../text/index.ts";
import { ToolError, type EventLog, type HaftEvent } from "../core/index.ts";
import { memoryEventLog, openEventLog, WaitingEvents, type SessionLog } from "../session/index.ts";
import type { SettingsProblem } from "../workspace/index.ts";

/** Where a kit's events go. */
export interface KeptEvents {
  /** Takes them; undefined where none is kept. */
  readonly log: EventLog | undefined;
  /** The file they are written to; undefined where there is none. */
  readonly file: string | undefined;
  /** Why events are not stored now; undefined while they are. */
  problem(): SettingsProblem | undefined;
  /** Writes what is still waiting and lets go of the file. A log that was given stays open. */
  close(): Promise<void>;
}

export interface KeepEventsOptions {
  readonly dataDirectory: string;
  /** Leave secrets out of the file. */
  readonly redactSecrets: boolean;
  /** Bytes the file may take. */
  readonly maxBytes: number;
}

export function keptEvents(
  log: EventLog | "none" | "memory" | "file",
  options: KeepEventsOptions,
): KeptEvents {
  if (log === "file") return fileLog(joinPath(options.dataDirectory, "events.db"), options);
  return {
    log: log === "none" ? undefined : log === "memory" ? memoryEventLog() : log,
    file: undefined,
    problem: () => undefined,
    close: async () => undefined,
  };
}

/** Least bytes of a log in a file: a workspace that lowers limits must not erase what happened in it. */
const minBytes = 8 * 1024 * 1024;

/** Failures in a row after which a file is reported: another program's lock of a moment is not news. */
const reportedFailures = 3;

/**
 * Opens the file with the first event, so that a kit that is only asked for its tools opens none. Events wait
 * meanwhile; a file that cannot be opened loses them, never a call, and is reported.
 */
function fileLog(file: string, { redactSecrets, maxBytes }: KeepEventsOptions): KeptEvents {
  const waiting = new WaitingEvents();
  let opening: Promise<SessionLog | undefined> | undefined;
  let log: SessionLog | undefined;
  let reason: unknown;
  const open = async (): Promise<SessionLog | undefined> => {
    try {
      const { redact } = await import("../redact/index.ts");
      log = await openEventLog({
        file,
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
    async close() {
      await (await opening)?.close();
    },
  };
}

function unstored(reason: unknown): SettingsProblem {
  const why = reason instanceof Error ? reason.message : String(reason);
  const hint = ToolError.is(reason) ? reason.hint : undefined;
  return {
    severity: "warning",
    message: `Events are not stored, calls run as before. ${why}`,
    hint: hint ?? "Check that there is room on the disk and that the file can be written.",
  };
}
