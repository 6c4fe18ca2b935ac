import { isNotFound, joinPath, parentPath } from "../../text/index.ts";
import { ToolError, type HostFs, type StagedChanges } from "../../core/index.ts";
import { inBatches } from "../../text/index.ts";
import { isBehindLink } from "../capture/snapshot.ts";

/** Path in the real tree that another process changed while a command ran on its overlay. */
export interface StagedConflict {
  readonly path: string;
  readonly because: string;
}

/** Maximum number of conflicts listed; the rest are counted. */
const maxShown = 20;

/**
 * Lists paths changed both by the command and by another process, judged by the change time, which no program can set.
 * A file that was deleted meanwhile is not a conflict, because writing it loses nothing.
 */
export async function stagedConflicts(
  fs: HostFs,
  staged: StagedChanges,
): Promise<readonly StagedConflict[]> {
  const conflicts: StagedConflict[] = [];
  const named = new Set(staged.changes.map(({ path }) => path));
  const made = new Set(
    staged.changes.flatMap(({ path, to }) => (to.kind === "directory" ? [path] : [])),
  );
  await inBatches(staged.changes, async ({ path, to }) => {
    const because = await changedSince(path, to.kind === "directory");
    if (because !== undefined) conflicts.push({ path, because });
  });
  return conflicts.toSorted((a, b) => (a.path < b.path ? -1 : 1));

  async function changedSince(path: string, staysDirectory: boolean): Promise<string | undefined> {
    try {
      const stat = await fs.stat(path);
      if (stat.kind !== "directory") {
        // In whole milliseconds, like `since`: a file written just before the command is not a conflict.
        const isLater = Math.floor(stat.ctimeMs ?? stat.mtimeMs) > staged.since;
        return isLater ? "it was changed while the command ran" : undefined;
      }
      if (staysDirectory) return undefined;
      // The directory is removed with everything the command saw in it; later entries belong to another process.
      for await (const { name } of fs.list(path)) {
        const entry = joinPath(path, name);
        if (!named.has(entry)) return `${entry} was put into it while the command ran`;
      }
      return undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isBehindLink(error)) throw error;
      const link = await linkOnTheWay(path, fs);
      // An entry that the command has replaced is checked separately.
      const isReplaced = link !== undefined && made.has(link);
      return isReplaced ? undefined : "its path now leads through a link";
    }
  }
}

/** First link in a path that is inaccessible because of a link. */
async function linkOnTheWay(path: string, fs: HostFs): Promise<string | undefined> {
  for (let at = parentPath(path); at !== "/"; at = parentPath(at)) {
    try {
      return (await fs.stat(at)).kind === "symlink" ? at : undefined;
    } catch (error) {
      if (!isNotFound(error) && !isBehindLink(error)) throw error;
    }
  }
  return undefined;
}

/** STALE_READ for staged changes not applied; `data.conflicts` has the reasons. `author` changed the first path. */
export function stagedConflictError(
  conflicts: readonly StagedConflict[],
  author?: string,
): ToolError {
  const [first] = conflicts;
  const others = conflicts.length > 1 ? ` and ${conflicts.length - 1} more` : "";
  return new ToolError(
    "STALE_READ",
    `No change of the command was applied: ${first?.path ?? "a path"}${others} changed while it ran${author === undefined ? "" : `, by ${author}`}.`,
    {
      hint: "Check the present content, then run the command again.",
      data: { conflicts: conflicts.slice(0, maxShown), paths: conflicts.map(({ path }) => path) },
    },
  );
}
