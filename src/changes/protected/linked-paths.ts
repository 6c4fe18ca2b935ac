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

/** Names that haft and other agents obey in a directory of a user's configuration, next to the documents. */
const obeyedNames = [
  "settings.json",
  "settings.local.json",
  "CLAUDE.md",
  "AGENTS.md",
  "hooks",
  "plugins",
  "rules",
];

/**
 * Returns paths below the roots that a user's home leads to by links: at protected names, and what is obeyed in
 * directories that are read for agents. A user who keeps such files in a repository has links like these, and a session
 * in that repository may not change what the next session obeys.
 */
export async function linkedUserPaths(
  fs: Links,
  roots: readonly string[],
  user: {
    readonly home: string;
    /** Directories of documents, relative to the home. Links in them count under any name. */
    readonly directories: readonly string[];
  },
): Promise<readonly string[]> {
  const { home, directories } = user;
  const there = new Set((await entriesIn(fs, home)).map(({ path }) => baseName(path)));
  const holders = [...new Set(directories.map(parentPath))].filter((name) => there.has(name));
  const obeyed = [
    ...directories.filter((name) => there.has(parentPath(name))),
    ...holders.flatMap((holder) => obeyedNames.map((name) => `${holder}/${name}`)),
  ];
  const at = (name: string): string => joinPath(home, name);
  const [named, configured, ...inside] = await Promise.all([
    protectedLinks(fs, home, home),
    protectedLinks(fs, at(".config"), home),
    ...[...holders, ...obeyed].map(async (name) => await linksIn(fs, at(name))),
  ]);
  const targets = await Promise.all(
    [...obeyed.map(at), ...named, ...configured, ...inside.flat()].map(
      async (path) => await fs.canonical(path).catch(() => path),
    ),
  );
  return within(roots, [...new Set(targets)]);
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
  return within(roots, targets);
}

function within(roots: readonly string[], targets: readonly string[]): readonly string[] {
  return targets.filter((target) =>
    roots.some((each) => each !== target && isWithin(each, target)),
  );
}

async function linksIn(fs: Links, folder: string): Promise<readonly string[]> {
  return (await entriesIn(fs, folder)).flatMap(({ path, isLink }) => (isLink ? [path] : []));
}

interface Entry {
  readonly path: string;
  readonly isLink: boolean;
}

async function entriesIn(fs: Links, folder: string): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  try {
    // The directory may itself be a link.
    for await (const { name, kind } of fs.list(await fs.canonical(folder)))
      found.push({ path: joinPath(folder, name), isLink: kind === "symlink" });
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
  return found;
}
