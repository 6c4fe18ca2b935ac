import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/index.ts";
import { transact } from "./transact.ts";

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Tables of one kind of database. */
export interface Schema {
  /** Name of the database in messages, as in `event log`. */
  readonly name: string;
  /** Migrations in order. A released one is never changed; a new one is added at the end. */
  readonly migrations: readonly Migration[];
}

/** Migrates a database to the newest schema. Two processes may do so at the same time. */
export function migrate(database: DatabaseSync, { name, migrations }: Schema, now: number): void {
  transact(database, () => {
    database.exec(
      "CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
    );
    const row = database.prepare("SELECT coalesce(max(id), 0) AS applied FROM migrations").get();
    const applied = Number(row?.["applied"] ?? 0);
    if (applied > migrations.length) {
      throw new ToolError("UNAVAILABLE", `The ${name} was written by a newer version of haft.`, {
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
