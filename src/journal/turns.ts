import type { PathTurn, PathTurns } from "../core/index.ts";

/** The turns that one journal holds at paths, so that no other program changes them at the same time. */
export interface JournalTurns {
  /** For a call that changes the paths by itself, until it has settled. Those it holds already stay its own. */
  hold(callId: string, wanted: WantedTurn): Promise<void>;
  holds(callId: string): boolean;
  /** Whatever the call holds. */
  release(callId: string): void;
  /** As long as some work takes. */
  during<T>(wanted: WantedTurn, work: () => Promise<T>): Promise<T>;
  /** Why nothing waits for other programs, as a sentence; undefined where it does, or need not. */
  whyOff(): string | undefined;
  close(): void;
}

export interface WantedTurn {
  readonly paths: readonly string[];
  /** The work, for the error of others. */
  readonly what: string;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Without `turns`, nobody else is known to change anything. */
export function journalTurns(turns: PathTurns | undefined, by: string | undefined): JournalTurns {
  const held = new Map<string, readonly PathTurn[]>();

  async function take({ paths, what, signal }: WantedTurn): Promise<readonly PathTurn[]> {
    if (turns === undefined || by === undefined || paths.length === 0) return [];
    return [await turns.take(paths, { by, what }, signal)];
  }

  function release(callId: string): void {
    for (const turn of held.get(callId) ?? []) turn.release();
    held.delete(callId);
  }

  return {
    async hold(callId, wanted) {
      const taken = await take(wanted);
      if (taken.length > 0) held.set(callId, [...(held.get(callId) ?? []), ...taken]);
    },
    holds: (callId) => held.has(callId),
    release,
    async during(wanted, work) {
      const taken = await take(wanted);
      try {
        return await work();
      } finally {
        for (const turn of taken) turn.release();
      }
    },
    whyOff: () => (by === undefined ? undefined : turns?.whyOff()),
    close() {
      for (const callId of held.keys()) release(callId);
      turns?.close();
    },
  };
}

/** The turn that a call needs to change these paths. */
export function wantedBy(
  callId: string,
  { tool, signal }: { readonly tool: string; readonly signal?: AbortSignal | undefined },
  writes: readonly { readonly path: string }[],
): WantedTurn {
  return { paths: writes.map(({ path }) => path), what: `${tool} (${callId})`, signal };
}
