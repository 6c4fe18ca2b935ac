import {
  baseName,
  gitDirectoriesAround,
  isEverydayPart,
  isGitHead,
  isWithin,
  joinPath,
  leadsToRunningPart,
  mayLeadToProtected,
  parentPath,
  pathExists,
} from "../../text/index.ts";
import { runningParts, type Effect, type HostFs, type StagedChange } from "../../core/index.ts";
import { protectedBy, protectedPart } from "../../policy/index.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import { gitNamedPaths, textAt } from "./git-named-paths.ts";
import { runningSettings } from "./harmless-git-config.ts";

/** Roots, grant and sandbox of the call whose changes are checked. */
export interface ProtectedWriteContext {
  readonly fs: Pick<HostFs, "stat" | "readFile">;
  readonly roots: readonly string[];
  readonly effects: readonly Effect[];
  /**
   * Paths that a sandbox protects on the real files; they may have any name, such as targets of links and of git
   * settings.
   */
  readonly held?: readonly string[];
}

/**
 * Returns protected paths that staged changes touch and that were not asked about: those the call declared were asked
 * about before it ran. In git's own directory only paths that make git run something count, because every commit writes
 * the others.
 */
export async function findProtectedWrites(
  changes: readonly StagedChange[],
  grounds: ProtectedWriteContext,
): Promise<readonly string[]> {
  const touched: StagedChange[] = [];
  const repositories = new Map<string, Promise<boolean>>();
  const { roots, held = [] } = grounds;
  const named = [
    ...(await gitNamedPaths(grounds.fs, roots)),
    ...held.filter((path) => protectedBy(path, roots) === undefined),
  ];
  for (const change of changes) {
    const { path, to } = change;
    const isInRepository = async (): Promise<boolean> =>
      isInBareRepository(change, { ...grounds, changes, repositories });
    if (to.kind === "directory") {
      if (protectedBy(path, roots) === undefined && (await isInRepository())) touched.push(change);
    } else if (
      protectedBy(path, roots) !== undefined ||
      named.some((each) => isWithin(each, path)) ||
      (to.kind === "symlink" && mayLeadToProtected(baseName(path))) ||
      (await isInRepository())
    ) {
      touched.push(change);
    }
  }
  if (touched.length === 0) return [];
  const cloned = await clonedFolders(changes, grounds);
  const protectedWrites: string[] = [];
  for (const change of touched) {
    if (isNamed(change.path, grounds) || (await isQuiet(change, { ...grounds, cloned }))) continue;
    protectedWrites.push(change.path);
  }
  return protectedWrites;
}

/**
 * Directories in which a program that is held only to what its call declares may write anywhere: what is protected there
 * and does not exist yet cannot be closed on the real files. A directory that is itself protected was asked about.
 */
export function writtenTrees(
  effects: readonly Effect[],
  roots: readonly string[],
): readonly string[] {
  if (!effects.some((effect) => effect.kind === "execute" && effect.access === "declared")) {
    return [];
  }
  return effects.flatMap((effect) =>
    effect.kind === "write" && effect.scope === "tree" && !isAskedAbout(effect.path, roots)
      ? [effect.path]
      : [],
  );
}

/** A rule about git lets git write its own directory without a question. */
function isAskedAbout(path: string, roots: readonly string[]): boolean {
  return protectedBy(path, roots) !== undefined && !/\/\.git$/iu.test(path);
}

/**
 * Returns those of the created paths that the user should look at. In git's own directory that excludes what git writes
 * when it is the only program that can have done it, except for hooks.
 */
export async function notableWrites(
  paths: readonly string[],
  { fs, effects }: { readonly fs: Pick<HostFs, "list">; readonly effects: readonly Effect[] },
): Promise<readonly string[]> {
  const isByGit = runsOnly(effects, "git");
  const isNotable = async (path: string): Promise<boolean> => {
    const [, inner] = /\/\.git\/(.+)$/iu.exec(path) ?? [];
    if (inner === undefined) return true;
    if (!isHook(inner.toLowerCase())) return !isByGit;
    try {
      for await (const { name } of fs.list(path)) if (!name.endsWith(".sample")) return true;
      return false;
    } catch {
      // It is a file, or cannot be read.
      return true;
    }
  };
  const notable = await Promise.all(paths.map(isNotable));
  return paths.filter((_path, index) => notable[index]);
}

/** Parts that git runs or obeys in a repository, and those without which a directory is not one. */
const gitPart = new RegExp(
  `^(?:HEAD|objects|refs|info|(?:${(runningParts[".git"] ?? []).join("|").replaceAll(".", "\\.")})(?:/.+)?)$`,
  "iu",
);

/**
 * Whether a path is one that git runs or obeys in a repository without a working tree, which may have any name, or
 * turns a directory into such a repository: files that git obeys there may have been written before.
 */
async function isInBareRepository(
  change: StagedChange,
  grounds: RepositoryGrounds,
): Promise<boolean> {
  const { path } = change;
  const folders = gitDirectoriesAround(path);
  for (const folder of isGitHead(path) ? [...folders, parentPath(path)] : folders) {
    if (await isPartOf(folder, change, grounds)) return true;
  }
  return false;
}

interface RepositoryGrounds extends ProtectedWriteContext {
  readonly changes: readonly StagedChange[];
  /** Whether each directory is a repository, as far as it was looked at. */
  readonly repositories: Map<string, Promise<boolean>>;
}

async function isPartOf(
  folder: string,
  { path, to }: StagedChange,
  grounds: RepositoryGrounds,
): Promise<boolean> {
  const name = path.slice(folder.length + 1);
  if (!gitPart.test(name) || isSample(path)) return false;
  // A link in place of the directory decides what is found in it.
  if (/^(?:hooks|info|rebase-\w+)$/iu.test(name) && to.kind !== "symlink") return false;
  const isPart = /^(?:HEAD|objects|refs)$/iu.test(name);
  if (isPart ? to.kind === "absent" : to.kind === "directory") return false;
  const { changes, fs, repositories } = grounds;
  const isThere = async (part: string): Promise<boolean> => {
    const own = joinPath(folder, part);
    if (changes.some(({ path: each, to: its }) => each === own && its.kind !== "absent"))
      return true;
    return await pathExists(fs, own);
  };
  const known =
    repositories.get(folder) ??
    Promise.all(["HEAD", "objects", "refs", "commondir"].map(isThere)).then(
      ([head, objects, refs, common]) =>
        head === true && (common === true || (objects === true && refs === true)),
    );
  repositories.set(folder, known);
  return (await known) && (!isPart || !(await pathExists(fs, path)));
}

/**
 * Whether the call declared a write to the path that is itself protected: the user who allowed the call saw it there.
 */
function isNamed(path: string, { effects, roots }: ProtectedWriteContext): boolean {
  return effects.some(
    (effect) =>
      effect.kind === "write" &&
      isWithin(effect.path, path) &&
      // A rule about git lets git write its own directory without a question; it does not apply to other programs.
      (effect.path === path || !/\/\.git$/iu.test(effect.path)) &&
      protectedBy(effect.path, roots) !== undefined,
  );
}

/** Whether a change makes nothing run, or was made by the very program that was allowed. */
async function isQuiet(
  { path, to }: StagedChange,
  grounds: ProtectedWriteContext & { readonly cloned: readonly string[] },
): Promise<boolean> {
  const { effects, cloned, roots } = grounds;
  const part = protectedPart(path, roots);
  const leads =
    part !== undefined &&
    (to.kind === "symlink" || (to.kind === "file" && part.pattern !== ".git")) &&
    leadsToRunningPart(part, path);
  if (part?.pattern === ".git") {
    const inner = path.slice(part.end + 1).toLowerCase();
    if (isHook(inner)) return false;
    const runsNothing = !leads && (isSample(inner) || isEverydayPart(part, path));
    if (inner !== "" && (runsNothing || runsOnly(effects, "git"))) return true;
    if (inner === "config" && to.kind === "file")
      return await isPlainConfig(path, to.source, grounds);
  } else if (part === undefined || part.pattern.startsWith("*.git/")) {
    return runsOnly(effects, "git");
  } else if (!leads && isEverydayPart(part, path)) return true;
  if (cloned.some((folder) => isWithin(folder, path))) return true;
  return part.pattern === ".pnp.*" && runsOnly(effects, "yarn");
}

function isHook(inner: string): boolean {
  return /^(?:modules\/.+\/|worktrees\/[^/]+\/)?hooks(?:\/|$)/u.test(inner) && !isSample(inner);
}

/** Whether a path is a sample hook, which git never runs. */
function isSample(inner: string): boolean {
  return /(?:^|\/)hooks\/.*\.sample$/u.test(inner);
}

/**
 * Whether this is the only program that can have done more than it declares: the user who allowed the call allowed it
 * by name.
 */
function runsOnly(effects: readonly Effect[], program: string): boolean {
  const runs = effects.filter((effect) => effect.kind === "execute");
  return (
    runs.some((effect) => programOf(effect) === program) &&
    runs.every((effect) => effect.consequences === "listed" || programOf(effect) === program)
  );
}

function programOf({ argv }: Extract<Effect, { readonly kind: "execute" }>): string | undefined {
  const [program] = argv;
  return typeof program === "string" ? baseName(program) : undefined;
}

/** Whether a change adds only settings with names and addresses to the previous ones. */
async function isPlainConfig(
  path: string,
  source: string,
  { fs }: ProtectedWriteContext,
): Promise<boolean> {
  const [before, after] = await Promise.all([textAt(fs, path), textAt(fs, source)]);
  if (after === undefined) return false;
  const known = runningSettings(before ?? "");
  return [...runningSettings(after)].every((each) => known.has(each));
}

/** Returns new directories with a repository of their own that only git can have created. */
async function clonedFolders(
  changes: readonly StagedChange[],
  { fs, effects }: ProtectedWriteContext,
): Promise<readonly string[]> {
  if (!runsOnly(effects, "git")) return [];
  const made = new Set(changes.flatMap(({ path, to }) => (to.kind === "directory" ? [path] : [])));
  const cloned: string[] = [];
  for (const { path } of changes) {
    const folder = /^(.+)\/\.git$/u.exec(path)?.[1];
    if (folder === undefined || !made.has(folder)) continue;
    if (!(await pathExists(fs, folder))) cloned.push(folder);
  }
  return cloned;
}

/** Paths that a sandbox protects on the real files; on an overlay some of them are only checked afterwards. */
export function heldBy(sandbox: Sandbox | undefined): readonly string[] {
  if (sandbox === undefined) return [];
  const { protected: held, watched } = sandbox.policy;
  return [...held, ...watched].map(({ path }) => path);
}
