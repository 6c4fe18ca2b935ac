import { defaultLimits, type Host, type HostClock, type PathTurns } from "../core/index.ts";
import { isAbsolutePath } from "../text/index.ts";
import { defaultBudget, type JournalBudget } from "./capture/capture.ts";
import type { JournalProcesses } from "./liveness/owner.ts";
import type { JournalQuota } from "./log/collect.ts";
import type { DecodeOlder } from "./preview/decode-sides.ts";

export interface JournalOptions {
  /** Host without the limits of a grant, because undo restores whatever any grant allowed to change. */
  readonly host: Pick<Host, "fs" | "clock">;
  /** Directory of the journal: absolute and canonical, outside the workspace, not reachable by tools. */
  readonly directory: string;
  /** Default: the clock of the host. */
  readonly clock?: Pick<HostClock, "now">;
  /**
   * Other processes that may have the journal open. Omitted: every unfinished record counts as interrupted with its
   * process.
   */
  readonly processes?: JournalProcesses | undefined;
  /** Serializes programs that change the same paths, also across journals. Omitted: no other program is known. */
  readonly turns?: PathTurns | undefined;
  /** Decodes texts in legacy encodings, so that a diff can be shown. Omitted: they count as binary. */
  readonly decodeOlder?: DecodeOlder | undefined;
  /**
   * Limits of one call. Default 64 MiB, 20,000 paths, 2 seconds of reading before it runs, 20 seconds of reading its
   * changes on an overlay, and half a second for each scan of the watched trees.
   */
  readonly budget?: Partial<JournalBudget>;
  /** Limits of all calls together. Default 1 GiB, 1000 calls, 30 days. */
  readonly quota?: Partial<JournalQuota>;
}

const { calls: maxCalls, days: maxDays, totalBytes } = defaultLimits.undo;
const defaultQuota: JournalQuota = { bytes: totalBytes, calls: maxCalls, days: maxDays };

interface CompleteOptions {
  readonly fs: Host["fs"];
  readonly clock: Pick<HostClock, "now">;
  readonly directory: string;
  readonly budget: JournalBudget;
  /** Budget for the changes of a command on an overlay. */
  readonly applyBudget: JournalBudget;
  readonly quota: JournalQuota;
}

/** Completes the options of a journal. Throws a TypeError if its directory is not absolute. */
export function withDefaults(options: JournalOptions): CompleteOptions {
  if (!isAbsolutePath(options.directory)) {
    throw new TypeError("The directory of a journal must be an absolute path.");
  }
  const budget = { ...defaultBudget, ...options.budget };
  return {
    fs: options.host.fs,
    clock: options.clock ?? options.host.clock,
    directory: options.directory,
    budget,
    applyBudget: { ...budget, milliseconds: budget.applyMilliseconds },
    quota: { ...defaultQuota, ...options.quota },
  };
}
