import { chmodSync, utimesSync } from "node:fs";
import { fileError, rethrowFileError } from "../file-error.ts";
import { openNode, kindOf, type HeldNode } from "../open-path.ts";

/** Sets the permission bits of a file or directory, never of the target of a link. */
export function changeMode(path: string, mode: number): void {
  changeNode(path, (held) => chmodSync(held.path, mode));
}

/** Sets the modification time of a file or directory and preserves its access time. */
export function changeModified(path: string, mtimeMs: number): void {
  changeNode(path, (held) => {
    // Adds half a microsecond, because seconds as a floating-point number are slightly too small.
    const seconds = (Math.round(mtimeMs * 1000) + 0.5) / 1_000_000;
    utimesSync(held.path, Number(held.stats.atimeNs) / 1_000_000_000, seconds);
  });
}

function changeNode(path: string, change: (held: HeldNode) => void): void {
  const held = openNode(path);
  try {
    const kind = kindOf(held.stats);
    if (kind === "symlink") throw fileError("ELOOP", path);
    if (kind !== "file" && kind !== "directory") throw fileError("ENODEV", path);
    change(held);
  } catch (error) {
    rethrowFileError(error, path);
  } finally {
    held.close();
  }
}
