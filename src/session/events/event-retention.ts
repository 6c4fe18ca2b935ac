import type { DatabaseSync } from "node:sqlite";
import { transact } from "../sqlite/transact.ts";
import type { CollectEventsOptions, EventCollection } from "./session-log.ts";

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

/** Number of rows examined and deleted in one transaction of a collection. */
const rowsCollected = 500;

/** Deletes the events that are old, and the oldest ones while the rest exceeds three quarters of the size limit. */
export function collectEvents(
  database: DatabaseSync,
  { beforeMs, dryRun, maxBytes }: CollectEventsOptions & { readonly maxBytes: number },
): EventCollection {
  // `length` needs the header of a row only, so a damaged body does not stop a collection.
  const rows = database.prepare(
    "SELECT position, at, length(CAST(body AS BLOB)) AS bytes FROM events WHERE position > ? ORDER BY position LIMIT ?",
  );
  const remove = database.prepare("DELETE FROM events WHERE position <= ?");
  const total = database
    .prepare("SELECT coalesce(sum(length(CAST(body AS BLOB))), 0) AS bytes FROM events")
    .get();
  let left = Number(total?.["bytes"] ?? 0);
  let collected = { events: 0, bytes: 0 };
  for (let after = 0; ;) {
    const batch = rows.all(after, rowsCollected);
    let last = after;
    for (const { position, at, bytes } of batch) {
      if (Number(at) >= beforeMs && left <= maxBytes * 0.75) break;
      last = Number(position);
      left -= Number(bytes);
      collected = { events: collected.events + 1, bytes: collected.bytes + Number(bytes) };
    }
    if (last === after) return collected;
    if (!dryRun) transact(database, () => remove.run(last));
    after = last;
  }
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
