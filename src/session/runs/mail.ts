import type { DatabaseSync } from "node:sqlite";
import type { StoredMail } from "./run-log.ts";

/** A message for the conversation of an agent; "" is the one that talks to the user. */
export interface NewMail {
  readonly sessionId: string;
  readonly agentId: string;
  readonly text: string;
  readonly at: number;
  /** Agent in the background whose end it reports. */
  readonly workId?: string;
}

/** Messages to conversations that no run has taken yet. Writes must be made in a transaction. */
export interface Mail {
  /** Returns the number of the message. */
  post(mail: NewMail): number;
  /** Messages that wait, in order. */
  waiting(sessionId: string, agentId: string): readonly StoredMail[];
  remove(sessionId: string, numbers: readonly number[]): void;
}

/** Maximum number of messages that a run takes at once. */
const maxTaken = 100;

export function mailOf(database: DatabaseSync): Mail {
  const insert = database.prepare(
    "INSERT INTO mail (session_id, agent_id, at, text, work_id) VALUES (?, ?, ?, ?, ?)",
  );
  const select = database.prepare(
    "SELECT number, text, work_id FROM mail WHERE session_id = ? AND agent_id = ? ORDER BY number LIMIT ?",
  );
  const remove = database.prepare("DELETE FROM mail WHERE session_id = ? AND number = ?");
  return {
    post: ({ sessionId, agentId, text, at, workId }) =>
      Number(insert.run(sessionId, agentId, at, text, workId ?? null).lastInsertRowid),
    waiting: (sessionId, agentId) =>
      select.all(sessionId, agentId, maxTaken).map(({ number, text, work_id: workId }) => ({
        number: Number(number),
        text: String(text),
        ...(typeof workId === "string" ? { workId } : {}),
      })),
    remove(sessionId, numbers) {
      for (const number of numbers) remove.run(sessionId, number);
    },
  };
}
