import { link, mkdir, readdir } from "node:fs/promises";
import type { BigIntStats } from "node:fs";
import type { StagedEntry } from "../../core/index.ts";
import type { FoundChanges, OverlayLayers } from "./change-set.ts";
import { isSameFile, type LookedAt } from "./same-file.ts";
import { namesIn, statOf } from "./tree-names.ts";

/** A regular file of the upper layer. */
export interface WrittenFile {
  readonly path: string;
  /** Below the root, with a slash in front. */
  readonly at: string;
  readonly source: string;
  readonly own: BigIntStats;
  readonly real: BigIntStats | undefined;
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
  const indexed = layers.keepsLinks ? await indexedFiles(layers.index) : [];
  for (const group of Map.groupBy(files, ({ own }) => own.ino).values()) {
    if (!isGroupChanged(search, { group, indexed })) continue;
    for (const { at, path, source, own } of group) {
      told.add(at);
      found.change(path, fileEntry(source, own));
    }
  }
  if (indexed.length > 0) await tellOtherNames(search, { indexed, told });
  if (!layers.keepsLinks) {
    for (const { path, own, real, isChanged } of files) {
      if (isChanged && own.nlink === 1n && real?.isFile() === true && real.nlink > 1n) {
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
  if (group.some(({ real }) => real?.ino !== first.real?.ino)) return true;
  const wasCopied = indexed.some(({ stat }) => stat.ino === first.own.ino);
  return layers.keepsLinks && !wasCopied && first.real?.nlink !== BigInt(group.length);
}

/** Files of the real tree with several names, that were opened for writing by one of them. */
async function indexedFiles(index: string): Promise<readonly LookedAt[]> {
  const names = await readdir(index).catch((): string[] => []);
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = `${index}/${name}`;
      return { path, stat: await statOf(path) };
    }),
  );
  return entries.flatMap(({ path, stat }) => (stat?.isFile() === true ? [{ path, stat }] : []));
}

/** The upper layer has only the names that were used; the others show the new content all the same. */
async function tellOtherNames(
  { layers, found, files }: Search,
  { indexed, told }: { readonly indexed: readonly LookedAt[]; readonly told: ReadonlySet<string> },
): Promise<void> {
  const used = await usedCopies({ layers, files, indexed });
  const unused = indexed.filter((copy) => ![...used.values()].includes(copy));
  await mkdir(layers.extra);
  let count = 0;
  const named = await filesWithNames(layers, "");
  for (const [number, names] of Map.groupBy(named, ({ stat }) => stat.ino)) {
    const shown = await shownNames(layers, names);
    const [first] = shown;
    if (first === undefined) continue;
    const copy = used.get(number) ?? (await copyOf(first.merged, unused));
    if (copy === undefined) continue;
    const isTold = files.some(({ at, own }) => own.ino === copy.stat.ino && told.has(at));
    if (!isTold && (await isSameFile(first.real, copy))) continue;
    for (const { at, real } of shown) {
      if (told.has(at)) continue;
      count += 1;
      const source = `${layers.extra}/${count}`;
      await link(copy.path, source);
      found.change(real.path, fileEntry(source, copy.stat));
    }
    if (first.real.stat.nlink > BigInt(names.length)) {
      found.refuse(first.real.path, "Names of this file outside keep what they hold.");
    }
  }
}

/** The copies that have a name in the upper layer, by the number of the file they are copies of. */
async function usedCopies({
  layers,
  files,
  indexed,
}: Omit<Search, "found"> & { readonly indexed: readonly LookedAt[] }): Promise<
  ReadonlyMap<bigint, LookedAt>
> {
  const used = new Map<bigint, LookedAt>();
  for (const copy of indexed) {
    const file = files.find(({ own }) => own.ino === copy.stat.ino);
    const merged = file === undefined ? undefined : await statOf(layers.merged + file.at);
    if (merged !== undefined) used.set(merged.ino, copy);
  }
  return used;
}

interface NamedFile {
  readonly at: string;
  readonly stat: BigIntStats;
}

/** Names that still stand for the file they stood for. */
async function shownNames(
  layers: OverlayLayers,
  names: readonly NamedFile[],
): Promise<readonly { readonly at: string; readonly real: LookedAt; readonly merged: LookedAt }[]> {
  const shown = await Promise.all(
    names.map(async ({ at, stat }) => {
      const merged = await statOf(layers.merged + at);
      if (merged?.ino !== stat.ino) return [];
      const real = { path: layers.root + at, stat };
      return [{ at, real, merged: { path: layers.merged + at, stat: merged } }];
    }),
  );
  return shown.flat();
}

/** Regular files of the real tree that have more than one name. */
async function filesWithNames(layers: OverlayLayers, at: string): Promise<readonly NamedFile[]> {
  if (layers.through.has(layers.root + at)) return [];
  const { names } = await namesIn(layers.root + at);
  const found = await Promise.all(
    [...names].map(async ([name, kind]) => {
      const below = `${at}/${name}`;
      if (kind === "directory") return await filesWithNames(layers, below);
      const stat = kind === "file" ? await statOf(layers.root + below) : undefined;
      return stat !== undefined && stat.nlink > 1n ? [{ at: below, stat }] : [];
    }),
  );
  return found.flat();
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

function fileEntry(source: string, stat: BigIntStats): StagedEntry {
  return {
    kind: "file",
    source,
    size: Number(stat.size),
    mode: Number(stat.mode & 0o7777n),
    mtimeMs: Number(stat.mtimeNs) / 1e6,
  };
}
