import type { PathTurn, PathTurns } from "../core/index.ts";

/** The turns that one journal holds at paths, so that no other program changes them at the same time. */
export interface JournalTurns {
  /** For a call that changes the paths by itself, until it has settled. Those it holds already stay its own. */
  hold(callId: string, what: string, paths: readonly string[]): Promise<void>;
  holds(callId: string): boolean;
  /** Whatever the call holds. */
  release(callId: string): void;
  /** As long as some work takes. */
  during<T>(paths: readonly string[], what: string, work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Without `turns`, nobody else is known to change anything. */
export function journalTurns(turns: PathTurns | undefined, by: string | undefined): JournalTurns {
  const held = new Map<string, readonly PathTurn[]>();

  async function take(paths: readonly string[], what: string): Promise<readonly PathTurn[]> {
    if (turns === undefined || by === undefined || paths.length === 0) return [];
    return [await turns.take(paths, { by, what })];
  }

  function release(callId: string): void {
    for (const turn of held.get(callId) ?? []) turn.release();
    held.delete(callId);
  }

  return {
    async hold(callId, what, paths) {
      const taken = await take(paths, what);
      if (taken.length > 0) held.set(callId, [...(held.get(callId) ?? []), ...taken]);
    },
    holds: (callId) => held.has(callId),
    release,
    async during(paths, what, work) {
      const taken = await take(paths, what);
      try {
        return await work();
      } finally {
        for (const turn of taken) turn.release();
      }
    },
    close() {
      for (const callId of held.keys()) release(callId);
      turns?.close();
    },
  };
}
