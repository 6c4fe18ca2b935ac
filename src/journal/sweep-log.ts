import type { JournalLog, LogEntry } from "./log.ts";
import type { LogIndex } from "./log-index.ts";

/** Contents that were taken away. */
export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

/** Takes lines away that say nothing any more, from segments nobody adds to. */
export async function sweepLog(
  { log, index }: { readonly log: JournalLog; readonly index: LogIndex },
  isKept: (hash: string) => boolean,
  dryRun: boolean,
): Promise<Swept> {
  await index.refresh();
  const isLiving = ({ line, segment, offset }: LogEntry): boolean => {
    switch (line.kind) {
      case "record":
        return index.records.has(line.record.id);
      case "gone":
      case "ended":
        // As long as a line of the record is there, it must not count again, nor go on.
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
    if (!dryRun && living.length < closed.entries.length) await log.shrink(closed, living);
  }
  return { blobs, bytes };
}
