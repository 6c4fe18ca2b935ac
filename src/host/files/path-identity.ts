import { lstatSync, readFileSync, realpathSync, statfsSync, statSync, type Stats } from "node:fs";

/** State of a path, or of the target if it is a link. */
export interface Standing {
  /**
   * Unique among all nodes that were ever at the path; undefined if a link leads nowhere or the path cannot be read.
   */
  readonly identity: string | undefined;
  /**
   * Whether the node may be replaced without a change of the directory's stamp: a link, or a path that cannot be read
   * now.
   */
  readonly isApart: boolean;
}

/** Stamp of a directory, which changes whenever an entry is added, removed or replaced. */
export interface FolderStamp {
  readonly text: string;
  /** Time of the last change of the directory or its entries, in nanoseconds; no process can set it. */
  readonly changedNs: bigint;
}

/** Time of an inspection and the mounts at that time. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Minimum and maximum lead of the wall clock over the monotonic clock, in milliseconds. */
  readonly ahead: { readonly least: number; readonly most: number };
  /** Undefined if the mounts cannot be read. */
  readonly mounts: string | undefined;
}

/** Access to the paths, directories and mounts of this machine. */
export interface Looking {
  /** Undefined if there is nothing at the path. */
  at(path: string): Standing | undefined;
  /** Undefined if there is no such directory. */
  folder(path: string): FolderStamp | undefined;
  /** Whether every change of an entry of this directory shows in its stamp or in the mounts. */
  isReliable(path: string): boolean;
  moment(): Moment;
}

/**
 * File systems whose directories take their times from this machine's clock and change only through this kernel.
 * Network, FUSE and overlay file systems do not qualify.
 */
const localFileSystems: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x9123683e, // btrfs
  0x58465342, // xfs
  0xf2f52010, // f2fs
  0x01021994, // tmpfs
]);

export const lookHere: Looking = {
  at(path) {
    try {
      const own = lstatSync(path, { throwIfNoEntry: false });
      if (own?.isSymbolicLink() !== true)
        return own && { identity: identityOf(own), isApart: false };
      const found = statSync(path, { throwIfNoEntry: false });
      return { identity: found && identityOf(found), isApart: true };
    } catch {
      return { identity: undefined, isApart: true };
    }
  },
  folder(path) {
    try {
      const found = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (found?.isDirectory() !== true) return undefined;
      const { dev, ino, birthtimeNs, mtimeNs, ctimeNs } = found;
      const text = [dev, ino, birthtimeNs, mtimeNs, ctimeNs].join(":");
      return { text, changedNs: ctimeNs };
    } catch {
      return undefined;
    }
  },
  isReliable(path) {
    try {
      // The mount table lists real paths.
      return realpathSync.native(path) === path && localFileSystems.has(statfsSync(path).type);
    } catch {
      return false;
    }
  },
  moment() {
    const mounts = mountTable();
    const before = performance.now();
    const now = Date.now();
    return { now, ahead: { least: now - performance.now(), most: now - before }, mounts };
  },
};

/**
 * Identity of a node. It includes the creation time, because inode numbers are reused. Where the file system stores no
 * creation time, a changed file counts as another one; a directory does not, because it changes with each entry added.
 */
export function identityOf(
  found: Pick<Stats, "dev" | "ino" | "birthtimeMs" | "ctimeMs" | "isDirectory">,
): string {
  const { dev, ino, birthtimeMs, ctimeMs } = found;
  const made = birthtimeMs > 0 || found.isDirectory() ? birthtimeMs : `changed ${ctimeMs}`;
  return `${dev}:${ino}:${made}`;
}

function mountTable(): string | undefined {
  try {
    return readFileSync("/proc/self/mountinfo", "latin1");
  } catch {
    return undefined;
  }
}

/** Mount points listed in a mount table. */
export function mountPoints(mounts: string): ReadonlySet<string> {
  const points = mounts.split("\n").map((line) => line.split(" ")[4] ?? "");
  return new Set(points.map(unescaped));
}

/** Decodes a mount point: blanks and similar characters are octal escapes, other bytes are literal. */
function unescaped(point: string): string {
  const bytes = point.replaceAll(/\\([0-7]{3})/gu, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, "latin1").toString();
}
