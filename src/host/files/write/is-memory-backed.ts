import { fsync, fsyncSync, statfsSync } from "node:fs";

/** File systems that exist only in memory, so that a flush has nothing to wait for: tmpfs and ramfs. */
const kinds: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

/** Results by device. A file system that later gets the same device number is still flushed, at worst synchronously. */
const known = new Map<bigint, boolean>();

/** Whether the file system of a device, which contains this path, exists only in memory. */
export function isInMemory(device: bigint, path: string, kindAt = kindOfSystem): boolean {
  let found = known.get(device);
  if (found === undefined) {
    found = kinds.has(kindAt(path) ?? 0);
    known.set(device, found);
  }
  return found;
}

/** Resolves when a file is on disk; synchronous for a file system in memory, without a trip to another thread. */
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
