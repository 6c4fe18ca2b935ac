import type { DatabaseSync } from "node:sqlite";
import { transact } from "./sqlite.ts";

export interface EventRetention {
  /** Something of about this many bytes was stored; deletes the oldest events where the file is over its bound. */
  added(bytes: number): void;
}

/** Rows deleted in one transaction, so that calls do not wait long for it. */
const rowsAtOnce = 50;
/** Transactions after one store; what is over then is deleted after the next. */
const maxRounds = 40;

/**
 * Keeps a log's file within a bound. Deleted rows leave pages that the next rows fill, so the file does not shrink. Rows
 * are deleted from three quarters of the bound on, because rows take more than their bytes and come in batches.
 */
export function eventRetention(database: DatabaseSync, maxBytes: number): EventRetention {
  const pageBytes = pragma(database, "page_size");
  // A look takes two pragmas: once for every sixteenth of the bound is enough.
  const lookBytes = Math.max(pageBytes, Math.floor(maxBytes / 16));
  // At the first store, so that a file left over its bound by an earlier program shrinks.
  let since = lookBytes;
  const usedBytes = (): number =>
    (pragma(database, "page_count") - pragma(database, "freelist_count")) * pageBytes;
  const remove = database.prepare(
    "DELETE FROM events WHERE position IN (SELECT position FROM events ORDER BY position LIMIT ?)",
  );
  return {
    added(bytes) {
      since += bytes;
      if (since < lookBytes) return;
      since = 0;
      if (usedBytes() <= maxBytes - 4 * lookBytes) return;
      try {
        for (let round = 0; round < maxRounds; round += 1) {
          let removed = 0;
          transact(database, () => {
            removed = Number(remove.run(rowsAtOnce).changes);
          });
          if (removed === 0 || usedBytes() <= maxBytes - 6 * lookBytes) return;
        }
        since = lookBytes;
      } catch {
        // Another program writes now: the next store tries again.
        since = lookBytes;
      }
    },
  };
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
