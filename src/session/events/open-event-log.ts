import type { EventLogOptions } from "./event-log.ts";
import type { SessionLog } from "./session-log.ts";

/** Opens the log in `file`; several processes may write to it at the same time. Loads SQLite on first use. */
export async function openEventLog(options: EventLogOptions): Promise<SessionLog> {
  const log = await import("./event-log.ts");
  return await log.openEventLog(options);
}
