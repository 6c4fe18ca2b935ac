import { isNotFound, parentPath } from "../../text/index.ts";
import { type HostFs } from "../../core/index.ts";
import { inBatches } from "../../text/index.ts";
import type { Step } from "../records.ts";
import { isBehindLink } from "../capture/snapshot.ts";

/** Permission bits that a directory's owner needs to change its entries. */
export const ownerAll = 0o700;

/**
 * Adds a step for each parent directory that its owner may not change. The directory is made writable first and gets
 * its own permission bits last, also after an interruption.
 */
export async function withClosedDirectories(
  steps: readonly Step[],
  fs: HostFs,
): Promise<readonly Step[]> {
  const own = new Set(steps.map(({ path }) => path));
  const around = new Set(steps.map(({ path }) => parentPath(path)));
  const others = [...around].filter((path) => !own.has(path));
  const closed = await inBatches(others, async (path): Promise<readonly Step[]> => {
    const mode = await closedMode(path, fs);
    if (mode === undefined) return [];
    const image = { kind: "directory", mode } as const;
    return [{ path, from: image, to: image }];
  });
  return [...steps, ...closed.flat()];
}

async function closedMode(path: string, fs: HostFs): Promise<number | undefined> {
  try {
    const { kind, mode } = await fs.stat(path);
    return kind === "directory" && (mode & ownerAll) !== ownerAll ? mode : undefined;
  } catch (error) {
    if (isNotFound(error) || isBehindLink(error)) return undefined;
    throw error;
  }
}
