import { existsSync, linkSync, mkdtempSync, type BigIntStats } from "node:fs";
import type { StagedEntry } from "../../../core/index.ts";
import type { FoundChanges } from "./found-changes.ts";
import type { OverlayLayers } from "./overlay-layers.ts";
import { isSameFile, type LookedAt } from "./same-file.ts";
import { namesIn, statOf } from "./tree-names.ts";

/** A regular file of the upper layer. */
export interface WrittenFile {
  readonly path: string;
  /** Below the root, with a slash in front. */
  readonly at: string;
  /** Of the file, whatever its names. */
  readonly number: bigint;
  readonly names: bigint;
  /** The regular file that is in its place. */
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
 * Tells the files that were written. Files that are one file under several names are told together, with sources that
 * are one file too, so that moving them keeps it that way.
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

/** Also where only the ties between names were changed. */
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

/** Files of the real tree with several names, that were opened for writing by one of them. */
function indexedFiles(index: string): readonly LookedAt[] {
  if (!existsSync(index)) return [];
  return [...namesIn(index).names.keys()].flatMap((name) => {
    const path = `${index}/${name}`;
    const stat = statOf(path);
    return stat?.isFile() === true ? [{ path, stat }] : [];
  });
}

/** The upper layer has only the names that were used; the others show the new content all the same. */
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

/** The copies that have a name in the upper layer, by the number of the file they are copies of. */
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

/** Names that still stand for the file they stood for. */
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

/** Regular files of the real tree that have more than one name. */
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

/** What overlayfs keeps of a file that it shows. */
async function copyOf(
  shown: LookedAt,
  indexed: readonly LookedAt[],
): Promise<LookedAt | undefined> {
  for (const entry of indexed) {
    if (await isSameFile(shown, entry)) return entry;
  }
  return undefined;
}

/** A file as it lies in the staging directory. */
export function fileEntry(source: string, stat: BigIntStats): StagedEntry {
  return {
    kind: "file",
    source,
    size: Number(stat.size),
    mode: Number(stat.mode & 0o7777n),
    mtimeMs: Number(stat.mtimeNs) / 1e6,
  };
}
