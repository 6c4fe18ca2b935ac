import { baseName, draftsAmong, joinPath, parentPath } from "../../text/index.ts";
import { ToolError, type HostFs } from "../../core/index.ts";
import { inBatches } from "../../text/index.ts";
import type { JournalState } from "../journal-state.ts";
import type { Step } from "../records.ts";

/** Removes drafts that a killed process wrote for these steps and did not move to their paths. */
export async function removeStaleDrafts(fs: HostFs, steps: readonly Step[]): Promise<void> {
  const files = steps.filter(({ to }) => to.kind === "file");
  await removeDrafts(
    fs,
    files.map(({ path }) => path),
  );
}

/**
 * Removes drafts that calls had written when their process was killed. Only drafts with the tag of a process that is
 * known to have ended are removed: another process may be writing the same file right now.
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
      // A draft that cannot be removed must not prevent the rest.
      if (!ToolError.is(error)) throw error;
    }
  });
}
