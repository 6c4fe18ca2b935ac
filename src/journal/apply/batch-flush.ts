import type { HostFs, WriteOptions } from "../../core/index.ts";
import { inBatches } from "../../text/index.ts";

/** Groups with more writes than this share one flush by the host. */
const maxSingly = 64;
/** Maximum number of deferred writes at once, each with two open files, and of their bytes. */
const maxHeld = 256;
const maxHeldBytes = 32 * 1024 * 1024;
/** Maximum number of deferred writes that run at the same time. */
const width = 16;

/** Write options of a deferred write. */
export type DeferredWrite = Pick<WriteOptions, "hold">;

/**
 * Runs an action for each item; each action writes one file. Large numbers of files wait for the disk once per group,
 * not once per file. A later group does not start after a failure.
 */
export async function flushTogether<T>(
  items: readonly T[],
  act: (item: T, write: DeferredWrite) => Promise<void>,
  { fs, sizeOf }: { readonly fs: HostFs; readonly sizeOf: (item: T) => number },
): Promise<void> {
  for (const group of fs.flush === undefined ? [items] : groupsOf(items, sizeOf)) {
    if (fs.flush === undefined || group.length <= maxSingly) {
      await inBatches(group, (item) => act(item, {}));
    } else await new FlushedGroup(fs, group.length).run(group, act);
  }
}

function groupsOf<T>(items: readonly T[], sizeOf: (item: T) => number): readonly (readonly T[])[] {
  // Groups of equal size: a small last group would wait as long for fewer files.
  const most = Math.ceil(items.length / Math.ceil(items.length / maxHeld));
  const groups: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const last = groups.at(-1);
    bytes += sizeOf(item);
    if (last !== undefined && last.length < most && bytes <= maxHeldBytes) last.push(item);
    else {
      groups.push([item]);
      bytes = sizeOf(item);
    }
  }
  return groups;
}

/** Flushes as soon as every write has its draft ready or has ended. */
class FlushedGroup {
  readonly #fs: HostFs;
  readonly #drafts: string[] = [];
  readonly #flushed = Promise.withResolvers<undefined>();
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #free = width;

  constructor(fs: HostFs, size: number) {
    this.#fs = fs;
    this.#left = size;
    // Handled by the writes that wait for the flush, if there are any.
    this.#flushed.promise.catch(() => undefined);
  }

  async run<T>(
    items: readonly T[],
    act: (item: T, write: DeferredWrite) => Promise<void>,
  ): Promise<void> {
    const ends = await Promise.allSettled(items.map((item) => this.#one(item, act)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #one<T>(item: T, act: (item: T, write: DeferredWrite) => Promise<void>): Promise<void> {
    let isCounted = false;
    const count = (): void => {
      if (!isCounted) this.#count();
      isCounted = true;
    };
    await this.#enter();
    try {
      await act(item, {
        hold: async ({ path }) => {
          this.#drafts.push(path);
          this.#leave();
          count();
          try {
            await this.#flushed.promise;
          } finally {
            await this.#enter();
          }
        },
      });
    } finally {
      count();
      this.#leave();
    }
  }

  #count(): void {
    this.#left -= 1;
    if (this.#left > 0) return;
    const { resolve, reject } = this.#flushed;
    Promise.resolve(this.#fs.flush?.(this.#drafts)).then(() => resolve(undefined), reject);
  }

  async #enter(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
