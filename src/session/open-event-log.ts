import type { EventLogOptions } from "./event-log.ts";
import type { SessionLog } from "./session-log.ts";

/** Opens the log in `file`; several programs may write to one at the same time. SQLite is loaded for it only now. */
export async function openEventLog(options: EventLogOptions): Promise<SessionLog> {
  const log = await import("./event-log.ts");
  return await log.openEventLog(options);
}
