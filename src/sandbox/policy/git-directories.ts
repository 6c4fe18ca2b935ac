import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { gitConfigPaths, isWithin, joinPath, parentPath } from "../../text/index.ts";
import { kindAt, resolved } from "./existing-path.ts";

export interface GitDirectories {
  /** Directories outside the workspace, needed to commit from it. */
  readonly writable: readonly string[];
  /** Paths that make git run something; they need not exist. */
  readonly protected: readonly string[];
  /** More such paths, which are only known once they exist: an unfinished rebase, and the files that settings name. */
  readonly found: readonly string[];
}

/**
 * Returns the data directories of a workspace's repository. A `.git` file is followed only if the directory it names
 * points back at it: otherwise a file in a downloaded directory could make any directory writable.
 */
export async function gitDirectories(workspace: string): Promise<GitDirectories> {
  const marker = joinPath(workspace, ".git");
  const kind = kindAt(marker);
  if (kind === undefined || kind === "directory") {
    return {
      writable: [],
      protected: await runnable(marker),
      found: await foundIn(marker, workspace),
    };
  }
  const own = kind === "file" ? await namedDirectory(marker) : undefined;
  if (own === undefined || !(await pointsBack(own, marker))) {
    return { writable: [], protected: [marker], found: [] };
  }
  const common = (await commonDirectory(own)) ?? own;
  return {
    // The directory of a worktree is inside the common one.
    writable: isWithin(workspace, common) ? [] : [common],
    protected: [
      marker,
      ...(await runnable(common)),
      ...["commondir", "gitdir", "config", "config.worktree", "hooks"].map((name) =>
        joinPath(own, name),
      ),
    ],
    found: [...(await foundIn(common, workspace)), ...rebases(own)],
  };
}

/**
 * Returns the paths that git runs programs from in the directory of a repository, and in those of its submodules and
 * worktrees.
 */
export async function runnable(directory: string): Promise<readonly string[]> {
  const { found, unread } = await innerRepositories(directory);
  const parts = [directory, ...found].flatMap((repository) =>
    runningNames.map((name) => joinPath(repository, name)),
  );
  return [...parts, ...unread];
}

const runningNames = ["hooks", "config", "config.worktree", "commondir", "info/attributes"];

/**
 * Returns unfinished rebases, which run the commands of their list when they continue, and the files and programs that
 * settings name.
 */
export async function foundIn(directory: string, worktree: string): Promise<readonly string[]> {
  const settings = ["config", "config.worktree"].map((name) => joinPath(directory, name));
  return [...rebases(directory), ...(await namedBySettings(settings, { worktree }))];
}

function rebases(directory: string): readonly string[] {
  return ["rebase-merge", "rebase-apply"].map((name) => joinPath(directory, name));
}

/** Maximum number of settings files followed through includes. */
const maxSettings = 20;

/** Returns files that git settings include, and paths of the working tree that git runs programs from. */
export async function namedBySettings(
  settings: readonly string[],
  { worktree, home }: { readonly worktree: string; readonly home?: string },
): Promise<readonly string[]> {
  const queue = [...settings];
  const found: string[] = [];
  const place = (path: string, base: string): readonly string[] => {
    if (!path.startsWith("~/")) return [joinPath(base, path)];
    return home === undefined ? [] : [joinPath(home, path.slice(2))];
  };
  for (let at = 0; at < Math.min(queue.length, maxSettings); at += 1) {
    const file = queue[at] ?? "";
    const { included, runs } = gitConfigPaths(await textOf(file));
    const more = included.flatMap((path) => place(path, parentPath(file)));
    queue.push(...more.filter((path) => !queue.includes(path)));
    found.push(...more, ...runs.flatMap((path) => place(path, worktree)));
  }
  return [...new Set(found)].filter((path) => !isWithin(path, worktree));
}

/** Maximum number of directories read in `modules` and `worktrees` of one repository. */
const maxInner = 2000;

/** Content directories of a repository; its submodules are elsewhere. */
const contentNames: ReadonlySet<string> = new Set(
  "annex branches hooks info lfs logs objects rebase-apply rebase-merge refs".split(" "),
);

interface InnerRepositories {
  readonly found: readonly string[];
  /** Directories protected as a whole, because they have too many entries to be read. */
  readonly unread: readonly string[];
}

/**
 * Finds repositories of submodules and worktrees. A submodule may have any name, of several parts and with another's
 * name as prefix, so a directory that looks like a repository is searched as well: otherwise a file with one of these
 * names, which any program may create in `modules`, would exclude everything below it.
 */
async function innerRepositories(directory: string): Promise<InnerRepositories> {
  const tops = ["modules", "worktrees"].map((name) => joinPath(directory, name));
  const queue = [...tops];
  const found: string[] = [];
  for (let at = 0; at < Math.min(queue.length, maxInner); at += 1) {
    const path = queue[at] ?? directory;
    if (!existsSync(path)) continue;
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    const names = new Set(entries.map(({ name }) => name));
    const isLike = ["HEAD", "gitdir", ...runningNames].some((name) => names.has(name));
    if (isLike && !tops.includes(path)) found.push(path);
    const isWhole = names.has("HEAD") && names.has("objects") && names.has("refs");
    for (const entry of entries) {
      if (!entry.isDirectory() || (isWhole && contentNames.has(entry.name))) continue;
      queue.push(joinPath(path, entry.name));
    }
  }
  return queue.length > maxInner ? { found: [], unread: tops } : { found, unread: [] };
}

async function namedDirectory(marker: string): Promise<string | undefined> {
  const text = await textOf(marker);
  const named = /^gitdir: (.+)$/mu.exec(text)?.[1]?.trim();
  if (named === undefined) return undefined;
  const real = resolved(joinPath(parentPath(marker), named));
  return real?.kind === "directory" ? real.path : undefined;
}

/**
 * Whether a git directory points back at its `.git` file: that of a worktree contains the path of the file, the
 * configuration of a submodule the path of its directory.
 */
async function pointsBack(directory: string, marker: string): Promise<boolean> {
  if (kindAt(joinPath(directory, "HEAD")) !== "file") return false;
  const back = (await textOf(joinPath(directory, "gitdir"))).trim();
  if (resolved(joinPath(directory, back))?.path === marker) return true;
  const worktree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/mu.exec(
    await textOf(joinPath(directory, "config")),
  )?.[1];
  if (worktree === undefined) return false;
  return resolved(joinPath(directory, worktree))?.path === parentPath(marker);
}

async function commonDirectory(directory: string): Promise<string | undefined> {
  const named = (await textOf(joinPath(directory, "commondir"))).trim();
  const real = resolved(joinPath(directory, named));
  // Git stores the directory of a worktree exactly there. One that a program created could name any directory around
  // it.
  if (real === undefined || parentPath(directory) !== joinPath(real.path, "worktrees")) return;
  return kindAt(joinPath(real.path, "HEAD")) === "file" ? real.path : undefined;
}

async function textOf(path: string): Promise<string> {
  // Most of these files do not exist, and waiting for each would take ten times as long.
  return existsSync(path) ? await readFile(path, "utf8").catch(() => "") : "";
}
