import { readdir } from "node:fs/promises";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { ToolError } from "../../core/index.ts";
import { isWithin, joinPath, parentPath, protectedMatch } from "../../text/index.ts";
import { resolved } from "./existing-path.ts";

export interface AllowedWrite {
  readonly path: string;
  /** Whether the path is replaced or created rather than written in place. */
  readonly replaces: boolean;
}

/** Directories that programs may write without approval; canonical. */
interface GrantPlaces {
  readonly workspace: string;
  readonly home: string;
  readonly writable: readonly string[];
}

/**
 * Returns the paths that still resolve to themselves. Paths opened by the user or a rule are canonical, so a link on
 * the way was put there since, perhaps by a program that wants access to its target.
 */
export function unmoved(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => resolved(path)?.path === joinPath("/", path));
}

/** Error for a temporary directory that a program replaced by a link. */
export function pathMoved(path: string): ToolError {
  return new ToolError("PATH_CHANGED", `${path} is now reached by a link.`, {
    hint: "Call again; a new temporary directory is used.",
    data: { path },
  });
}

/** Error for a workspace that was moved or replaced by a link. */
export function workspaceMoved(path: string): ToolError {
  return new ToolError(
    "PATH_CHANGED",
    `${path} is no longer a directory, or is now reached through a link.`,
    {
      hint: "Move the workspace back to where it was.",
      data: { path },
    },
  );
}

/**
 * Removes paths inside writable directories that no longer resolve to themselves: a program may have redirected them.
 */
export function withoutRedirected(
  paths: readonly string[],
  open: readonly string[],
): readonly string[] {
  const isInside = (path: string): boolean => open.some((root) => isWithin(root, path));
  return paths.filter((path) => !isInside(path) || unmoved([path]).length > 0);
}

/** Returns the settings files of the repository and of its submodules. */
export async function gitSettings(workspace: string): Promise<readonly string[]> {
  const modules = joinPath(workspace, ".git/modules");
  const names = await readdir(modules).catch((): string[] => []);
  const repositories = [
    joinPath(workspace, ".git"),
    ...names.map((name) => joinPath(modules, name)),
  ];
  return repositories.flatMap((repository) =>
    ["config", "config.worktree"].map((name) => joinPath(repository, name)),
  );
}

/**
 * Returns the paths to make writable for allowed writes: the path itself, or its directory if something is created or
 * replaced there. A directory that contains much more than was allowed is not opened.
 */
export function grantsFor(
  writes: readonly AllowedWrite[],
  { workspace, home, writable }: GrantPlaces,
): { readonly paths: readonly string[]; readonly tooWide: string | undefined } {
  const paths: string[] = [];
  const roots = [workspace, ...writable];
  let tooWide: string | undefined;
  for (const { path, replaces } of writes) {
    const isInside = roots.some((root) => isWithin(root, path));
    if (isInside && !roots.some((root) => isInProtected(path, root))) continue;
    const there = resolved(path);
    if (there?.kind === "directory" || (there !== undefined && !replaces)) {
      paths.push(path);
      continue;
    }
    const folder = nearestFolder(path);
    const isWide =
      (parentPath(folder) === "/" && folder !== realpathSync.native(tmpdir())) ||
      [...roots, home].some((one) => isWithin(folder, one));
    if (!isWide) {
      paths.push(folder);
      continue;
    }
    if (isInside) {
      if (there !== undefined) paths.push(path);
      continue;
    }
    tooWide ??= `It was allowed to write ${path}, and opening ${folder} for that would open much more`;
  }
  return { paths, tooWide };
}

/** Whether a path below a tree is protected itself, not merely a directory above a protected path. */
function isInProtected(path: string, root: string): boolean {
  if (!isWithin(root, path)) return false;
  return protectedMatch(path, root.length) !== undefined;
}

function nearestFolder(path: string): string {
  for (let folder = parentPath(path); folder !== "/"; folder = parentPath(folder)) {
    if (resolved(folder)?.kind === "directory") return folder;
  }
  return "/";
}
