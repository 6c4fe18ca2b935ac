import type { DatabaseSync } from "node:sqlite";
import type { Message } from "../messages/messages.ts";
import { readRows, type Row, type RowQuery } from "../sqlite/sqlite.ts";
import type { Bodies } from "./bodies.ts";
import type { SessionLogEntry, StoredConversation } from "./session-store.ts";
import { messageFrom } from "./stored-message.ts";

/** Agent of a session; "" is the one that talks to the user. */
export interface AgentKey {
  readonly sessionId: string;
  readonly agentId: string;
}

export interface AppendOptions {
  readonly runId: string;
  readonly at: number;
}

/** Messages of sessions. Writes must be made in a transaction. */
export class MessageLog {
  readonly #database: DatabaseSync;
  readonly #bodies: Bodies;

  constructor(database: DatabaseSync, bodies: Bodies) {
    this.#database = database;
    this.#bodies = bodies;
  }

  append(agent: AgentKey, messages: readonly Message[], options: AppendOptions): void {
    this.#insert(agent, messages, { ...options, view: this.#view(agent), isCopy: 0 });
  }

  /** Starts a view with these messages. */
  replace(agent: AgentKey, messages: readonly Message[], options: AppendOptions): void {
    this.#insert(agent, messages, { ...options, view: this.#view(agent) + 1, isCopy: 1 });
  }

  /** Messages that the model sees. */
  visible(agent: AgentKey): readonly Message[] {
    const values = [agent.sessionId, agent.agentId, this.#view(agent)];
    const where = "WHERE session_id = ? AND agent_id = ? AND view = ?";
    const rows = this.#read({
      rows: `SELECT role, body FROM messages ${where} ORDER BY position`,
      values,
      keys: `SELECT position AS key FROM messages INDEXED BY messages_by_view ${where} ORDER BY position`,
      keyValues: values,
      row: "SELECT role, body FROM messages WHERE position = ?",
    });
    return rows.found.flatMap((row) => this.#message(row) ?? []);
  }

  conversation({ sessionId, agentId }: AgentKey): StoredConversation {
    const where = "WHERE session_id = ? AND agent_id = ?";
    const columns = "position, view, is_copy, run_id, role, at, body";
    const { found, damaged } = this.#read({
      rows: `SELECT ${columns} FROM messages ${where} ORDER BY position`,
      values: [sessionId, agentId],
      keys: `SELECT position AS key FROM messages INDEXED BY messages_by_agent ${where} ORDER BY position`,
      keyValues: [sessionId, agentId],
      row: `SELECT ${columns} FROM messages WHERE position = ?`,
    });
    const entries: { entry: SessionLogEntry; messages: Message[]; view: unknown }[] = [];
    let number = 0;
    let missing = damaged;
    for (const row of found) {
      const isCopy = row["is_copy"] === 1;
      if (!isCopy) number += 1;
      const message = this.#message(row);
      if (message === undefined) {
        missing += 1;
        continue;
      }
      const last = entries.at(-1);
      if (isCopy && last?.entry.kind === "compaction" && last.view === row["view"]) {
        last.messages.push(message);
        continue;
      }
      const messages = [message];
      const kind = isCopy ? "compaction" : "message";
      const at = Number(row["at"]);
      const runId = String(row["run_id"]);
      entries.push({ entry: { number, at, runId, kind, messages }, messages, view: row["view"] });
    }
    return { entries: entries.map(({ entry }) => entry), damaged: missing };
  }

  agents(sessionId: string): readonly string[] {
    const rows = this.#database
      .prepare(
        "SELECT agent_id FROM messages WHERE session_id = ? AND agent_id <> '' GROUP BY agent_id ORDER BY min(position)",
      )
      .all(sessionId);
    return rows.map((row) => String(row["agent_id"]));
  }

  /** Copies the messages of a session up to the main agent's message of this number. Returns the number of the last. */
  copy(from: string, to: string, last: number | undefined): number {
    const own = this.#database
      .prepare(
        "SELECT position FROM messages WHERE session_id = ? AND agent_id = '' AND is_copy = 0 ORDER BY position LIMIT ?",
      )
      .all(from, last ?? -1);
    const end =
      last === undefined ? Number.MAX_SAFE_INTEGER : Number(own.at(-1)?.["position"] ?? 0);
    this.#database
      .prepare(
        `INSERT INTO messages (session_id, agent_id, run_id, view, is_copy, role, at, body)
        SELECT ?, agent_id, run_id, view, is_copy, role, at, body FROM messages
        WHERE session_id = ? AND position <= ? ORDER BY position`,
      )
      .run(to, from, end);
    this.#database
      .prepare(
        "INSERT INTO blob_uses (session_id, hash) SELECT ?, hash FROM blob_uses WHERE session_id = ?",
      )
      .run(to, from);
    return own.length;
  }

  #insert(
    { sessionId, agentId }: AgentKey,
    messages: readonly Message[],
    options: AppendOptions & { readonly view: number; readonly isCopy: 0 | 1 },
  ): void {
    const { runId, at, view, isCopy } = options;
    const insert = this.#database.prepare(
      "INSERT INTO messages (session_id, agent_id, run_id, view, is_copy, role, at, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    );
    for (const { role, content } of messages) {
      const body = this.#bodies.encode(sessionId, content);
      insert.run(sessionId, agentId, runId, view, isCopy, role, at, body);
    }
  }

  #view({ sessionId, agentId }: AgentKey): number {
    const row = this.#database
      .prepare("SELECT max(view) AS view FROM messages WHERE session_id = ? AND agent_id = ?")
      .get(sessionId, agentId);
    return Number(row?.["view"] ?? 0);
  }

  #read(query: RowQuery): { found: readonly Row[]; damaged: number } {
    let damaged = 0;
    const found = readRows(this.#database, query, () => {
      damaged += 1;
    });
    return { found, damaged };
  }

  /** Undefined for a row that is damaged or from a later version. */
  #message(row: Row): Message | undefined {
    try {
      return messageFrom(row["role"], this.#bodies.decode(String(row["body"])));
    } catch {
      return undefined;
    }
  }
}
