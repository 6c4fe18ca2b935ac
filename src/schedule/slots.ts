/** One task's place among those that may run at once. */
export interface Ticket {
  /** Resolves to false once there is room; undefined when there is room now or it was taken before. */
  take(): Promise<false> | undefined;
  /** Gives the place back. Harmless when it was never taken. */
  release(): void;
}

/** Lets a fixed number of tasks run at once; the others wait in the order they came. */
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
        // Given up while still waiting: there is no place to give back.
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
