import {
  baseName,
  isWithin,
  ToolError,
  type Effect,
  type HostFs,
  type StagedChange,
} from "../core/index.ts";
import { protectedBy } from "../policy/index.ts";
import { runningSettings } from "./plain-git-settings.ts";

/** Where the changes of one call's programs lead, and what the call was granted. */
export interface PlantingGrounds {
  readonly fs: Pick<HostFs, "stat" | "readFile">;
  readonly roots: readonly string[];
  readonly effects: readonly Effect[];
}

/**
 * Protected paths that staged changes touch and nobody was asked about: those the call named were asked about before it
 * ran. Inside git's own folder only what makes git run something counts, for every commit writes the rest.
 */
export async function plantedChanges(
  changes: readonly StagedChange[],
  grounds: PlantingGrounds,
): Promise<readonly string[]> {
  const touched = changes.filter(
    ({ path, to }) => to.kind !== "directory" && protectedBy(path, grounds.roots) !== undefined,
  );
  if (touched.length === 0) return [];
  const cloned = await clonedFolders(changes, grounds);
  const planted: string[] = [];
  for (const change of touched) {
    if (isNamed(change.path, grounds) || (await isQuiet(change, { ...grounds, cloned }))) continue;
    planted.push(change.path);
  }
  return planted;
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
  const { effects, cloned } = grounds;
  const inner = /^.*?\/\.git\/(.+)$/iu.exec(path)?.[1]?.toLowerCase();
  if (inner !== undefined) {
    if (isHook(inner)) return false;
    if (!runsSomething(inner) || runsOnly(effects, "git")) return true;
    return (
      inner === "config" && to.kind === "file" && (await isPlainConfig(path, to.source, grounds))
    );
  }
  if (cloned.some((folder) => isWithin(folder, path))) return true;
  if (/\/\.hg\/(?!hgrc$)/u.test(path)) return true;
  if (/\/\.yarn\/(?:cache|unplugged|install-state\.gz$|build-state\.yml$)/u.test(path)) return true;
  return /\/\.pnp\.[^/]+$/u.test(path) && runsOnly(effects, "yarn");
}

/** Samples are never run. */
function isHook(inner: string): boolean {
  return /^(?:modules\/.+\/|worktrees\/[^/]+\/)?hooks(?:\/(?!.*\.sample$)|$)/u.test(inner);
}

function runsSomething(inner: string): boolean {
  return /^(?:modules\/.+\/|worktrees\/[^/]+\/)?(?:config(?:\.worktree)?|commondir|gitdir|info\/attributes)$/u.test(
    inner,
  );
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

async function textAt(fs: PlantingGrounds["fs"], path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode((await fs.readFile(path, { maxBytes: 1_000_000 })).bytes);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
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
