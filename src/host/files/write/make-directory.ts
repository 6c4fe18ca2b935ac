import { chmodSync, mkdirSync } from "node:fs";
import { baseName, parentPath } from "../../../text/index.ts";
import { ToolError } from "../../../core/index.ts";
import { errnoOf, fileError } from "../file-error.ts";
import { holdEntry, openNode, holdParent, statsAt, type HeldNode } from "../open-path.ts";

/**
 * Creates a directory and its missing parents. The mode applies only to the last one; existing directories are
 * unchanged.
 */
export function makeDirectory(path: string, mode: number | undefined): void {
  const existing = directoryAt(path);
  if (existing === true) return;
  if (existing === false) throw fileError("EEXIST", path);
  const above = parentPath(path);
  if (directoryAt(above) === undefined) makeDirectory(above, undefined);
  const { parent, at } = holdParent(path);
  try {
    mkdirSync(at);
    if (mode !== undefined) setMode(parent, baseName(path), mode);
  } catch (error) {
    // Another process may have created it at the same time.
    if (errnoOf(error) !== "EEXIST" || statsAt(at)?.isDirectory() !== true) throw error;
  } finally {
    parent.close();
  }
}

/** Sets exactly this mode, regardless of the umask, and never on the target of a link. */
function setMode(parent: HeldNode, name: string, mode: number): void {
  const made = holdEntry(parent, name);
  try {
    if (made.stats.isDirectory()) chmodSync(made.path, mode);
  } finally {
    made.close();
  }
}

/** Whether the entry at a path is a directory; undefined if there is no entry. */
function directoryAt(path: string): boolean | undefined {
  try {
    const held = openNode(path);
    held.close();
    if (held.stats.isSymbolicLink()) throw fileError("ELOOP", path);
    return held.stats.isDirectory();
  } catch (error) {
    if (ToolError.is(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
