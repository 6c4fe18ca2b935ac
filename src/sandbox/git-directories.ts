import { readFile, readdir, readlink } from "node:fs/promises";
import { isWithin, joinPath, parentPath } from "../core/index.ts";
import { kindAt, resolved } from "./existing-path.ts";

export interface GitDirectories {
  /** Outside the workspace, needed to commit from it. */
  readonly writable: readonly string[];
  /** Names that make git run something; they need not exist. */
  readonly protected: readonly string[];
}

/**
 * Where the repository of a workspace keeps its data. A `.git` file is followed only where the directory it names
 * points back at it: else a file in a downloaded folder could open any directory for writing.
 */
export async function gitDirectories(workspace: string): Promise<GitDirectories> {
  const marker = joinPath(workspace, ".git");
  const kind = await kindAt(marker);
  if (kind === undefined || kind === "directory") {
    return { writable: [], protected: await runnable(marker) };
  }
  const own = kind === "file" ? await namedDirectory(marker) : undefined;
  if (own === undefined || !(await pointsBack(own, marker))) {
    return { writable: [], protected: [marker] };
  }
  const common = (await commonDirectory(own)) ?? own;
  const below = isWithin(workspace, common) ? [] : [common];
  return {
    writable: isWithin(common, own) ? below : [...below, own],
    protected: [
      marker,
      ...(await runnable(common)),
      ...["commondir", "gitdir", "config", "config.worktree", "hooks"].map((name) =>
        joinPath(own, name),
      ),
    ],
  };
}

async function runnable(directory: string): Promise<readonly string[]> {
  const modules = joinPath(directory, "modules");
  const names = await readdir(modules).catch((): string[] => []);
  const repositories = [directory, ...names.map((name) => joinPath(modules, name))];
  return repositories.flatMap((repository) =>
    ["hooks", "config", "config.worktree", "commondir", "info/attributes"].map((name) =>
      joinPath(repository, name),
    ),
  );
}

async function namedDirectory(marker: string): Promise<string | undefined> {
  const text = await textOf(marker);
  const named = /^gitdir: (.+)$/mu.exec(text)?.[1]?.trim();
  if (named === undefined) return undefined;
  const real = await resolved(joinPath(parentPath(marker), named));
  return real?.kind === "directory" ? real.path : undefined;
}

/** A worktree's directory holds the path of its `.git` file; a submodule's configuration the path of its folder. */
async function pointsBack(directory: string, marker: string): Promise<boolean> {
  if ((await kindAt(joinPath(directory, "HEAD"))) !== "file") return false;
  const back = (await textOf(joinPath(directory, "gitdir"))).trim();
  if (back !== "" && (await resolved(joinPath(directory, back)))?.path === marker) return true;
  const worktree = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/mu.exec(
    await textOf(joinPath(directory, "config")),
  )?.[1];
  if (worktree === undefined) return false;
  return (await resolved(joinPath(directory, worktree)))?.path === parentPath(marker);
}

async function commonDirectory(directory: string): Promise<string | undefined> {
  const named = (await textOf(joinPath(directory, "commondir"))).trim();
  if (named === "") return undefined;
  const real = await resolved(joinPath(directory, named));
  // Git keeps that of a worktree just there. In one that a program has made any folder around it may be named.
  if (real === undefined || parentPath(directory) !== joinPath(real.path, "worktrees")) return;
  return (await kindAt(joinPath(real.path, "HEAD"))) === "file" ? real.path : undefined;
}

async function textOf(path: string): Promise<string> {
  return await readFile(path, "utf8").catch(() => "");
}

/** Where a link leads, as it is written. */
export async function linkText(path: string): Promise<string> {
  return await readlink(path).catch(() => "");
}
