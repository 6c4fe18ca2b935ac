import type { FoundChanges } from "./found-changes.ts";
import { isForbidden, namesIn, type NameKind, type TreeNames } from "./tree-names.ts";

/**
 * Names a removed path of the real tree and everything below it. Answers false, and leaves the path out, where it holds
 * something that could not be brought back: that stays, and so do the directories it is in.
 */
export async function removeTree(
  found: FoundChanges,
  { path, kind }: { readonly path: string; readonly kind: NameKind },
): Promise<boolean> {
  await found.pace();
  if (kind === "other") {
    found.refuse(path, "A removed socket, pipe or device could not be brought back.");
    return false;
  }
  if (kind === "directory" && !(await removeBelow(found, path))) {
    found.refuse(path, "It holds something that cannot be removed here.");
    return false;
  }
  found.change(path, { kind: "absent" });
  return true;
}

/** All that is in a directory of the real tree. */
export async function removeBelow(found: FoundChanges, directory: string): Promise<boolean> {
  const listed = listedNames(directory);
  if (listed === undefined) return false;
  let isWhole = listed.unreadable.length === 0;
  for (const name of listed.unreadable) {
    found.refuse(`${directory}/${name}`, "Its name is no text, so it could not be brought back.");
  }
  for (const [name, kind] of listed.names) {
    const isRemoved = await removeTree(found, { path: `${directory}/${name}`, kind });
    isWhole = isWhole && isRemoved;
  }
  return isWhole;
}

/** A directory that cannot be listed may hold anything. */
function listedNames(directory: string): TreeNames | undefined {
  try {
    return namesIn(directory);
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
