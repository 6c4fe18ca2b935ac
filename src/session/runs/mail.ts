import type { DatabaseSync } from "node:sqlite";
import type { StoredMail } from "./run-log.ts";

/** Messages to sessions that no run has taken yet. Writes must be made in a transaction. */
export interface Mail {
  post(sessionId: string, text: string, at: number): void;
  /** Messages that wait, in order. */
  waiting(sessionId: string): readonly StoredMail[];
  remove(sessionId: string, numbers: readonly number[]): void;
}

/** Maximum number of messages that a run takes at once. */
const maxTaken = 100;

export function mailOf(database: DatabaseSync): Mail {
  const insert = database.prepare("INSERT INTO mail (session_id, at, text) VALUES (?, ?, ?)");
  const select = database.prepare(
    "SELECT number, text FROM mail WHERE session_id = ? ORDER BY number LIMIT ?",
  );
  const remove = database.prepare("DELETE FROM mail WHERE session_id = ? AND number = ?");
  return {
    post: (sessionId, text, at) => void insert.run(sessionId, at, text),
    waiting: (sessionId) =>
      select
        .all(sessionId, maxTaken)
        .map(({ number, text }) => ({ number: Number(number), text: String(text) })),
    remove(sessionId, numbers) {
      for (const number of numbers) remove.run(sessionId, number);
    },
  };
}
