import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/index.ts";

/** Part of `process` that emits warnings; a parameter so that tests can check the suppression. */
export interface Warner {
  emitWarning: (this: void, warning: string | Error, ...rest: never[]) => void;
}

/** Opens a database file, loading SQLite on first use. */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  const { DatabaseSync: Database } = await withoutSqliteWarning(
    process,
    () => import("node:sqlite"),
  ).catch((cause: unknown) => {
    throw new ToolError("UNAVAILABLE", "This Node.js has no SQLite.", {
      hint: "Use Node.js 22.13 or later.",
      cause,
    });
  });
  return new Database(file);
}

/** Runs `work` and suppresses one warning, which Node 22 prints when `node:sqlite` is loaded. */
export async function withoutSqliteWarning<T>(warner: Warner, work: () => Promise<T>): Promise<T> {
  const { emitWarning } = warner;
  const filtered = (warning: string | Error, ...rest: readonly unknown[]): void => {
    if (!isSqliteWarning(warning, rest[0])) Reflect.apply(emitWarning, warner, [warning, ...rest]);
  };
  warner.emitWarning = filtered;
  try {
    return await work();
  } finally {
    // Leave it alone if other code replaced it in the meantime.
    if (warner.emitWarning === filtered) warner.emitWarning = emitWarning;
  }
}

function isSqliteWarning(warning: string | Error, type: unknown): boolean {
  return (
    type === "ExperimentalWarning" &&
    typeof warning === "string" &&
    warning.startsWith("SQLite is an experimental feature")
  );
}

/** Runs `work` in one transaction; if it throws, everything is rolled back. */
export function transact(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // SQLite has already rolled back, as it does when the disk is full.
    }
    throw error;
  }
}
