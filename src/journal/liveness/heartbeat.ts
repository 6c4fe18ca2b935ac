import type { HostClock } from "../../core/index.ts";
import type { CallRecord } from "../records.ts";

/** Well within the time for which a program that cannot be seen is left alone. */
const everyMs = 20_000;

/** Tells programs that cannot see this one, as in another container, that calls of it still run. */
export interface SignsOfLife {
  /** A call may have begun. */
  begin(): void;
  close(): void;
}

export interface SignsOfLifeOptions {
  readonly clock: Partial<Pick<HostClock, "timer">>;
  /** The records of calls that are not over. */
  readonly running: () => readonly CallRecord[];
  readonly note: (records: readonly CallRecord[]) => Promise<void>;
}

/** Most calls are over before the first one. */
export function signsOfLife({ clock, running, note }: SignsOfLifeOptions): SignsOfLife {
  let cancel: (() => void) | undefined;

  function again(): void {
    cancel = clock.timer?.(everyMs, show, { keepsAlive: false });
  }

  function show(): void {
    cancel = undefined;
    const records = running();
    if (records.length === 0) return;
    again();
    // Where the disk takes none, the next one comes soon.
    note(records).catch(() => undefined);
  }

  return {
    begin() {
      if (cancel === undefined) again();
    },
    close() {
      cancel?.();
      cancel = undefined;
    },
  };
}
