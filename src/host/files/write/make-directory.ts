import { chmodSync, mkdirSync } from "node:fs";
import { baseName, parentPath } from "../../../text/index.ts";
import { ToolError } from "../../../core/index.ts";
import { errnoOf, fileError } from "../file-error.ts";
import { holdEntry, holdNode, holdParent, statsAt, type HeldNode } from "../open-path.ts";

/** Makes a directory and those above it. A mode is given to the last one alone; what is there stays as it is. */
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
    // Someone else may have made it at the same time.
    if (errnoOf(error) !== "EEXIST" || statsAt(at)?.isDirectory() !== true) throw error;
  } finally {
    parent.close();
  }
}

/** Exactly this mode, whatever the umask; never that of what a link leads to. */
function setMode(parent: HeldNode, name: string, mode: number): void {
  const made = holdEntry(parent, name);
  try {
    if (made.stats.isDirectory()) chmodSync(made.path, mode);
  } finally {
    made.close();
  }
}

/** Whether a directory stands there; undefined where nothing does. */
function directoryAt(path: string): boolean | undefined {
  try {
    const held = holdNode(path);
    held.close();
    if (held.stats.isSymbolicLink()) throw fileError("ELOOP", path);
    return held.stats.isDirectory();
  } catch (error) {
    if (ToolError.is(error) && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}
