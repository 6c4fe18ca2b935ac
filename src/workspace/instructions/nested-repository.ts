import { repositoryMarkers, type Host } from "../../core/index.ts";
import { isWithin, joinPath, parentPath, pathBelow, pathExists } from "../../text/index.ts";

/**
 * The outermost repository between a workspace and a directory in it that is not part of the project, such as a clone:
 * others write what is in it. Submodules that the project records and its own worktrees are part of it.
 */
export async function nestedRepository(
  directory: string,
  { host, workspace, root }: NestedOptions,
): Promise<string | undefined> {
  let outer = root;
  for (const at of directoriesBelow(workspace, directory)) {
    if (!(await isRepository(at, host))) continue;
    if (!(await isSubmodule(at, outer, host)) && !(await isWorktree(at, outer, host))) return at;
    outer = at;
  }
  return undefined;
}

interface NestedOptions {
  readonly host: Pick<Host, "fs">;
  /** Canonical path. */
  readonly workspace: string;
  /** Root of the repository that the workspace is in. */
  readonly root: string;
}

/** Directories below an upper one down to a lower one, which is included; none if the lower one is elsewhere. */
export function directoriesBelow(upper: string, lower: string): readonly string[] {
  const found: string[] = [];
  for (let at = lower; at !== upper && isWithin(upper, at); at = parentPath(at)) found.unshift(at);
  return found;
}

/** Whether `.gitmodules` of the outer repository names the directory. */
async function isSubmodule(
  directory: string,
  outer: string,
  host: Pick<Host, "fs">,
): Promise<boolean> {
  const text = await textOf(`${outer}/.gitmodules`, host);
  const below = pathBelow(outer, directory);
  return [...text.matchAll(/^\s*path\s*=\s*"?([^"\n]+?)"?\s*$/gmu)].some(
    ([, path = ""]) => path.replace(/\/$/u, "") === below,
  );
}

/** Whether the outer repository knows the directory as a worktree; a `.git` file alone could name any repository. */
async function isWorktree(
  directory: string,
  outer: string,
  host: Pick<Host, "fs">,
): Promise<boolean> {
  const [, named] = /^gitdir:\s*(.+?)\s*$/mu.exec(await textOf(`${directory}/.git`, host)) ?? [];
  if (named === undefined) return false;
  const records = joinPath(directory, named);
  if (!isWithin(`${outer}/.git/worktrees`, records)) return false;
  // Git can write it relative to the record.
  const back = (await textOf(`${records}/gitdir`, host)).trim();
  return back !== "" && joinPath(records, back) === `${directory}/.git`;
}

/** Whether a directory is the root of a repository. */
export async function isRepository(directory: string, { fs }: Pick<Host, "fs">): Promise<boolean> {
  for (const marker of repositoryMarkers) {
    if (await pathExists(fs, `${directory}/${marker}`)) return true;
  }
  return false;
}

const maxBytes = 1_000_000;

/** Text of a file; "" for one that cannot be read. */
async function textOf(path: string, { fs }: Pick<Host, "fs">): Promise<string> {
  const file = await fs.readFile(path, { maxBytes }).catch(() => undefined);
  return file === undefined ? "" : new TextDecoder().decode(file.bytes);
}
