import { joinPath } from "../text/index.ts";
import { redact } from "../redact/index.ts";
import { openEventLog, type SessionLog } from "../session/index.ts";

/**
 * Opens the log of a data directory, in which events of every process that uses it are stored, without secrets. A kit
 * whose events it gets needs no log of its own (`eventLog: "none"`).
 *
 * @example
 * const kit = await createToolkit({ dataDirectory, eventLog: "none" });
 * const events = await openKitEvents(kit.storage.directory);
 * kit.events.subscribe((event) => events.append(event));
 * const server = await serveHttp(kit, { name: "mine", version: "1.0.0", events });
 */
export async function openKitEvents(dataDirectory: string): Promise<SessionLog> {
  return await openEventLog({ file: joinPath(dataDirectory, "events.db"), redact });
}
