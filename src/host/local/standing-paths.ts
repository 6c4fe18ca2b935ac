import { statSync } from "node:fs";

/** What stood at some paths when this was made, for a process that holds to it whatever stands there later. */
export class StandingPaths {
  readonly #known: ReadonlyMap<string, string | undefined>;

  constructor(paths: readonly string[]) {
    this.#known = new Map(paths.map((path) => [path, identityAt(path)]));
  }

  /** False where something else stands at one of them; what has gone since is no loss. */
  isSame(): boolean {
    for (const [path, known] of this.#known) {
      const now = identityAt(path);
      if (now !== undefined && now !== known) return false;
    }
    return true;
  }
}

/** With the time it was made, because the number of what was removed is given to the next. */
function identityAt(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}:${found.birthtimeMs}`;
  } catch {
    return undefined;
  }
}
