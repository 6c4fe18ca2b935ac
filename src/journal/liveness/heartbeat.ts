import type { HostClock } from "../../core/index.ts";
import type { CallRecord } from "../records.ts";

/** Heartbeat interval, well below the time for which a process of unknown liveness is assumed to run. */
const everyMs = 20_000;

/** Heartbeat for processes that cannot see this one, as in another container: its calls still run. */
export interface SignsOfLife {
  /** Called when a call begins. */
  begin(): void;
  close(): void;
}

export interface SignsOfLifeOptions {
  readonly clock: Partial<Pick<HostClock, "timer">>;
  /** Records of calls that have not ended. */
  readonly running: () => readonly CallRecord[];
  readonly note: (records: readonly CallRecord[]) => Promise<void>;
}

/** The first heartbeat comes after one interval, because most calls end before it. */
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
    // If the write fails, the next heartbeat follows soon.
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
