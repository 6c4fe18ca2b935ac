/** Turns at paths among all programs of this user on this machine, whatever journals and workspaces they have. */
export interface PathTurns {
  /**
   * Resolves once no other holder has a turn at one of these paths, or at what holds or lies in one. UNAVAILABLE, with
   * the name of the other one, where that takes too long; ABORTED where `signal` ends the wait.
   */
  take(paths: readonly string[], holder: TurnHolder, signal?: AbortSignal): Promise<PathTurn>;
  /**
   * Runs the work of a call. Whatever that calls takes turns at the same paths without waiting for this call, which
   * waits for it.
   */
  inside<T>(holder: Pick<TurnHolder, "by" | "callId">, work: () => T): T;
  /** Why nothing waits for other programs here, as a sentence; undefined where it does. */
  whyOff(): string | undefined;
  /** Leaves nothing behind that no other program needs. */
  close(): void;
}

export interface TurnHolder {
  /** Of a name that no other one has: its own turns are never in its way. */
  readonly by: string;
  /** The work that the paths are needed for, for the error of others: `Bash (call-1)`. */
  readonly what: string;
  /** Call that the turn is for. Of calls that wait for each other in a circle, one is refused at once. */
  readonly callId?: string;
}

export interface PathTurn {
  /** Whether a program that had a turn at one of the paths ended without releasing it: its work may be half done. */
  readonly wasLeft: boolean;
  release(): void;
}
