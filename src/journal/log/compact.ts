import type { JournalLog, LogEntry } from "./log.ts";
import type { LogIndex } from "./log-index.ts";
import type { Witness } from "./witness.ts";

/** Number and bytes of removed contents. */
export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

export interface SweptLog {
  readonly log: JournalLog;
  readonly index: LogIndex;
  readonly witness: Pick<Witness, "sweep">;
}

/** Removes obsolete lines from segments that no process appends to any more. */
export async function sweepLog(
  { log, index, witness }: SweptLog,
  isKept: (hash: string) => boolean,
  dryRun: boolean,
): Promise<Swept> {
  await index.refresh();
  // Notes go before the lines that say which records are deleted.
  if (!dryRun) await witness.sweep((id) => index.isGone(id));
  const isLiving = ({ line, segment, offset }: LogEntry): boolean => {
    switch (line.kind) {
      case "damaged":
        return true;
      case "record":
        return index.records.has(line.record.id);
      case "gone":
      case "ended":
        // While a line of the record exists, the record must not count again or seem to be running.
        return line.ids.some((id) => index.isMentioned(id));
      case "running":
        return false;
      case "content": {
        const place = index.contents.get(line.hash);
        return isKept(line.hash) && place?.segment === segment && place.offset === offset;
      }
    }
  };
  let blobs = 0;
  let bytes = 0;
  for await (const closed of log.closed()) {
    const living = closed.entries.filter(isLiving);
    for (const { line } of closed.entries) {
      if (line.kind !== "content" || isKept(line.hash)) continue;
      blobs += 1;
      bytes += line.size;
    }
    const isAllDamaged = living.every(({ line }) => line.kind === "damaged");
    const isSmaller = living.length < closed.entries.length;
    if (!dryRun && (isSmaller || isAllDamaged)) await log.shrink(closed, living);
  }
  return { blobs, bytes };
}
