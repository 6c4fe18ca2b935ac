import { parentPath } from "../../text/index.ts";
import type { CallRecord, Step } from "../records.ts";
import { absent, changeBetween, isSameState, type FileState } from "../capture/file-state.ts";

/** Path whose present content would be lost. */
export interface Conflict {
  readonly path: string;
  readonly record: CallRecord;
  readonly before: FileState;
  /** Undefined for an interrupted call, whose changes are unknown. */
  readonly after: FileState | undefined;
  readonly now: FileState;
  /** Calls that touched the path later and are not undone with it. */
  readonly laterCalls: readonly string[];
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly conflicts: readonly Conflict[];
}

export interface PlanOptions {
  /** Newest first. */
  readonly records: readonly CallRecord[];
  /** Done or still running, and not among `records`. */
  readonly others: readonly CallRecord[];
  /** Present state of each path of `records`. */
  readonly present: ReadonlyMap<string, { readonly image: FileState }>;
  readonly isForced: (path: string) => boolean;
}

/** Plans the change of each path that undoes these calls, and lists paths where it would lose later changes. */
export function planUndo(options: PlanOptions): Plan {
  const wanted = new Map<string, FileState>();
  const conflicts: Conflict[] = [];
  const reported = new Set<string>();
  const later = options.others.map(touching);
  for (const record of options.records) {
    for (const { path, before, after } of record.paths) {
      const present = presentAt(path);
      // If a newer call of this plan touched the path, this call must have left the state that the newer one found.
      const now = wanted.get(path) ?? present;
      const laterCalls = later
        .filter((other) => other.record.seq > record.seq && other.touches(path))
        .map((other) => other.record.callId);
      const isAsLeft = after !== undefined && isSameState(now, after);
      const isLost = laterCalls.length > 0 || !(isAsLeft || isSameState(now, before));
      // Only the newest conflict of a path is reported; the older ones follow from it.
      if (isLost && !reported.has(path) && !options.isForced(path)) {
        reported.add(path);
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

  function presentAt(path: string): FileState {
    return options.present.get(path)?.image ?? absent;
  }
}

interface Touching {
  readonly record: CallRecord;
  /** Whether the call affected the path: it changed the path itself, or a parent that is not a directory. */
  touches(path: string): boolean;
}

/** Call with an index of its paths, because a call may have very many. */
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
