import type { FoundChanges } from "./change-set.ts";
import { isForbidden, namesIn, type NameKind } from "./tree-names.ts";

/**
 * Names a removed path of the real tree and everything below it. Answers false, and leaves the path out, where it holds
 * something that could not be brought back: that stays, and so do the directories it is in.
 */
export async function removeTree(
  found: FoundChanges,
  { path, kind }: { readonly path: string; readonly kind: NameKind },
): Promise<boolean> {
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
  const { names, unreadable } = await namesIn(directory).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
    return closed;
  });
  for (const name of unreadable) {
    found.refuse(`${directory}/${name}`, "Its name is no text, so it could not be brought back.");
  }
  const removed = await Promise.all(
    [...names].map(
      async ([name, kind]) => await removeTree(found, { path: `${directory}/${name}`, kind }),
    ),
  );
  return names !== closed.names && unreadable.length === 0 && removed.every(Boolean);
}

/** A directory that cannot be listed may hold anything. */
const closed = { names: new Map<string, NameKind>(), unreadable: [] };
