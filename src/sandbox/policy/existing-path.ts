import { lstatSync, realpathSync } from "node:fs";
import type { ExistingPath } from "./policy.ts";

/**
 * What is at a path itself, links not followed; "other" for sockets, devices and pipes. A policy asks this for a
 * hundred paths before each command: waiting for each would take ten times as long as the asking.
 */
export async function kindAt(
  path: string,
): Promise<"file" | "directory" | "link" | "other" | undefined> {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (stat.isSymbolicLink()) return "link";
    if (stat.isDirectory()) return "directory";
    return stat.isFile() ? "file" : "other";
  } catch {
    return undefined;
  }
}

/** The file or directory a path leads to once every link is followed, or undefined when it leads nowhere. */
export async function resolved(path: string): Promise<ExistingPath | undefined> {
  if ((await kindAt(path)) === undefined) return undefined;
  try {
    const real = realpathSync.native(path);
    const kind = await kindAt(real);
    if (kind === undefined || kind === "link") return undefined;
    return { path: real, kind: kind === "directory" ? "directory" : "file" };
  } catch {
    return undefined;
  }
}
