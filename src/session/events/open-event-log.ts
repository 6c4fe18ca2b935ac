import type { EventLogOptions } from "./event-log.ts";
import type { MemoryEventLogOptions } from "./memory-event-log.ts";
import type { SessionLog } from "./session-log.ts";

/** Opens the log in `file`; several processes may write to it at the same time. Loads SQLite on first use. */
export async function openEventLog(options: EventLogOptions): Promise<SessionLog> {
  const log = await import("./event-log.ts");
  return await log.openEventLog(options);
}

/** Creates a log in memory. Loaded on first use, because most programs keep events in a file or not at all. */
export async function openMemoryEventLog(options?: MemoryEventLogOptions): Promise<SessionLog> {
  return (await import("./memory-event-log.ts")).memoryEventLog(options);
}
