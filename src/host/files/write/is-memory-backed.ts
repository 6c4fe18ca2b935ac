import { fsync, fsyncSync, statfsSync } from "node:fs";

/** File systems that keep nothing anywhere else, so that there is nothing to wait for: tmpfs and ramfs. */
const kinds: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

/** By device. One that is mounted in the place of another is flushed as well, at the worst while all wait for it. */
const known = new Map<bigint, boolean>();

/** Whether the file system of a device, which this path is on, is one in memory. */
export function isInMemory(device: bigint, path: string, kindAt = kindOfSystem): boolean {
  let found = known.get(device);
  if (found === undefined) {
    found = kinds.has(kindAt(path) ?? 0);
    known.set(device, found);
  }
  return found;
}

/** Resolves when a file is on the disk; on a file system in memory that takes no trip to another thread. */
export async function flushedFile(descriptor: number, inMemory: boolean): Promise<void> {
  if (inMemory) return fsyncSync(descriptor);
  return new Promise((resolve, reject) => {
    fsync(descriptor, (error) => (error === null ? resolve() : reject(error)));
  });
}

function kindOfSystem(path: string): number | undefined {
  try {
    return statfsSync(path).type;
  } catch {
    return undefined;
  }
}
