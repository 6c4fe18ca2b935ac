import {
  baseName,
  isWithin,
  parentPath,
  ToolError,
  type EffectContext,
  type HostStat,
  type ReadEffect,
} from "../../core/index.ts";
import { displayPath } from "./display-path.ts";
import { looksAlike, similarNames } from "./similar-names.ts";

/** Above this many entries a folder is not searched for a similar name. */
const maxCandidates = 5000;

/** What is at a path, or undefined where nothing is. Other failures are thrown. */
export async function statOrMissing(
  path: string,
  { host, signal }: EffectContext,
): Promise<HostStat | undefined> {
  try {
    return await host.fs.stat(path, { signal });
  } catch (error) {
    if (ToolError.is(error) && (error.code === "NOT_FOUND" || error.code === "NOT_A_DIRECTORY")) {
      return undefined;
    }
    throw error;
  }
}

/**
 * The reads of a call that looks at one file. Where it is missing, the nearest folder that exists is read
 * too, inside the workspace only: that is what the suggestion in the error is made of.
 */
export async function readingEffects(
  path: string,
  context: EffectContext,
): Promise<readonly ReadEffect[]> {
  const { host, cwd, signal } = context;
  const own: ReadEffect = { kind: "read", path, scope: "file" };
  const canonical = await host.fs.canonical(path, { base: cwd, signal });
  if ((await statOrMissing(canonical, context)) !== undefined) return [own];
  const folder = await nearestFolder(canonical, context);
  return folder === undefined ? [own] : [own, { kind: "read", path: folder, scope: "file" }];
}

/** The error for a path with nothing at it, naming what is there instead. */
export async function missingPath(path: string, context: EffectContext): Promise<ToolError> {
  const shown = displayPath(path, context.cwd);
  const folder = await nearestFolder(path, context);
  if (folder === undefined) {
    return new ToolError("NOT_FOUND", `${shown} does not exist.`, {
      hint: "Check the path; Glob finds files by name.",
    });
  }
  const [missing = baseName(path)] = path.slice(folder === "/" ? 1 : folder.length + 1).split("/");
  const similar = similarNames(missing, await namesIn(folder, context));
  const [best] = similar;
  const isLast = parentPath(path) === folder;
  const where = isLast ? "" : ` The folder ${displayPath(folder, context.cwd)} has no ${missing}.`;
  if (best === undefined) {
    return new ToolError("NOT_FOUND", `${shown} does not exist.${where}`, {
      hint: "Check the path; Glob finds files by name, ListDir shows a folder.",
    });
  }
  const prefix = folder === "/" ? "/" : `${folder}/`;
  const suggestions = similar.map((name) => displayPath(prefix + name, context.cwd));
  const note = looksAlike(missing, best)
    ? " It looks the same but has other characters; copy the name from here."
    : "";
  return new ToolError("NOT_FOUND", `${shown} does not exist.${where}`, {
    hint: `Did you mean ${suggestions.join(" or ")}?${note}`,
    data: { suggestions },
  });
}

async function nearestFolder(path: string, context: EffectContext): Promise<string | undefined> {
  let folder = parentPath(path);
  while (isWithin(context.workspace, folder)) {
    const stat = await statOrMissing(folder, context);
    if (stat !== undefined) return stat.kind === "directory" ? folder : undefined;
    if (folder === "/") return undefined;
    folder = parentPath(folder);
  }
  return undefined;
}

async function namesIn(folder: string, { host, signal }: EffectContext): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of host.fs.list(folder, { signal })) {
      names.push(name);
      if (names.length > maxCandidates) return [];
    }
  } catch (error) {
    // The folder may be closed to this call; the answer is then just shorter.
    if (!ToolError.is(error)) throw error;
    return [];
  }
  return names;
}
