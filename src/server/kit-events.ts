import { joinPath } from "../text/index.ts";
import { redact } from "../redact/index.ts";
import { openEventLog, type SessionLog } from "../session/index.ts";

/**
 * Opens the log of a data directory, in which events of every process that uses it are stored, without secrets. A kit
 * whose events it gets needs no log of its own (`eventLog: "none"`). With a workspace, events of a session are those of
 * the workspace: another one may have a session with the same id.
 *
 * @example
 * const kit = await createToolkit({ dataDirectory, eventLog: "none" });
 * const events = await openKitEvents(kit.storage.directory, { workspace: kit.workspace.path });
 * kit.events.subscribe((event) => events.append(event));
 * const server = await serveHttp(kit, { name: "mine", version: "1.0.0", events });
 */
export async function openKitEvents(
  dataDirectory: string,
  options: { readonly workspace?: string } = {},
): Promise<SessionLog> {
  return await openEventLog({ ...options, file: joinPath(dataDirectory, "events.db"), redact });
}
