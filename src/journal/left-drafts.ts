import {
  baseName,
  draftsAmong,
  joinPath,
  parentPath,
  ToolError,
  type HostFs,
} from "../core/index.ts";
import { inBatches } from "./in-batches.ts";
import type { Step } from "./records.ts";

/** Takes away what a process that was killed had written for these steps and not yet put in its place. */
export async function removeLeftDrafts(fs: HostFs, steps: readonly Step[]): Promise<void> {
  const folders = new Map<string, string[]>();
  for (const { path, to } of steps) {
    if (to.kind !== "file") continue;
    const folder = parentPath(path);
    const names = folders.get(folder);
    if (names === undefined) folders.set(folder, [baseName(path)]);
    else names.push(baseName(path));
  }
  await inBatches([...folders], async ([folder, names]) => {
    try {
      const entries: string[] = [];
      for await (const { name } of fs.list(folder)) entries.push(name);
      for (const name of draftsAmong(entries, names)) await fs.remove(joinPath(folder, name));
    } catch (error) {
      // What cannot be taken away is no reason to leave the rest unfinished.
      if (!ToolError.is(error)) throw error;
    }
  });
}
