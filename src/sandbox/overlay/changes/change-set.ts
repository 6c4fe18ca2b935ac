import { isUtf8 } from "node:buffer";
import { chmodSync, readlinkSync, type BigIntStats } from "node:fs";
import type { StagedChange } from "../../../core/index.ts";
import { fileEntry, linkedChanges, type WrittenFile } from "./hard-links.ts";
import type { FoundChanges } from "./add-found.ts";
import type { OverlayLayers } from "./overlay-layers.ts";
import { takeOver, wasMoved } from "./moved-directories.ts";
import { pacer } from "../../../text/index.ts";
import { removeBelow, removeTree } from "./removed-tree.ts";
import { isSameFile } from "./same-file.ts";
import { isForbidden, namesIn, statOf, type TreeNames } from "./tree-names.ts";

export interface ChangeSet {
  readonly changes: readonly StagedChange[];
  readonly refused: readonly { readonly path: string; readonly because: string }[];
}

/** Path below the root: `""`, or with a leading slash. */
interface Place {
  readonly at: string;
  /** Whether entries of the real directory are visible in the merged one. */
  readonly showsReal: boolean;
}

/** Compares what was written with the real tree as it is now. No program may still write. */
export async function changeSet(layers: OverlayLayers): Promise<ChangeSet> {
  const changes: StagedChange[] = [];
  const refused: { path: string; because: string }[] = [];
  const files: WrittenFile[] = [];
  const found: FoundChanges = {
    change: (path, to) => changes.push({ path, to }),
    refuse: (path, because) => refused.push({ path, because }),
    pace: pacer(),
  };
  await visitDirectory({ layers, found, files }, { at: "", showsReal: true });
  await linkedChanges({ layers, found, files });
  return { changes: changes.toSorted(byPath), refused: refused.toSorted(byPath) };
}

interface Walk {
  readonly layers: OverlayLayers;
  readonly found: FoundChanges;
  /** Regular files, reported at the end, when all names of each are known. */
  readonly files: WrittenFile[];
}

async function visitDirectory(walk: Walk, { at, showsReal }: Place): Promise<void> {
  const { layers, found } = walk;
  const path = layers.root + at;
  const own = statOf(layers.upper + at);
  const real = statOf(path);
  if (own === undefined) return;
  if (real !== undefined && !isDirectory(real) && isOdd(real)) {
    found.refuse(path, oddReason);
    return;
  }
  if (at !== "" && wasMoved(layers, { at, own, real })) await takeOver(layers, at, found);
  const written = openedNames(layers, { directory: layers.upper + at, mode: own.mode });
  const mode = layers.opened.get(layers.upper + at) ?? own.mode;
  tellDirectory(found, { path, own, real, mode, isAsMade: at === "" && isOurs(own) });

  const kept = isDirectory(real) ? namesIn(path) : none;
  for (const name of written.unreadable) {
    found.refuse(`${path}/${name}`, "Its name is not text, so no path leads to it.");
  }
  // A directory that was replaced hides all entries of the real one, any other hides none.
  const hidden = [...kept.names].filter(([name]) => !written.names.has(name));
  const isMerged =
    showsReal &&
    (hidden.length === 0 ||
      hidden.some(([name]) => statOf(`${layers.merged + at}/${name}`) !== undefined));
  if (!isMerged) {
    for (const [name, kind] of hidden) {
      await removeTree(found, { path: `${path}/${name}`, kind });
    }
  }
  for (const name of written.names.keys()) {
    const below = `${at}/${name}`;
    if (layers.through.has(layers.root + below)) continue;
    await found.pace();
    await visit(walk, { at: below, showsReal: isMerged });
  }
}

/** Opens a directory that a command made unreadable, and leaves it open: its entries have to be moved out. */
function openedNames(
  { opened }: OverlayLayers,
  { directory, mode }: { readonly directory: string; readonly mode: bigint },
): TreeNames {
  if ((mode & 0o700n) !== 0o700n) {
    opened.set(directory, mode);
    chmodSync(directory, Number((mode & 0o7777n) | 0o700n));
  }
  return namesIn(directory);
}

const none = { names: new Map<string, never>(), unreadable: [] };

async function visit(walk: Walk, place: Place): Promise<void> {
  try {
    await visitOpen(walk, place);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    walk.found.refuse(walk.layers.root + place.at, "It, or what is in its place, is closed to us.");
  }
}

async function visitOpen(walk: Walk, place: Place): Promise<void> {
  const { layers, found, files } = walk;
  const path = layers.root + place.at;
  const source = layers.upper + place.at;
  const own = statOf(source);
  const real = statOf(path);
  if (own === undefined) return;
  if (isDirectory(own)) {
    await visitDirectory(walk, place);
    return;
  }
  if (isRemoval(own, layers.merged + place.at)) {
    if (real !== undefined) await removeTree(found, { path, kind: kindOf(real) });
    return;
  }
  if (isOdd(own) || (real !== undefined && isOdd(real))) {
    found.refuse(path, oddReason);
    return;
  }
  if (isDirectory(real) && !(await removeBelow(found, path))) {
    found.refuse(path, "The directory in its place holds something that cannot be removed here.");
    return;
  }
  if (own.isSymbolicLink()) {
    const target = readlinkSync(source, "buffer");
    const isSame = real?.isSymbolicLink() === true && readlinkSync(path, "buffer").equals(target);
    if (isSame) return;
    if (isUtf8(target)) found.change(path, { kind: "symlink", target: target.toString() });
    else found.refuse(path, "Its target is not text, so the link cannot be created.");
    return;
  }
  const isChanged =
    real?.isFile() !== true ||
    !(await isSameFile({ path, stat: real }, { path: source, stat: own }));
  files.push({
    path,
    at: place.at,
    number: own.ino,
    names: own.nlink,
    real: real?.isFile() === true ? { number: real.ino, names: real.nlink } : undefined,
    entry: fileEntry(source, own),
    isChanged,
  });
}

const oddReason = "A socket, a pipe or a device is not carried over.";

function tellDirectory(
  found: FoundChanges,
  {
    path,
    own,
    real,
    mode,
    isAsMade,
  }: {
    path: string;
    own: BigIntStats;
    real: BigIntStats | undefined;
    mode: bigint;
    /** The owner is the user who created the layer, not the choice of a command. */
    isAsMade: boolean;
  },
): void {
  const before = isDirectory(real) ? real : undefined;
  const bits = permissions(mode);
  if (before === undefined || permissions(before.mode) !== bits) {
    found.change(path, { kind: "directory", mode: bits });
  }
  const owner = before?.uid ?? BigInt(process.getuid?.() ?? 0);
  if (isAsMade) return;
  if (own.uid !== owner || (before !== undefined && own.gid !== before.gid)) {
    found.refuse(path, "The owner of a directory is not carried over.");
  }
}

/**
 * Whether an entry has the owner of this process. Only root can give a layer the owner of the real entry; for any other
 * user all entries have their own.
 */
function isOurs({ uid, gid }: BigIntStats): boolean {
  const user = process.getuid?.() ?? 0;
  return user !== 0 && uid === BigInt(user) && gid === BigInt(process.getgid?.() ?? 0);
}

/** Whether an entry represents a removal: a device with number 0, or an empty file that overlayfs does not show. */
function isRemoval(own: BigIntStats, merged: string): boolean {
  if (own.isCharacterDevice()) return own.rdev === 0n;
  return own.isFile() && own.size === 0n && statOf(merged) === undefined;
}

function isDirectory(stat: BigIntStats | undefined): boolean {
  return stat?.isDirectory() === true;
}

function isOdd(stat: BigIntStats): boolean {
  return kindOf(stat) === "other";
}

function kindOf(stat: BigIntStats): "file" | "directory" | "link" | "other" {
  if (stat.isDirectory()) return "directory";
  if (stat.isSymbolicLink()) return "link";
  return stat.isFile() ? "file" : "other";
}

function permissions(mode: bigint): number {
  return Number(mode & 0o7777n);
}

function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : Number(left.path > right.path);
}
