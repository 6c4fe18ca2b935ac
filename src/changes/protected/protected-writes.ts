import {
  baseName,
  isEverydayPart,
  isWithin,
  joinPath,
  leadsToRunningPart,
  mayLeadToProtected,
} from "../../text/index.ts";
import { type Effect, type HostFs, type StagedChange } from "../../core/index.ts";
import { protectedBy, protectedPart } from "../../policy/index.ts";
import { gitNamedPaths, textAt } from "./git-named-paths.ts";
import { runningSettings } from "./harmless-git-config.ts";

/** Where the changes of one call's programs lead, and what the call was granted. */
export interface PlantingGrounds {
  readonly fs: Pick<HostFs, "stat" | "readFile">;
  readonly roots: readonly string[];
  readonly effects: readonly Effect[];
  /** Paths that a sandbox holds on the real files, which may have any name: where links and settings of git lead. */
  readonly held?: readonly string[];
}

/**
 * Protected paths that staged changes touch and nobody was asked about: those the call named were asked about before it
 * ran. Inside git's own folder only what makes git run something counts, for every commit writes the rest.
 */
export async function plantedChanges(
  changes: readonly StagedChange[],
  grounds: PlantingGrounds,
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
  const planted: string[] = [];
  for (const change of touched) {
    if (isNamed(change.path, grounds) || (await isQuiet(change, { ...grounds, cloned }))) continue;
    planted.push(change.path);
  }
  return planted;
}

/**
 * Whether a path is one that git runs or obeys in a repository without a working tree, which has any name, or makes
 * a directory such a repository: what git obeys there may have been written before.
 */
async function isInBareRepository(
  { path, to }: StagedChange,
  grounds: PlantingGrounds & {
    readonly changes: readonly StagedChange[];
    readonly repositories: Map<string, Promise<boolean>>;
  },
): Promise<boolean> {
  const [, folder, name = ""] =
    /^(.+)\/(HEAD|objects|refs|config|config\.worktree|commondir|hooks\/(?!.*\.sample$).+|info\/attributes)$/iu.exec(
      path,
    ) ?? [];
  if (folder === undefined) return false;
  const isPart = /^(?:HEAD|objects|refs)$/iu.test(name);
  if (isPart ? to.kind === "absent" : to.kind === "directory") return false;
  const { changes, fs, repositories } = grounds;
  const isOnDisk = async (own: string): Promise<boolean> =>
    await fs.stat(own).then(
      () => true,
      () => false,
    );
  const isThere = async (part: string): Promise<boolean> => {
    const own = joinPath(folder, part);
    if (changes.some(({ path: each, to: its }) => each === own && its.kind !== "absent"))
      return true;
    return await isOnDisk(own);
  };
  const known =
    repositories.get(folder) ??
    Promise.all(["HEAD", "objects", "refs", "commondir"].map(isThere)).then(
      ([head, objects, refs, common]) =>
        head === true && (common === true || (objects === true && refs === true)),
    );
  repositories.set(folder, known);
  return (await known) && (!isPart || !(await isOnDisk(path)));
}

/** Named by an effect that is protected itself: whoever allowed the call has read it there. */
function isNamed(path: string, { effects, roots }: PlantingGrounds): boolean {
  return effects.some(
    (effect) =>
      effect.kind === "write" &&
      isWithin(effect.path, path) &&
      // A rule about git lets it keep its own folder unasked, and speaks of nobody else.
      (effect.path === path || !/\/\.git$/iu.test(effect.path)) &&
      protectedBy(effect.path, roots) !== undefined,
  );
}

/** Whether it runs nothing, or is the doing of the very program that was allowed. */
async function isQuiet(
  { path, to }: StagedChange,
  grounds: PlantingGrounds & { readonly cloned: readonly string[] },
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

/** Samples are never run. */
function isSample(inner: string): boolean {
  return /(?:^|\/)hooks\/.*\.sample$/u.test(inner);
}

/** Whether no other program can have done more than it says: whoever allowed the call has allowed this one by its name. */
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

/** Settings that only say names and addresses, beside what was there before. */
async function isPlainConfig(
  path: string,
  source: string,
  { fs }: PlantingGrounds,
): Promise<boolean> {
  const [before, after] = await Promise.all([textAt(fs, path), textAt(fs, source)]);
  if (after === undefined) return false;
  const known = runningSettings(before ?? "");
  return [...runningSettings(after)].every((each) => known.has(each));
}

/** New folders with a repository of their own, where nobody but git can have made them. */
async function clonedFolders(
  changes: readonly StagedChange[],
  { fs, effects }: PlantingGrounds,
): Promise<readonly string[]> {
  if (!runsOnly(effects, "git")) return [];
  const made = new Set(changes.flatMap(({ path, to }) => (to.kind === "directory" ? [path] : [])));
  const cloned: string[] = [];
  for (const { path } of changes) {
    const folder = /^(.+)\/\.git$/u.exec(path)?.[1];
    if (folder === undefined || !made.has(folder)) continue;
    const isNew = await fs.stat(folder).then(
      () => false,
      () => true,
    );
    if (isNew) cloned.push(folder);
  }
  return cloned;
}
