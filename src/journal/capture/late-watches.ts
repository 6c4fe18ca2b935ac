import type { JournaledCall } from "../history.ts";
import type { JournalState } from "../journal-state.ts";
import type { CallRecord } from "../records.ts";
import { changedByOthers } from "./change-author.ts";
import { changesSince, type Watched } from "./watch-trees.ts";

/** Trees watched for programs that outlive their calls, by the id under which their later changes are recorded. */
export interface LateWatches {
  /** Begins with the trees that the call watches; the returned function ends it and returns them as last seen. */
  begin(callId: string, lateId: string, watched: Watched | undefined): () => Watched | undefined;
  /** Replaces the watched trees of the programs of a call that has ended. */
  update(callId: string, watched: Watched | undefined): void;
  /** Whether a program may still change watched trees. */
  isWatching(): boolean;
  /** Records the changes in watched trees as a call of its own. */
  record(lateId: string, watched: Watched, info: JournaledCall): Promise<void>;
  clear(): void;
}

export function lateWatches(
  state: JournalState,
  watching: Parameters<typeof changesSince>[2],
): LateWatches {
  const watches = new Map<string, { callId: string; watched: Watched | undefined }>();
  return {
    begin(callId, lateId, watched) {
      watches.set(lateId, { callId, watched });
      return () => {
        const last = watches.get(lateId)?.watched;
        watches.delete(lateId);
        return last;
      };
    },
    update(callId, watched) {
      for (const [lateId, each] of watches) {
        if (each.callId === callId) watches.set(lateId, { callId, watched });
      }
    },
    isWatching: () => [...watches.values()].some(({ watched }) => watched !== undefined),
    async record(callId, watched, info) {
      const isByOthers = await changedByOthers(state);
      const { changed, skipped } = await changesSince(watched, isByOthers, watching);
      if (changed.length === 0) return;
      const make = (key: Pick<CallRecord, "id" | "seq">): CallRecord => ({
        ...key,
        kind: "call",
        callId,
        ...info,
        at: state.clock.now(),
        state: "done",
        level: "none",
        skipped,
        paths: [],
      });
      await state.records.begin(make, { lines: [] });
    },
    clear: () => watches.clear(),
  };
}
