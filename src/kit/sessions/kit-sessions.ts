import {
  checkedArgument,
  checkedOptions,
  aCount,
  aFlag,
  aText,
  oneOf,
  type Form,
} from "../../core/index.ts";
import type {
  ExportSessionOptions,
  Message,
  SessionInfo,
  SessionStore,
  StoredConversation,
} from "../../session/index.ts";

/** Where a fork of a session begins. */
export interface ForkSessionOptions {
  /** Number of the last message to keep, as `log` numbers them. Default: all. */
  readonly message?: number;
}

/** Stored sessions of a data directory, for the user. Methods reject with NOT_FOUND for an unknown id. */
export interface KitSessions {
  /** Sessions, the latest first. */
  list(options?: { readonly limit?: number }): Promise<readonly SessionInfo[]>;
  /** Returns a session; undefined if it is not stored. */
  get(sessionId: string): Promise<SessionInfo | undefined>;
  /** Messages that the model sees when the session continues. Default: of the agent that talks to the user. */
  messages(sessionId: string, agentId?: string): Promise<readonly Message[]>;
  /** The whole conversation, including what a compaction replaced. */
  log(sessionId: string, agentId?: string): Promise<StoredConversation>;
  /** Changes the title of a session. Rejects with NOT_FOUND. */
  rename(sessionId: string, title: string): Promise<SessionInfo>;
  /** Copies a session up to a message; both continue on their own. */
  fork(sessionId: string, options?: ForkSessionOptions): Promise<SessionInfo>;
  /** Deletes a session. Rejects with UNAVAILABLE while a run of it is active. */
  delete(sessionId: string): Promise<void>;
  /** The session as JSON Lines or as an HTML page, with secrets replaced unless `secrets` is true. */
  export(sessionId: string, options?: ExportSessionOptions): Promise<string>;
  /** Makes a session from JSON Lines of `export`; it gets a new id if its own is taken. */
  import(lines: string): Promise<SessionInfo>;
}

const exportForms = {
  format: oneOf(["jsonl", "html"]),
  secrets: aFlag,
} satisfies Record<keyof ExportSessionOptions, Form>;

function idOf(sessionId: string): string {
  return checkedArgument("sessionId", sessionId, aText);
}

/** The sessions of a store that is opened on first use. */
export function kitSessions(
  open: () => Promise<SessionStore>,
  newId: (prefix: string) => string,
): KitSessions {
  return {
    async list(options = {}) {
      return await (await open()).list(checkedOptions("sessions.list", options, { limit: aCount }));
    },
    async get(sessionId) {
      return await (await open()).get(idOf(sessionId));
    },
    async messages(sessionId, agentId) {
      return await (await open()).messages(idOf(sessionId), agentId);
    },
    async log(sessionId, agentId) {
      return await (await open()).conversation(idOf(sessionId), agentId);
    },
    async rename(sessionId, title) {
      return await (await open()).rename(idOf(sessionId), checkedArgument("title", title, aText));
    },
    async fork(sessionId, options = {}) {
      const { message } = checkedOptions("sessions.fork", options, { message: aCount });
      return await (
        await open()
      ).fork(idOf(sessionId), {
        sessionId: newId("session"),
        ...(message === undefined ? {} : { message }),
      });
    },
    async delete(sessionId) {
      await (await open()).delete(idOf(sessionId));
    },
    async export(sessionId, options = {}) {
      const checked = checkedOptions("sessions.export", options, exportForms);
      return await (await open()).export(idOf(sessionId), checked);
    },
    async import(lines) {
      const text = checkedArgument("lines", lines, aText);
      return await (await open()).import(text, { sessionId: newId("session") });
    },
  };
}
