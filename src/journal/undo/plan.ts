import { parentPath } from "../../text/index.ts";
import type { CallRecord, Step } from "../records.ts";
import { absent, changeBetween, sameImage, type Image } from "../capture/file-state.ts";

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
  /** What is there now, for each path of `records`. */
  readonly present: ReadonlyMap<string, { readonly image: Image }>;
  readonly isForced: (path: string) => boolean;
}

/** What taking these calls back would do to each path, and where it would lose what came later. */
export function planUndo(options: PlanOptions): Plan {
  const wanted = new Map<string, Image>();
  const conflicts: Conflict[] = [];
  const told = new Set<string>();
  const later = options.others.map(touching);
  for (const record of options.records) {
    for (const { path, before, after } of record.paths) {
      const present = presentAt(path);
      // Where a newer call of this plan touched the path, what it found is what this one must have left.
      const now = wanted.get(path) ?? present;
      const laterCalls = later
        .filter((other) => other.record.seq > record.seq && other.touches(path))
        .map((other) => other.record.callId);
      const isAsLeft = after !== undefined && sameImage(now, after);
      const isLost = laterCalls.length > 0 || !(isAsLeft || sameImage(now, before));
      // Behind the newest conflict of a path, the older ones follow from it.
      if (isLost && !told.has(path) && !options.isForced(path)) {
        told.add(path);
        conflicts.push({ path, record, before, after, now, laterCalls });
      }
      wanted.set(path, before);
    }
  }
  const steps = [...wanted].map(([path, to]): Step => ({
    path,
    from: presentAt(path),
    to,
  }));
  return { steps: steps.filter(({ from, to }) => changeBetween(from, to) !== "none"), conflicts };

  function presentAt(path: string): Image {
    return options.present.get(path)?.image ?? absent;
  }
}

interface Touching {
  readonly record: CallRecord;
  /** Whether the call says something about the path: it is one of its own, or one that held it is no directory. */
  touches(path: string): boolean;
}

/** A call with its paths in a form that answers at once: a call may have as many of them as it likes. */
function touching(record: CallRecord): Touching {
  let known: Map<string, boolean> | undefined;
  return {
    record,
    touches(path) {
      known ??= new Map(
        record.paths.map((each) => [each.path, (each.after ?? each.before).kind === "directory"]),
      );
      if (known.has(path)) return true;
      for (let at = parentPath(path); at !== "/"; at = parentPath(at)) {
        if (known.get(at) === false) return true;
      }
      return false;
    },
  };
}
