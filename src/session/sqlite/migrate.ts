import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/index.ts";
import { failedWith } from "./failed-with.ts";
import { transact } from "./transact.ts";

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** A database with a damaged page is used without it, and without the later ones. */
  readonly isOptional?: boolean;
}

/** Tables of one kind of database. */
export interface Schema {
  /** Name of the database in messages, as in `event log`. */
  readonly name: string;
  /** Migrations in order. A released one is never changed; a new one is added at the end. */
  readonly migrations: readonly Migration[];
}

/** Migrates a database to the newest schema. Two processes may do so at the same time. */
export function migrate(database: DatabaseSync, schema: Schema, now: number): void {
  const { migrations } = schema;
  const first = migrations.findIndex(({ isOptional }) => isOptional);
  const required = first === -1 ? migrations.length : first;
  const applied = migrateTo(required, database, { schema, now });
  try {
    if (applied < migrations.length) migrateTo(migrations.length, database, { schema, now });
  } catch (error) {
    if (!failedWith(error, "corrupt")) throw error;
  }
}

/** Applies the migrations up to this number, and returns how many are applied. */
function migrateTo(
  count: number,
  database: DatabaseSync,
  { schema: { name, migrations }, now }: { readonly schema: Schema; readonly now: number },
): number {
  return transact(database, () => {
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
    for (const [index, migration] of migrations.slice(0, count).entries()) {
      if (index < applied) continue;
      database.exec(migration.sql);
      note.run(index + 1, migration.name, now);
    }
    return Math.max(applied, count);
  });
}
