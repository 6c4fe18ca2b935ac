import { joinPath, type EventLog, type HaftEvent } from "../core/index.ts";
import { memoryEventLog, openEventLog, type SessionLog } from "../session/index.ts";

/** Where a kit's events go. */
export interface KeptEvents extends EventLog {
  /** The file they are written to; undefined where there is none. */
  readonly file: string | undefined;
  /** Writes what is still waiting and lets go of the file. A log that was given stays open. */
  close(): Promise<void>;
}

export interface KeepEventsOptions {
  readonly dataDirectory: string;
  /** Leave secrets out of the file. */
  readonly redactSecrets: boolean;
}

export function keptEvents(
  log: EventLog | "memory" | "file",
  { dataDirectory, redactSecrets }: KeepEventsOptions,
): KeptEvents {
  if (log === "file") return fileLog(joinPath(dataDirectory, "events.db"), redactSecrets);
  const events = log === "memory" ? memoryEventLog() : log;
  return { file: undefined, append: (event) => events.append(event), close: async () => undefined };
}

/**
 * Opens the file with the first event, so that a kit that is only asked what it has opens none. Events wait
 * meanwhile; a file that cannot be opened loses them, never a call.
 */
function fileLog(file: string, redactSecrets: boolean): KeptEvents {
  let waiting: HaftEvent[] = [];
  let opening: Promise<SessionLog | undefined> | undefined;
  let log: SessionLog | undefined;
  const open = async (): Promise<SessionLog | undefined> => {
    const { redact } = await import("../pipeline/index.ts");
    const options = redactSecrets ? { file, redact } : { file };
    log = await openEventLog(options).catch(() => undefined);
    for (const event of waiting) log?.append(event);
    waiting = [];
    return log;
  };
  return {
    file,
    append(event) {
      if (log !== undefined) {
        log.append(event);
        return;
      }
      // Before the first call there is nothing to tell of: which tools are on offer is no event of a session.
      if (opening === undefined && event.type === "tools-change") return;
      waiting.push(event);
      opening ??= open();
    },
    async close() {
      await (await opening)?.close();
    },
  };
}
