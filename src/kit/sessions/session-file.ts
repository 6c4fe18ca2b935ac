import { ToolError } from "../../core/index.ts";
import { openSessionStore, type ProcessNames, type SessionStore } from "../../session/index.ts";
import { joinPath } from "../../text/index.ts";

/** Where the conversations of runs are stored: a file in the data directory, memory, or nowhere. */
export type SessionStorage = "file" | "memory" | "none";

export interface SessionFileOptions {
  readonly storage: SessionStorage;
  readonly dataDirectory: string;
  readonly redactSecrets: boolean;
  readonly now: () => number;
}

/** Sessions of a kit; the file is opened on first use. */
export interface SessionFile {
  readonly isStored: boolean;
  /** Rejects with UNAVAILABLE where sessions are not stored, or the file cannot be opened. */
  open(): Promise<SessionStore>;
  /** The store, once it is open. */
  current(): SessionStore | undefined;
  close(): Promise<void>;
}

export function sessionFile(options: SessionFileOptions): SessionFile {
  let opening: Promise<SessionStore> | undefined;
  let store: SessionStore | undefined;
  return {
    isStored: options.storage !== "none",
    async open() {
      if (options.storage === "none") {
        throw new ToolError("UNAVAILABLE", "This toolkit stores no sessions.", {
          hint: 'Set the option sessions to "file" or "memory".',
        });
      }
      opening ??= openFile(options);
      try {
        store = await opening;
        return store;
      } catch (error) {
        // A later run tries again: the disk may have room by then.
        opening = undefined;
        throw error;
      }
    },
    current: () => store,
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

async function openFile(options: SessionFileOptions): Promise<SessionStore> {
  const { redact } = await import("../../redact/index.ts");
  const { storage, dataDirectory, redactSecrets, now } = options;
  const processes = await processNames();
  return await openSessionStore({
    file: storage === "memory" ? ":memory:" : joinPath(dataDirectory, "sessions.db"),
    now,
    ...(redactSecrets ? { redact } : {}),
    ...(processes === undefined ? {} : { processes }),
  });
}

async function processNames(): Promise<ProcessNames | undefined> {
  const { isRunningProcess, ownProcess } = await import("../../host/index.ts");
  const own = ownProcess();
  return own === undefined ? undefined : { own, isRunning: isRunningProcess };
}
