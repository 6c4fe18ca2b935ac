import { gitConfigPaths, isWithin, joinPath, parentPath } from "../../text/index.ts";
import { ToolError, type HostFs } from "../../core/index.ts";

/** Maximum number of settings files followed through includes. */
const maxSettings = 20;

type Reader = Pick<HostFs, "readFile">;

/**
 * Returns paths below the roots that git settings of their repositories and of the user name: included files, and paths
 * git runs programs from.
 */
export async function gitNamedPaths(
  fs: Reader,
  roots: readonly string[],
  home?: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const root of roots) {
    const directories = await gitDirectoriesOf(fs, root);
    const queue = [
      ...directories.flatMap((each) => [`${each}/config`, `${each}/config.worktree`]),
      ...(home === undefined ? [] : [`${home}/.gitconfig`, `${home}/.config/git/config`]),
    ];
    const place = (path: string, base: string): string =>
      path.startsWith("~/") ? joinPath(home ?? "/", path.slice(2)) : joinPath(base, path);
    for (let at = 0; at < Math.min(queue.length, maxSettings); at += 1) {
      const file = queue[at] ?? "";
      const { included, runs } = gitConfigPaths((await textAt(fs, file)) ?? "");
      const more = included.map((path) => place(path, parentPath(file)));
      queue.push(...more.filter((path) => !queue.includes(path)));
      found.push(...more, ...runs.map((path) => place(path, root)));
    }
  }
  return [...new Set(found)].filter((path) =>
    roots.some((root) => root !== path && isWithin(root, path)),
  );
}

/** Returns the directory of a root's repository, and the one it shares with other working trees. */
async function gitDirectoriesOf(fs: Reader, root: string): Promise<readonly string[]> {
  const marker = joinPath(root, ".git");
  const named = /^gitdir: (.+)$/mu.exec((await textAt(fs, marker)) ?? "")?.[1]?.trim();
  if (named === undefined) return [marker];
  const own = joinPath(root, named);
  const common = (await textAt(fs, joinPath(own, "commondir")))?.trim();
  return common === undefined || common === "" ? [own] : [own, joinPath(own, common)];
}

/** Reads a text on a host; undefined if it cannot be read. */
export async function textAt(fs: Reader, path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode((await fs.readFile(path, { maxBytes: 1_000_000 })).bytes);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
