import { lstatSync, type Stats } from "node:fs";
import { isOwnedByRoot } from "../../programs/index.ts";

/** Group of administrators on macOS, which owns Homebrew's directories. */
const macAdministrators = 80;
const groupWrite = 0o020;
const othersWrite = 0o002;
const sticky = 0o1000;

/**
 * Whether users other than root and the current one can add a program to a directory, given by its canonical path, or
 * replace a directory on the way to it. A group may write if root assigned it to the directory, or if only the user is
 * in it: the group with the same number as the user.
 */
export function isWritableByOthers(directory: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return false;
  for (let path = directory; ; path = path.slice(0, path.lastIndexOf("/"))) {
    const stat = statAt(path === "" ? "/" : path);
    if (stat === undefined) return true;
    const { uid, gid, mode } = stat;
    const isOfRoot = isOwnedByRoot(uid);
    if (!isOfRoot && uid !== user) return true;
    // In a sticky directory other users cannot replace entries, but they can add some.
    const isHeld = (mode & sticky) !== 0 && path !== directory;
    const isOwnGroup = gid === uid || (process.platform === "darwin" && gid === macAdministrators);
    const isGroups = (mode & groupWrite) !== 0 && !isOfRoot && !isOwnGroup;
    if (!isHeld && ((mode & othersWrite) !== 0 || isGroups)) return true;
    if (path === "" || path === "/") return false;
  }
}

function statAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
