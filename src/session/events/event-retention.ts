import type { DatabaseSync } from "node:sqlite";
import { transact } from "./sqlite.ts";

export interface EventRetention {
  /** Called after about this many bytes were stored; deletes the oldest events if the file exceeds its limit. */
  added(bytes: number): void;
}

/** Maximum number of rows deleted in one transaction, so that calls do not wait long for it. */
const rowsAtOnce = 50;
/** Maximum number of transactions after one store; the next store deletes the remaining excess. */
const maxRounds = 40;

/**
 * Keeps a log's file within a size limit. Deleted rows free pages that later rows reuse, so the file does not shrink.
 * Deletion starts at three quarters of the limit, because rows take more space than their content and arrive in
 * batches.
 */
export function eventRetention(database: DatabaseSync, maxBytes: number): EventRetention {
  const pageBytes = pragma(database, "page_size");
  // A check costs two pragmas; one for every sixteenth of the limit is enough.
  const lookBytes = Math.max(pageBytes, Math.floor(maxBytes / 16));
  // Check at the first store, so that a file left above its limit by an earlier process is reduced.
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
        // Another process is writing: try again at the next store.
        since = lookBytes;
      }
    },
  };
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
