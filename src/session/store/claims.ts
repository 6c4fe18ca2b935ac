import { randomUUID } from "node:crypto";

/** Identifies processes, so that a session that a process left behind can be continued. */
export interface ProcessNames {
  /** Unique name of this process. */
  readonly own: string;
  /** Whether a named process is running; undefined if that cannot be known here, as for another container. */
  isRunning(name: string): boolean | undefined;
}

/** Duration for which a claim counts after it was renewed, where the system does not say whether its process runs. */
export const leaseMs = 60_000;
/** Interval of renewals, in milliseconds. */
export const renewMs = 20_000;

/** Process and store that work on a run. */
export interface Claim {
  readonly owner: string;
  /** Distinguishes stores of one process. */
  readonly key: string;
  readonly leaseUntil: number;
}

/** Makes and judges claims of one store. */
export class Claims {
  /** Key of the claims of this store. */
  readonly key = randomUUID();
  readonly owner: string;
  readonly #processes: ProcessNames | undefined;
  readonly #now: () => number;

  constructor(processes: ProcessNames | undefined, now: () => number) {
    this.#processes = processes;
    this.#now = now;
    this.owner = processes?.own ?? "";
  }

  leaseUntil(): number {
    return this.#now() + leaseMs;
  }

  /** Whether another live store still works on the run. */
  isHeld(claim: Claim): boolean {
    const isRunning = claim.owner === "" ? undefined : this.#processes?.isRunning(claim.owner);
    if (isRunning === false) return false;
    // A store of this process that ended without recording it no longer renews its claims.
    const isElsewhere = isRunning === true && claim.owner !== this.owner;
    return isElsewhere || claim.leaseUntil > this.#now();
  }
}

/** Process of a claim, for messages. */
export function processOf(owner: string): string {
  const [pid = ""] = owner.split("/");
  return pid === "" ? "another process" : `process ${pid}`;
}
