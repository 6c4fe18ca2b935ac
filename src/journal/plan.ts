import type { CallRecord, Step } from "./records.ts";
import { absent, changeBetween, sameImage, type Image } from "./image.ts";
import { concerns } from "./steps.ts";

/** A path whose present content would be lost. */
export interface Conflict {
  readonly path: string;
  readonly record: CallRecord;
  readonly before: Image;
  /** Undefined for a call that was cut short: nobody knows what it left. */
  readonly after: Image | undefined;
  readonly now: Image;
  /** Calls that touched the path later and are not taken back with it. */
  readonly laterCalls: readonly string[];
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly conflicts: readonly Conflict[];
}

export interface PlanOptions {
  /** Newest first. */
  readonly records: readonly CallRecord[];
  /** Done or under way, and not among `records`. */
  readonly others: readonly CallRecord[];
  readonly present: (path: string) => Promise<Image>;
  readonly isForced: (path: string) => boolean;
}

/** What taking these calls back would do to each path, and where it would lose what came later. */
export async function planUndo(options: PlanOptions): Promise<Plan> {
  const found = new Map<string, Image>();
  const wanted = new Map<string, Image>();
  const conflicts: Conflict[] = [];
  for (const record of options.records) {
    for (const { path, before, after } of record.paths) {
      const present = found.get(path) ?? (await options.present(path));
      found.set(path, present);
      // Where a newer call of this plan touched the path, what it found is what this one must have left.
      const now = wanted.get(path) ?? present;
      const laterCalls = options.others
        .filter((other) => other.seq > record.seq && touches(other, path))
        .map((other) => other.callId);
      const isAsLeft = after !== undefined && sameImage(now, after);
      const isLost = laterCalls.length > 0 || !(isAsLeft || sameImage(now, before));
      // Behind the newest conflict of a path, the older ones follow from it.
      const isTold = conflicts.some((conflict) => conflict.path === path);
      if (isLost && !isTold && !options.isForced(path)) {
        conflicts.push({ path, record, before, after, now, laterCalls });
      }
      wanted.set(path, before);
    }
  }
  const steps = [...wanted].map(([path, to]): Step => ({
    path,
    from: found.get(path) ?? absent,
    to,
  }));
  return { steps: steps.filter(({ from, to }) => changeBetween(from, to) !== "none"), conflicts };
}

function touches(record: CallRecord, path: string): boolean {
  return record.paths.some((other) =>
    concerns({ path: other.path, to: other.after ?? other.before }, path),
  );
}
