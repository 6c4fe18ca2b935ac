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
  const indexed = layers.keepsLinks ? await indexedFiles(layers.index) : [];
  for (const group of Map.groupBy(files, ({ own }) => own.ino).values()) {
    if (!isGroupChanged(search, { group, indexed })) continue;
    for (const { path, source, own } of group) {
      found.change(path, fileEntry(source, own));
    }
  }
  if (indexed.length > 0) await tellOtherNames(search, indexed);
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

/** The upper layer has only the name that was used; the others show the new content all the same. */
async function tellOtherNames(
  { layers, found, files }: Search,
  indexed: readonly LookedAt[],
): Promise<void> {
  const told = new Set(files.map(({ at }) => at));
  const named = await filesWithNames(layers, "");
  await mkdir(layers.extra);
  let count = 0;
  for (const names of Map.groupBy(named, ({ stat }) => stat.ino).values()) {
    let isChanged = false;
    for (const { at, stat } of names) {
      const path = layers.root + at;
      const merged = await statOf(layers.merged + at);
      // What was replaced or removed is another file by now, or none.
      if (merged?.ino !== stat.ino) continue;
      const copy = await copyOf({ path: layers.merged + at, stat: merged }, indexed);
      if (copy === undefined || (await isSameFile({ path, stat }, copy))) continue;
      isChanged = true;
      if (told.has(at)) continue;
      count += 1;
      const source = `${layers.extra}/${count}`;
      await link(copy.path, source);
      found.change(path, fileEntry(source, copy.stat));
    }
    const [first] = names;
    if (isChanged && first !== undefined && first.stat.nlink > BigInt(names.length)) {
      found.refuse(layers.root + first.at, "Names of this file outside keep what they hold.");
    }
  }
}

/** Regular files of the real tree that have more than one name. */
async function filesWithNames(
  layers: OverlayLayers,
  at: string,
): Promise<readonly { readonly at: string; readonly stat: BigIntStats }[]> {
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
