import { lstatSync, type Stats } from "node:fs";
import { isOwnedByRoot } from "../../programs/index.ts";

/** Group of macOS whose members are administrators; Homebrew gives it its directories. */
const macAdministrators = 80;
const groupWrite = 0o020;
const othersWrite = 0o002;
const sticky = 0o1000;

/**
 * Whether users other than root and this one can put a program into a directory, given by its canonical path, or replace
 * a directory on the way to it. A group may write where root gave it the directory or nobody else is in it: the group
 * of the same number as the user.
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
    // In a sticky directory others cannot replace what is there, but they can add to it.
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
