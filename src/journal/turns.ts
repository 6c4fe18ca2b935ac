import { ToolError, type PathTurn, type PathTurns } from "../core/index.ts";

/** Turns that a journal holds for paths, so that no other program changes them at the same time. */
export interface JournalTurns {
  /**
   * Takes a turn for a call that changes the paths itself, until the call is completed. Its earlier turns stay valid.
   */
  hold(callId: string, wanted: WantedTurn): Promise<void>;
  holds(callId: string): boolean;
  /** Runs the work of a call, in which nothing waits for the turns of that call. */
  inside<T>(callId: string, work: () => T): T;
  /** Releases all turns of the call. */
  release(callId: string): void;
  /** Holds a turn while some work runs. */
  during<T>(wanted: WantedTurn, work: () => Promise<T>): Promise<T>;
  /** Whether other programs may change paths of this journal without taking turns. */
  areOff(): boolean;
  /** Reason why calls do not wait for other programs, as a sentence; undefined if they do or need not. */
  whyOff(): string | undefined;
  close(): void;
}

export interface WantedTurn {
  readonly paths: readonly string[];
  /** Description of the work, for error messages of other programs. */
  readonly what: string;
  readonly callId?: string;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Without `turns`, no other program is known to change anything. `recover` completes the work of programs that ended
 * during a turn; it runs before a turn at the same paths is used.
 */
export function journalTurns(
  turns: PathTurns | undefined,
  by: string | undefined,
  recover: () => Promise<unknown> = async () => undefined,
): JournalTurns {
  const held = new Map<string, readonly PathTurn[]>();
  /** A value for each call, replaced when its turns are released: a turn that it still waits for comes too late then. */
  const lives = new Map<string, object>();

  async function take({ paths, signal, ...work }: WantedTurn): Promise<readonly PathTurn[]> {
    if (turns === undefined || by === undefined || paths.length === 0) return [];
    const turn = await turns.take(paths, { by, ...work }, signal);
    try {
      if (turn.wasLeft) await recover();
    } catch (error) {
      turn.release();
      throw error;
    }
    return [turn];
  }

  function release(callId: string): void {
    for (const turn of held.get(callId) ?? []) turn.release();
    held.delete(callId);
    lives.delete(callId);
  }

  return {
    async hold(callId, wanted) {
      const life = lives.get(callId) ?? {};
      lives.set(callId, life);
      const taken = await take(wanted);
      if (lives.get(callId) !== life) {
        for (const turn of taken) turn.release();
        throw ended(wanted);
      }
      if (taken.length > 0) held.set(callId, [...(held.get(callId) ?? []), ...taken]);
    },
    holds: (callId) => held.has(callId),
    inside: (callId, work) =>
      turns === undefined || by === undefined || !held.has(callId)
        ? work()
        : turns.inside({ by, callId }, work),
    release,
    async during(wanted, work) {
      const taken = await take(wanted);
      try {
        return await work();
      } finally {
        for (const turn of taken) turn.release();
      }
    },
    areOff: () => by !== undefined && (turns === undefined || turns.whyOff() !== undefined),
    whyOff: () => (by === undefined ? undefined : turns?.whyOff()),
    close() {
      for (const callId of lives.keys()) release(callId);
      turns?.close();
    },
  };
}

function ended({ what, paths }: WantedTurn): ToolError {
  return new ToolError("ABORTED", `${what} ended while it waited for another haft program.`, {
    hint: "Nothing was changed.",
    data: { path: paths[0] ?? "" },
  });
}

/** Turn that a call needs to change these paths. */
export function wantedBy(
  callId: string,
  { tool, signal }: { readonly tool: string; readonly signal?: AbortSignal | undefined },
  writes: readonly { readonly path: string }[],
): WantedTurn {
  return { paths: writes.map(({ path }) => path), what: `${tool} (${callId})`, callId, signal };
}
