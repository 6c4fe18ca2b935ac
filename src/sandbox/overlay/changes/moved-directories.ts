import { chmodSync, lchownSync, type BigIntStats } from "node:fs";
import type { FoundChanges } from "./add-found.ts";
import type { OverlayLayers } from "./overlay-layers.ts";
import { namesIn, statOf } from "./tree-names.ts";

/**
 * Whether a directory of the upper layer shows one of the real tree that is at another path. It has the inode number of
 * the real one that it shows, or its own if it shows none.
 */
export function wasMoved(
  { merged, keepsLinks }: Pick<OverlayLayers, "merged" | "keepsLinks">,
  { at, own, real }: { at: string; own: BigIntStats; real: BigIntStats | undefined },
): boolean {
  if (!keepsLinks) return false;
  const shown = statOf(merged + at);
  return shown !== undefined && shown.ino !== own.ino && shown.ino !== real?.ino;
}

/**
 * Makes the kernel copy everything that a moved directory shows of the real tree to the upper layer, with all
 * attributes: setting the mode or owner that an entry already has triggers the copy.
 */
export async function takeOver(
  layers: Pick<OverlayLayers, "merged" | "upper">,
  at: string,
  found: Pick<FoundChanges, "pace">,
): Promise<void> {
  const shown = layers.merged + at;
  for (const [name, kind] of namesIn(shown).names) {
    await found.pace();
    const path = `${shown}/${name}`;
    const below = `${at}/${name}`;
    if (statOf(layers.upper + below) === undefined) {
      const stat = statOf(path);
      if (stat === undefined) continue;
      if (stat.isSymbolicLink()) lchownSync(path, Number(stat.uid), Number(stat.gid));
      else chmodSync(path, Number(stat.mode & 0o7777n));
    }
    if (kind === "directory") await takeOver(layers, below, found);
  }
}
