import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/index.ts";
import { transact } from "./sqlite.ts";

interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Migrations in order. A released one is never changed; a new one is added at the end. */
const migrations: readonly Migration[] = [
  {
    name: "events",
    sql: `
      CREATE TABLE events (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        version INTEGER NOT NULL,
        session_id TEXT,
        agent_id TEXT,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        type TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX events_by_session ON events (session_id, position);
      CREATE INDEX events_by_type ON events (type, session_id, position);
    `,
  },
];

/** Migrates a database to the newest schema. Two processes may do so at the same time. */
export function migrate(database: DatabaseSync, now: number): void {
  transact(database, () => {
    database.exec(
      "CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
    );
    const row = database.prepare("SELECT coalesce(max(id), 0) AS applied FROM migrations").get();
    const applied = Number(row?.["applied"] ?? 0);
    if (applied > migrations.length) {
      throw new ToolError("UNAVAILABLE", "The event log was written by a newer version of haft.", {
        hint: "Update haft, or name another data directory.",
        data: { found: applied, known: migrations.length },
      });
    }
    const note = database.prepare("INSERT INTO migrations (id, name, applied_at) VALUES (?, ?, ?)");
    for (const [index, migration] of migrations.entries()) {
      if (index < applied) continue;
      database.exec(migration.sql);
      note.run(index + 1, migration.name, now);
    }
  });
}
