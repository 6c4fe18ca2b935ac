import { readdir, readFile, readlink } from "node:fs/promises";
import { isWithin } from "../../core/index.ts";

/**
 * A file below the roots that another program of this machine holds a lock on: a live database, a package manager at
 * work. On an overlay neither would see what the other does. Undefined where there is none, or where nobody can tell.
 */
export async function heldFile(roots: readonly string[]): Promise<string | undefined> {
  const table = await readFile("/proc/locks", "utf8").catch(() => "");
  const holders = new Set(
    Array.from(table.matchAll(/^\d+: (?:-> )?\S+\s+\S+\s+\S+\s+(\d+) /gmu), ([, pid = ""]) => pid),
  );
  holders.delete(String(process.pid));
  for (const pid of holders) {
    const folder = `/proc/${pid}/fd`;
    const open = await readdir(folder).catch((): string[] => []);
    for (const descriptor of open) {
      const path = await readlink(`${folder}/${descriptor}`).catch(() => "");
      if (roots.some((root) => isWithin(root, path))) return path;
    }
  }
  return undefined;
}
