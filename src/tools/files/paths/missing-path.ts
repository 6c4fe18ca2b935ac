import {
  baseName,
  isNotFound,
  isWithin,
  joinPath,
  parentPath,
  pathBelow,
} from "../../../text/index.ts";
import {
  ToolError,
  type EffectContext,
  type HostStat,
  type ReadEffect,
} from "../../../core/index.ts";
import { displayPath } from "./display-path.ts";
import { looksAlike, similarNames } from "./similar-names.ts";
import { takenLiterally, type TakenLiterally } from "./literal-names.ts";

/** Number of entries beyond which only names that look the same are considered. */
const maxCandidates = 5000;
/** Maximum number of entries read from the directory. */
const maxEntries = 100_000;

/** Status of a path, or undefined if nothing exists there. Other failures are thrown. */
export async function statOrMissing(
  path: string,
  { host, signal }: EffectContext,
): Promise<HostStat | undefined> {
  try {
    return await host.fs.stat(path, { signal });
  } catch (error) {
    if (isNotFound(error)) {
      return undefined;
    }
    throw error;
  }
}

/**
 * Read effects of a call that reads one file or, with `folderScope` "tree", the content of a directory. If the path
 * does not exist, they include the directories down to its nearest existing ancestor, inside the workspace only,
 * because the error's suggestions are taken from them.
 */
export async function readingEffects(
  path: string,
  context: EffectContext,
  folderScope: ReadEffect["scope"] = "file",
): Promise<readonly ReadEffect[]> {
  const { host, cwd, signal } = context;
  const own: ReadEffect = { kind: "read", path, scope: "file" };
  const located = await host.fs.locate?.(path, { base: cwd, signal });
  const isFolder = located?.isFolder ?? (await isFolderAt(path, context));
  if (isFolder !== undefined) return [isFolder ? { ...own, scope: folderScope } : own];
  const canonical = await host.fs.canonical(path, { base: cwd, signal });
  const { looked } = await nearestFolder(canonical, context);
  return [
    own,
    ...looked.map((folder): ReadEffect => ({ kind: "read", path: folder, scope: "file" })),
  ];
}

/** Undefined if nothing exists there. */
async function isFolderAt(path: string, context: EffectContext): Promise<boolean | undefined> {
  const stat = await statOrMissing(path, context);
  return stat && stat.kind === "directory";
}

/** Error for a canonical path that does not exist, requested as `asked`, with the existing names closest to it. */
export async function missingPath(
  path: string,
  context: EffectContext,
  asked: string,
): Promise<ToolError> {
  const literally = takenLiterally(asked, context.host.info.home);
  if (literally !== undefined) return notMeant(literally);
  const absent = `${absentName(path, context, asked)} does not exist`;
  const { folder, file } = await nearestFolder(path, context);
  if (file !== undefined) {
    const named = displayPath(file, context.cwd);
    return new ToolError("NOT_FOUND", `${absent}: ${named} is not a directory.`, {
      hint: `Use ${named} itself, or another directory.`,
      data: { suggestions: [named] },
    });
  }
  if (folder === undefined) {
    return new ToolError("NOT_FOUND", `${absent}.`, {
      hint: "Check the path; Glob finds files by name.",
    });
  }
  const [missing = baseName(path)] = path.slice(folder === "/" ? 1 : folder.length + 1).split("/");
  const similar = similarNames(missing, await namesIn(folder, missing, context));
  const [best] = similar;
  const isLast = parentPath(path) === folder;
  const where = isLast
    ? ""
    : ` The directory ${displayPath(folder, context.cwd)} has no ${missing}.`;
  if (best === undefined) {
    return new ToolError("NOT_FOUND", `${absent}.${where}`, {
      hint: "Check the path; Glob finds files by name, ListDir shows a directory.",
    });
  }
  const prefix = folder === "/" ? "/" : `${folder}/`;
  const suggestions = similar.map((name) => displayPath(prefix + name, context.cwd));
  const note = looksAlike(missing, best)
    ? " It looks the same but has other characters; copy the name from here."
    : "";
  return new ToolError("NOT_FOUND", `${absent}.${where}`, {
    hint: `Did you mean ${suggestions.join(" or ")}?${note}`,
    data: { suggestions },
  });
}

/** Name of the missing file. If a link led to it, the caller knows only the path through the link. */
function absentName(path: string, { cwd, workspace }: EffectContext, asked: string): string {
  const shown = displayPath(path, cwd);
  const named = joinPath(cwd, asked);
  if (named === path || !isWithin(workspace, named)) return shown;
  return `${displayPath(named, cwd)} leads to ${shown}, which`;
}

/** Error for a missing path that was probably not meant literally. */
export function notMeant({ because, plain }: TakenLiterally): ToolError {
  return new ToolError("NOT_FOUND", because, {
    hint: plain === undefined ? "Pass a plain path." : `Pass the plain path: ${plain}`,
    ...(plain === undefined ? {} : { data: { suggestions: [plain] } }),
  });
}

interface NearestFolder {
  /** Undefined if none was found inside the workspace. */
  readonly folder: string | undefined;
  /** Ancestor of the path that is not a directory. */
  readonly file?: string;
  /** Every path checked on the way down, the first missing one last. */
  readonly looked: readonly string[];
}

async function nearestFolder(path: string, context: EffectContext): Promise<NearestFolder> {
  const looked: string[] = [];
  let folder: string | undefined;
  // Top-down, so that a path with a thousand missing directories costs no more than one with a single missing
  // directory.
  for (const each of foldersTo(parentPath(path), context.workspace)) {
    looked.push(each);
    const stat = await statOrMissing(each, context);
    if (stat === undefined) break;
    if (stat.kind !== "directory") return { folder: undefined, file: each, looked };
    folder = each;
  }
  return { folder, looked };
}

/** Directories from the workspace down to the given one, inclusive; none if it is outside. */
function foldersTo(folder: string, workspace: string): readonly string[] {
  const below = pathBelow(workspace, folder);
  if (below === undefined) return [];
  const parts = below === "" ? [] : below.split("/");
  const root = workspace === "/" ? "" : workspace;
  return [workspace, ...parts.map((_, index) => `${root}/${parts.slice(0, index + 1).join("/")}`)];
}

async function namesIn(
  folder: string,
  missing: string,
  { host, signal }: EffectContext,
): Promise<string[]> {
  const names: string[] = [];
  let entries = 0;
  try {
    for await (const { name } of host.fs.list(folder, { signal })) {
      if (++entries > maxEntries) break;
      if (entries <= maxCandidates || looksAlike(missing, name)) names.push(name);
    }
  } catch (error) {
    // The call may have no access to the directory; the error then has no suggestions.
    if (!ToolError.is(error)) throw error;
    return [];
  }
  return names;
}
