import {
  baseName,
  isWithin,
  joinPath,
  mayBeProtected,
  mayLeadToProtected,
  parentPath,
  protectedMatch,
} from "../../text/index.ts";
import { ToolError, type HostFs } from "../../core/index.ts";

type Links = Pick<HostFs, "canonical" | "list">;

/**
 * Returns the targets of links at protected names at the top of the roots, or at hooks: programs obey what is there.
 */
export async function linkedPaths(fs: Links, roots: readonly string[]): Promise<readonly string[]> {
  const links: string[] = [];
  for (const root of roots) {
    links.push(...(await protectedLinks(fs, root, root)));
    links.push(...(await protectedLinks(fs, joinPath(root, ".git"), root)));
  }
  return await targetsWithin(fs, links, roots);
}

/**
 * Returns the targets, below the roots, of links in a user's home: at protected names, and in directories that are read
 * for agents. A user who keeps such files in a repository has links like these, and a session in that repository may
 * not change what the next session obeys.
 */
export async function linkedUserPaths(
  fs: Links,
  roots: readonly string[],
  user: {
    readonly home: string;
    /** Relative to the home; links in them and in the directories that hold them count under any name. */
    readonly directories: readonly string[];
  },
): Promise<readonly string[]> {
  const { home, directories } = user;
  const holders = [...new Set(directories.map((name) => parentPath(joinPath(home, name))))];
  const folders = [...holders, ...directories.map((name) => joinPath(home, name))];
  const [named, ...inside] = await Promise.all([
    protectedLinks(fs, home, home),
    ...folders.map(async (folder) => await linksIn(fs, folder)),
  ]);
  return await targetsWithin(fs, [...named, ...inside.flat()], roots);
}

/** Links in a directory whose names are protected below the root. */
async function protectedLinks(fs: Links, folder: string, root: string): Promise<readonly string[]> {
  const start = root === "/" ? 0 : root.length;
  return (await linksIn(fs, folder)).filter((path) => {
    const name = baseName(path);
    if (!mayBeProtected(`/${name}`) && !mayLeadToProtected(name)) return false;
    return protectedMatch(path, start) !== undefined;
  });
}

async function targetsWithin(
  fs: Links,
  links: readonly string[],
  roots: readonly string[],
): Promise<readonly string[]> {
  const targets = await Promise.all(
    links.map(async (path) => await fs.canonical(path).catch(() => path)),
  );
  return targets.filter((target) =>
    roots.some((each) => each !== target && isWithin(each, target)),
  );
}

async function linksIn(fs: Links, folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    for await (const entry of fs.list(folder)) {
      if (entry.kind === "symlink") found.push(joinPath(folder, entry.name));
    }
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
  return found;
}
