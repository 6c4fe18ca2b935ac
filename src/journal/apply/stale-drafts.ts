import { baseName, draftsAmong, joinPath, parentPath } from "../../text/index.ts";
import { ToolError, type HostFs } from "../../core/index.ts";
import { inBatches } from "../../text/index.ts";
import type { JournalState } from "../journal-state.ts";
import type { Step } from "../records.ts";

/** Takes away what a process that was killed had written for these steps and not yet put in its place. */
export async function removeLeftDrafts(fs: HostFs, steps: readonly Step[]): Promise<void> {
  const files = steps.filter(({ to }) => to.kind === "file");
  await removeDrafts(
    fs,
    files.map(({ path }) => path),
  );
}

/**
 * Takes away what calls had written for files and not yet put in their place when their process was killed. Only what bears
 * the mark of a process that is known to have ended goes: another one may be writing the same file right now.
 */
export async function removeDraftsOfGone({
  fs,
  records,
  owner,
}: Pick<JournalState, "fs" | "records" | "owner">): Promise<void> {
  for (const record of await records.calls()) {
    const mark = record.state === "open" ? owner.draftMarkOfGone(record) : undefined;
    if (mark === undefined) continue;
    await removeDrafts(
      fs,
      record.paths.map(({ path }) => path),
      mark,
    );
  }
}

async function removeDrafts(fs: HostFs, paths: readonly string[], mark?: string): Promise<void> {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const folder = parentPath(path);
    const names = folders.get(folder);
    if (names === undefined) folders.set(folder, [baseName(path)]);
    else names.push(baseName(path));
  }
  await inBatches([...folders], async ([folder, names]) => {
    try {
      const entries: string[] = [];
      for await (const { name } of fs.list(folder)) entries.push(name);
      for (const name of draftsAmong(entries, names, mark)) await fs.remove(joinPath(folder, name));
    } catch (error) {
      // What cannot be taken away is no reason to leave the rest unfinished.
      if (!ToolError.is(error)) throw error;
    }
  });
}
