import { lstatSync, readFileSync, realpathSync, statfsSync, statSync, type Stats } from "node:fs";

/** What stands at a path, or what a link there leads to. */
export interface Standing {
  /** Of no other that ever stood there; undefined where a link leads nowhere, or nothing can be seen. */
  readonly identity: string | undefined;
  /** Whether another may stand there though its folder says the same: a link, or what cannot be seen now. */
  readonly isApart: boolean;
}

/** What a folder says of itself. Whatever is added to it, taken out or replaced, it says something else. */
export interface FolderStamp {
  readonly text: string;
  /** When it, or what is in it, last changed; nobody can set that. */
  readonly changedNs: bigint;
}

/** When somebody looked, and what was mounted then. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How far the clock is ahead of one that is never set, at least and at most. */
  readonly ahead: { readonly least: number; readonly most: number };
  /** Undefined where that is not known. */
  readonly mounts: string | undefined;
}

/** How a program looks at the machine it is on. */
export interface Looking {
  /** Undefined where nothing stands. */
  at(path: string): Standing | undefined;
  /** Undefined where there is none. */
  folder(path: string): FolderStamp | undefined;
  /** Whether what this folder says of itself, and what is mounted, is all that can change what stands in it. */
  isReliable(path: string): boolean;
  moment(): Moment;
}

/**
 * Of file systems whose folders keep their times by this machine's own clock, and change behind nobody's back: not those
 * of other machines, of programs, or of layers that lie on one another.
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
      // A mount is listed by where it really is.
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
 * With the time it was made, because the number of what was removed is given to the next. Where that is not kept, a file
 * that changed counts as another; a folder does not, which changes with whatever is put into it.
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

/** Where something is mounted, by the list that a moment has. */
export function mountPoints(mounts: string): ReadonlySet<string> {
  const points = mounts.split("\n").map((line) => line.split(" ")[4] ?? "");
  return new Set(points.map(unescaped));
}

/** Blanks and the like stand in it as numbers, and bytes as they are. */
function unescaped(point: string): string {
  const bytes = point.replaceAll(/\\([0-7]{3})/gu, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(bytes, "latin1").toString();
}
