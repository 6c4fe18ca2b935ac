import type { FoundChanges } from "./add-found.ts";
import { isForbidden, namesIn, type NameKind, type TreeNames } from "./tree-names.ts";

/**
 * Reports the removal of a path of the real tree and everything below it. Returns false, and omits the path, if it
 * contains something that could not be restored: that stays, and so do the directories it is in.
 */
export async function removeTree(
  found: FoundChanges,
  { path, kind }: { readonly path: string; readonly kind: NameKind },
): Promise<boolean> {
  await found.pace();
  if (kind === "other") {
    found.refuse(path, "A removed socket, pipe or device could not be restored.");
    return false;
  }
  if (kind === "directory" && !(await removeBelow(found, path))) {
    found.refuse(path, "It holds something that cannot be removed here.");
    return false;
  }
  found.change(path, { kind: "absent" });
  return true;
}

/** Reports the removal of everything in a directory of the real tree. */
export async function removeBelow(found: FoundChanges, directory: string): Promise<boolean> {
  const listed = listedNames(directory);
  if (listed === undefined) return false;
  let isWhole = listed.unreadable.length === 0;
  for (const name of listed.unreadable) {
    found.refuse(`${directory}/${name}`, "Its name is not text, so it could not be restored.");
  }
  for (const [name, kind] of listed.names) {
    const isRemoved = await removeTree(found, { path: `${directory}/${name}`, kind });
    isWhole = isWhole && isRemoved;
  }
  return isWhole;
}

/** Lists a directory; undefined if it cannot be listed, since it may then contain anything. */
function listedNames(directory: string): TreeNames | undefined {
  try {
    return namesIn(directory);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
