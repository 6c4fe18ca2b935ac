import { lstatSync, realpathSync } from "node:fs";
import { baseName, parentPath } from "../../text/index.ts";
import type { ExistingPath } from "./policy.ts";

/**
 * Returns the kind of a path without following links; "other" for sockets, devices and pipes. Synchronous inside: a
 * policy needs a hundred paths before each command, and waiting for each would take ten times as long as the call.
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

/** Resolves every link of a path to a file or directory; undefined if it leads nowhere. */
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

/** Resolves the links of a path, even if nothing exists at the path yet. */
export function leads(path: string): string {
  for (let at = path, rest = ""; at !== "/"; at = parentPath(at)) {
    try {
      return realpathSync(at) + rest;
    } catch {
      rest = `/${baseName(at)}${rest}`;
    }
  }
  return path;
}
