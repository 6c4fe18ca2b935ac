import { runningParts } from "../../core/index.ts";
import { foldName } from "./match-protected.ts";

/** Entries that make a directory with a `HEAD` a git directory, or that git runs or obeys in one. */
const parts: ReadonlySet<string> = new Set([
  "objects",
  "refs",
  ...(runningParts[".git"] ?? []).map((part) => part.split("/")[0] ?? part),
]);

/**
 * Directories in which this path is, or is in, a part of a git directory, if they are one: git takes any directory for
 * one that has a `HEAD` and these parts.
 */
export function gitDirectoriesAround(path: string): readonly string[] {
  const found: string[] = [];
  for (let at = path.indexOf("/", 1); at !== -1;) {
    const end = path.indexOf("/", at + 1);
    const name = path.slice(at + 1, end === -1 ? undefined : end);
    if (parts.has(foldName(name))) found.push(path.slice(0, at));
    at = end;
  }
  return found;
}

/** Whether a path has the name of the file that every git directory has. */
export function isGitHead(path: string): boolean {
  return foldName(path.slice(path.lastIndexOf("/") + 1)) === "head";
}
