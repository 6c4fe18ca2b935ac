import { existsSync, linkSync, mkdtempSync, type BigIntStats } from "node:fs";
import type { StagedEntry } from "../../../core/index.ts";
import type { FoundChanges } from "./add-found.ts";
import type { OverlayLayers } from "./overlay-layers.ts";
import { isSameFile, type LookedAt } from "./same-file.ts";
import { namesIn, statOf } from "./tree-names.ts";

/** Regular file of the upper layer. */
export interface WrittenFile {
  readonly path: string;
  /** Path below the root, with a leading slash. */
  readonly at: string;
  /** Inode number of the file, the same for all its names. */
  readonly number: bigint;
  readonly names: bigint;
  /** Regular file at the same path of the real tree. */
  readonly real: { readonly number: bigint; readonly names: bigint } | undefined;
  readonly entry: StagedEntry;
  readonly isChanged: boolean;
}

interface Search {
  readonly layers: OverlayLayers;
  readonly found: FoundChanges;
  readonly files: readonly WrittenFile[];
}

/**
 * Reports the files that were written. Files that are one file under several names are reported together, with sources
 * that are one file too, so that moving the sources keeps them linked.
 */
export async function linkedChanges(search: Search): Promise<void> {
  const { layers, found, files } = search;
  const told = new Set<string>();
  const indexed = layers.keepsLinks ? indexedFiles(layers.index) : [];
  for (const group of Map.groupBy(files, ({ number }) => number).values()) {
    if (!isGroupChanged(search, { group, indexed })) continue;
    for (const { at, path, entry } of group) {
      told.add(at);
      found.change(path, entry);
    }
  }
  if (indexed.length > 0) await tellOtherNames(search, { indexed, told });
  if (!layers.keepsLinks) {
    for (const { path, names, real, isChanged } of files) {
      if (isChanged && names === 1n && real !== undefined && real.names > 1n) {
        found.refuse(path, "The other names of this file keep what they hold.");
      }
    }
  }
}

/** Whether a file changed, including changes of its set of names only. */
function isGroupChanged(
  { layers }: Search,
  {
    group,
    indexed,
  }: { readonly group: readonly WrittenFile[]; readonly indexed: readonly LookedAt[] },
): boolean {
  const [first] = group;
  if (first === undefined || group.some(({ isChanged }) => isChanged)) return true;
  if (group.some(({ real }) => real?.number !== first.real?.number)) return true;
  const wasCopied = indexed.some(({ stat }) => stat.ino === first.number);
  return layers.keepsLinks && !wasCopied && first.real?.names !== BigInt(group.length);
}

/** Returns files of the real tree with several names that were opened for writing by one of them. */
function indexedFiles(index: string): readonly LookedAt[] {
  if (!existsSync(index)) return [];
  return [...namesIn(index).names.keys()].flatMap((name) => {
    const path = `${index}/${name}`;
    const stat = statOf(path);
    return stat?.isFile() === true ? [{ path, stat }] : [];
  });
}

/**
 * Reports the names that are not in the upper layer: it has only those that were used, but the others show the new
 * content too.
 */
async function tellOtherNames(
  { layers, found, files }: Search,
  { indexed, told }: { readonly indexed: readonly LookedAt[]; readonly told: ReadonlySet<string> },
): Promise<void> {
  const used = usedCopies({ layers, files, indexed });
  const unused = indexed.filter((copy) => ![...used.values()].includes(copy));
  const extra = mkdtempSync(layers.extra);
  let count = 0;
  const named = await filesWithNames({ layers, found }, "");
  for (const [number, names] of Map.groupBy(named, ({ stat }) => stat.ino)) {
    const shown = shownNames(layers, names);
    const [first] = shown;
    if (first === undefined) continue;
    const copy = used.get(number) ?? (await copyOf(first.merged, unused));
    if (copy === undefined) continue;
    const isTold = files.some(({ at, number: own }) => own === copy.stat.ino && told.has(at));
    if (!isTold && (await isSameFile(first.real, copy))) continue;
    for (const { at, real } of shown) {
      if (told.has(at)) continue;
      count += 1;
      const source = `${extra}/${count}`;
      linkSync(copy.path, source);
      found.change(real.path, fileEntry(source, copy.stat));
    }
    if (first.real.stat.nlink > BigInt(names.length)) {
      found.refuse(first.real.path, "Names of this file outside keep what they hold.");
    }
  }
}

/** Returns the copies that have a name in the upper layer, by the inode number of the original. */
function usedCopies({
  layers,
  files,
  indexed,
}: Omit<Search, "found"> & { readonly indexed: readonly LookedAt[] }): ReadonlyMap<
  bigint,
  LookedAt
> {
  const used = new Map<bigint, LookedAt>();
  for (const copy of indexed) {
    const file = files.find(({ number }) => number === copy.stat.ino);
    const merged = file === undefined ? undefined : statOf(layers.merged + file.at);
    if (merged !== undefined) used.set(merged.ino, copy);
  }
  return used;
}

interface NamedFile {
  readonly at: string;
  readonly stat: BigIntStats;
}

/** Returns the names that still refer to the same file. */
function shownNames(
  layers: OverlayLayers,
  names: readonly NamedFile[],
): readonly { readonly at: string; readonly real: LookedAt; readonly merged: LookedAt }[] {
  return names.flatMap(({ at, stat }) => {
    const merged = { path: layers.merged + at, stat: statOf(layers.merged + at) };
    if (merged.stat?.ino !== stat.ino) return [];
    const real = { path: layers.root + at, stat };
    return [{ at, real, merged: { path: merged.path, stat: merged.stat } }];
  });
}

/** Returns regular files of the real tree that have more than one name. */
async function filesWithNames(
  walk: Pick<Search, "layers" | "found">,
  at: string,
): Promise<readonly NamedFile[]> {
  const { layers, found } = walk;
  if (layers.through.has(layers.root + at)) return [];
  const named: NamedFile[] = [];
  for (const [name, kind] of namesIn(layers.root + at).names) {
    const below = `${at}/${name}`;
    await found.pace();
    if (kind === "directory") named.push(...(await filesWithNames(walk, below)));
    else if (kind === "file") {
      const stat = statOf(layers.root + below);
      if (stat !== undefined && stat.nlink > 1n) named.push({ at: below, stat });
    }
  }
  return named;
}

/** Returns the copy that overlayfs stores of a file it shows. */
async function copyOf(
  shown: LookedAt,
  indexed: readonly LookedAt[],
): Promise<LookedAt | undefined> {
  for (const entry of indexed) {
    if (await isSameFile(shown, entry)) return entry;
  }
  return undefined;
}

/** Describes a file in the staging directory. */
export function fileEntry(source: string, stat: BigIntStats): StagedEntry {
  return {
    kind: "file",
    source,
    size: Number(stat.size),
    mode: Number(stat.mode & 0o7777n),
    mtimeMs: Number(stat.mtimeNs) / 1e6,
  };
}
