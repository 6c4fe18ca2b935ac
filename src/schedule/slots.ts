/** A task's claim to one of the slots. */
export interface Ticket {
  /** Takes a slot. Resolves to false once one is free; undefined if one is free now or was taken before. */
  take(): Promise<false> | undefined;
  /** Releases the slot. Does nothing if none was taken. */
  release(): void;
}

/** Limits the number of tasks that run at once; the others wait in order of arrival. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  ticket(): Ticket {
    let isTaken = false;
    let waiter: (() => void) | undefined;
    return {
      take: () => {
        if (isTaken) return undefined;
        isTaken = true;
        if (this.#free > 0) {
          this.#free -= 1;
          return undefined;
        }
        const { promise, resolve } = Promise.withResolvers<false>();
        waiter = () => {
          waiter = undefined;
          resolve(false);
        };
        this.#waiting.push(waiter);
        return promise;
      },
      release: () => {
        if (!isTaken) return;
        isTaken = false;
        // Released while still waiting: there is no slot to free.
        if (waiter !== undefined) {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          return;
        }
        const next = this.#waiting.shift();
        if (next === undefined) this.#free += 1;
        else next();
      },
    };
  }
}
