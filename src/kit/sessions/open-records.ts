import type { Host, Limits } from "../../core/index.ts";
import { EventBus, openMemoryEventLog } from "../../session/index.ts";
import { madeOnce, pathExists } from "../../text/index.ts";
import type { AgentStatusFiles } from "../agents/status-files.ts";
import { eventFilter, eventSink, type EventSink } from "../event-sink.ts";
import type { ToolkitOptions } from "../options/options.ts";
import type { Place } from "../workspace-context.ts";
import { sessionFile, type SessionFile } from "./session-file.ts";

/** Events, sessions and states of agents, and where they are stored. */
export interface OpenedRecords {
  readonly bus: EventBus;
  readonly log: EventSink;
  readonly sessionFile: SessionFile;
  /** States of agents for other processes; undefined where sessions are not stored. */
  readonly agentFiles: (() => Promise<AgentStatusFiles>) | undefined;
  /** Writes the states of agents that are not written yet. */
  readonly closeAgents: () => Promise<void>;
}

/** Where the options of a kit store sessions: in files only if they name a place for data. */
export function storageOf({
  sessions,
  dataDirectory,
  store,
}: ToolkitOptions): NonNullable<ToolkitOptions["sessions"]> {
  return sessions ?? (dataDirectory === undefined && store === undefined ? "none" : "file");
}

/** Opens the records of a kit. What cannot be stored in files is kept in memory. */
export async function openRecords(
  options: ToolkitOptions,
  { host, place, limits }: { readonly host: Host; readonly place: Place; readonly limits: Limits },
): Promise<OpenedRecords> {
  const { redactSecrets = true, eventLog = "none" } = options;
  const { diskDirectory } = place;
  const dataDirectory = diskDirectory ?? place.dataDirectory;
  const onDisk = <T>(wanted: T | "file"): T | "file" | "memory" =>
    wanted === "file" && diskDirectory === undefined ? "memory" : wanted;
  const events = onDisk(eventLog);
  const log = eventSink(events === "memory" ? await openMemoryEventLog() : events, {
    dataDirectory,
    workspace: place.workspace,
    redactSecrets,
    maxBytes: limits.events.bytes,
    exists: async (path) => await pathExists(host.fs, path),
  });
  const sessions = sessionFile({
    storage: onDisk(storageOf(options)),
    dataDirectory,
    redactSecrets,
    now: () => host.clock.now(),
  });
  const bus = new EventBus({
    log: log.log,
    now: () => host.clock.now(),
    filter: redactSecrets ? await eventFilter() : undefined,
  });
  let opened: AgentStatusFiles | undefined;
  const agentFiles = madeOnce(async () => {
    const { agentStatusFiles } = await import("../agents/status-files.ts");
    opened = agentStatusFiles({
      host,
      directory: place.dataDirectory,
      subscribe: (listener) => bus.subscribe(listener),
    });
    return opened;
  });
  return {
    bus,
    log,
    sessionFile: sessions,
    agentFiles: sessions.isStored ? agentFiles : undefined,
    closeAgents: async () => await opened?.close(),
  };
}
