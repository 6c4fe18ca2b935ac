import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { chmod, link, mkdir, open, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import { migrate, type Schema } from "./migrate.ts";

/** Part of `process` that emits warnings; a parameter so that tests can check the suppression. */
export interface Warner {
  emitWarning: (this: void, warning: string | Error, ...rest: never[]) => void;
}

export interface DatabaseOptions {
  /** Path of the database; `:memory:` for one that lasts as long as its connection. */
  readonly file: string;
  readonly schema: Schema;
  /** Milliseconds for which a statement waits for another process's lock, which blocks the event loop. */
  readonly busyMs: number;
}

/** The same while a database is opened: nothing else runs then. */
const openingMs = 5000;

/**
 * Opens a database with its newest schema. It is created with its directories if missing, readable only by its owner.
 * Only SQLite opens the file: POSIX drops all locks of a process on a file as soon as the process closes any descriptor
 * of it, so a second look at the file would unlock the database for every other connection of the process.
 */
export async function openDatabase({
  file,
  schema,
  busyMs,
}: DatabaseOptions): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    if (file !== ":memory:") await createPrivate(file);
    database = await connect(file);
    database.exec(`PRAGMA busy_timeout = ${openingMs}`);
    database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON",
    );
    migrate(database, schema, Date.now());
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return database;
  } catch (cause) {
    database?.close();
    if (ToolError.is(cause)) throw cause;
    const reason = messageOf(cause);
    throw new ToolError("UNAVAILABLE", `The ${schema.name} ${file} cannot be opened: ${reason}.`, {
      hint: "Check that it is a file you may write, or move it away to start a new one.",
      cause,
    });
  }
}

/**
 * Creates an empty file for the database: SQLite gives its side files the mode of the database, so the mode must be
 * right from the start. The file gets its name after its descriptor is closed.
 */
async function createPrivate(file: string): Promise<void> {
  const directory = path.dirname(file);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (
    await stat(file).then(
      () => true,
      () => false,
    )
  )
    return;
  const draft = path.join(directory, `.${path.basename(file)}-${randomUUID()}`);
  await (await open(draft, "wx", 0o600)).close();
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    // A file system without hard links: SQLite creates the file, which is empty until its mode is right.
    (await connect(file)).close();
    await chmod(file, 0o600);
  } finally {
    await rm(draft, { force: true });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Connects to a database file, loading SQLite on first use. */
async function connect(file: string): Promise<DatabaseSync> {
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

/** Watches the file of an open database; the returned function says whether another file, or none, has its name. */
export function watchFile(file: string): () => boolean {
  if (file === ":memory:") return () => false;
  const opened = identityOf(file);
  return () => identityOf(file) !== opened;
}

/** Identity of a file; only its name is used, because a descriptor that is closed drops the locks of the process. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/**
 * Reads rows of a query with its key first. If the query fails because a page is damaged, reads row by row and skips
 * those that cannot be read; `onDamaged` is called with the key of each, and without one where keys are missing.
 */
export function readRows(
  database: DatabaseSync,
  query: RowQuery,
  onDamaged: (key?: number) => void,
): readonly Row[] {
  const values = [...query.values];
  try {
    return database.prepare(query.rows).all(...values);
  } catch {
    const one = database.prepare(query.row);
    return keysOf(database, query, onDamaged).flatMap((key) => {
      try {
        const row = one.get(key, ...(query.rowValues ?? []));
        return row === undefined ? [] : [row];
      } catch {
        onDamaged(key);
        return [];
      }
    });
  }
}

export type Row = Record<string, null | number | bigint | string | NodeJS.NonSharedUint8Array>;

export interface RowQuery {
  /** Selects all rows. */
  readonly rows: string;
  readonly values: readonly (string | number)[];
  /** Selects at least their keys, as `key`, from an index alone. */
  readonly keys: string;
  readonly keyValues: readonly (string | number)[];
  /** Selects one row by its key, its first value; no row where another condition does not hold. */
  readonly row: string;
  readonly rowValues?: readonly (string | number)[];
}

function keysOf(
  database: DatabaseSync,
  { keys, keyValues }: RowQuery,
  onDamaged: () => void,
): readonly number[] {
  const found: number[] = [];
  try {
    for (const { key } of database.prepare(keys).iterate(...keyValues)) found.push(Number(key));
  } catch {
    // The keys up to the damage are all that can be found.
    onDamaged();
  }
  return found;
}
