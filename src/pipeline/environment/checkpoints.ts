import type { UndoRef, WriteEffect, WriteTransaction } from "../../core/index.ts";
import type { HookChangeTracker, HookedCall } from "../../journal/index.ts";

/** How far a completed call can be undone. */
export interface SettledUndo extends UndoRef {
  /** Changes of the call that cannot be undone, in a sentence. */
  readonly note?: string;
  /** Paths that changed beyond the call's declared effects and were not captured. */
  readonly seen?: readonly string[];
}

/** Journals files before a call overwrites them. */
export interface Checkpoints {
  /** Returns why a call with these writes could not be undone completely; undefined where it could. */
  assess(writes: readonly WriteEffect[]): Promise<string | undefined>;
  /**
   * Returns why a call that starts programs could not be undone completely, whatever they change; undefined where it
   * could. Absent where only declared writes are captured.
   */
  assessPrograms?(): Promise<string | undefined>;
  /** Returns the trees in which no other mechanism records the changes of programs. */
  watched?(): Promise<readonly string[]>;
  before(
    callId: string,
    writes: readonly WriteEffect[],
    info: {
      readonly tool: string;
      readonly sessionId?: string;
      readonly agentId?: string;
      /** Trees that are compared before and after the call, because programs may change anything in them. */
      readonly watch?: readonly string[];
      /** The call makes all its changes through its host, so it gets a transaction for them. */
      readonly isTransaction?: boolean;
      /** Ends the wait for other processes that change the same paths. */
      readonly signal?: AbortSignal;
    },
  ): Promise<{ readonly undo: UndoRef; readonly transaction?: WriteTransaction | undefined }>;
  /** Runs the tool, so that calls of other kits in it do not wait for this call. Absent where no call waits. */
  inside?<T>(callId: string, work: () => T): T;
  /** Returns how far the call can be undone; undefined where nothing is stored, because the call changed nothing. */
  after(callId: string): Promise<SettledUndo | undefined>;
  /**
   * Adds to a completed call what programs of its hooks change in its files. Absent where nothing is journaled.
   */
  trackHookChanges?(call: HookedCall): HookChangeTracker;
  /** Returns a notice about undo itself for the next answer, once. */
  notice?(): string | undefined;
}
