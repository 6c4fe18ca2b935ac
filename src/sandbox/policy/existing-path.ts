import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { baseName, parentPath } from "../../text/index.ts";
import type { ExistingPath } from "./policy.ts";

/**
 * Returns the kind of a path without following links; "other" for sockets, devices and pipes. Synchronous: a policy
 * needs hundreds of paths before each command, and waiting for each would take ten times as long as the call.
 */
export function kindAt(path: string): "file" | "directory" | "link" | "other" | undefined {
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
export function resolved(path: string): ExistingPath | undefined {
  if (kindAt(path) === undefined) return undefined;
  try {
    const real = realpathSync.native(path);
    const kind = kindAt(real);
    if (kind === undefined || kind === "link") return undefined;
    return { path: real, kind: kind === "directory" ? "directory" : "file" };
  } catch {
    return undefined;
  }
}

/** Returns the target of a link as written. */
export function linkText(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
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
