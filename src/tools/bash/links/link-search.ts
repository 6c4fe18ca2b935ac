import { joinPath } from "../../../text/index.ts";
import { ToolError, type Host, type HostEntry } from "../../../core/index.ts";
import type { Reach } from "./reaches.ts";

/** Maximum number of entries inspected; beyond it, link targets are unknown. */
const maxEntries = 20_000;

export interface FoundLinks {
  /** Paths of the links. */
  readonly links: readonly FoundLink[];
  /** Why not all links were seen. */
  readonly obstacle?: string;
}

export interface FoundLink {
  readonly path: string;
  /** Whether only a link to a directory tells more than its own name. */
  readonly needsFolder: boolean;
}

/** Links below a canonical directory that a program reaches. */
export async function linksBelow(
  host: Host,
  root: string,
  reaches: readonly Reach[],
): Promise<FoundLinks> {
  const links: FoundLink[] = [];
  const depth = Math.max(...reaches.map((each) => each.depth));
  let folders = [root];
  let count = 0;
  for (let level = 0; level < depth && folders.length > 0; level++) {
    const below: string[] = [];
    for (const folder of folders) {
      const entries = await entriesOf(host, folder, maxEntries - count);
      if (entries === undefined) return { links, obstacle: `${folder} cannot be listed` };
      for (const { name, kind } of entries) {
        count++;
        if (count > maxEntries) {
          return { links, obstacle: "there are too many files to see where they lead" };
        }
        const path = joinPath(folder, name);
        if (kind === "directory") {
          if (reaches.some((reach) => goesInto(name, level, reach))) below.push(path);
        } else if (kind === "symlink") {
          const takers = reaches.filter((reach) => isTaken(name, level, reach));
          const needsFolder = takers.every((reach) => reach.needsFolder === true);
          if (takers.length > 0) links.push({ path, needsFolder });
        }
      }
    }
    folders = below;
  }
  return { links };
}

/** Places to which links lead, without files that are reached only where they are directories. */
export async function targetsOf(
  host: Host,
  links: readonly FoundLink[],
): Promise<ReadonlySet<string>> {
  const targets = new Set<string>();
  for (const { path, needsFolder } of links) {
    // A circular link has no target.
    const target = await host.fs.canonical(path).catch(() => path);
    if (!(needsFolder && (await isFile(host, target)))) targets.add(target);
  }
  return targets;
}

async function isFile(host: Host, path: string): Promise<boolean> {
  return await host.fs.stat(path).then(
    ({ kind }) => kind === "file",
    () => false,
  );
}

function goesInto(name: string, level: number, { without }: Reach): boolean {
  return !(without?.has(name) === true || (level === 0 && without?.has(`./${name}`) === true));
}

function isTaken(name: string, level: number, { depth, end, goesThrough }: Reach): boolean {
  if (goesThrough && level !== depth - 1) return level < depth;
  return name.toLowerCase().endsWith(end);
}

/**
 * Entries of a directory, one more than `most` at the most; undefined if it cannot be listed now, as the command may be
 * able to. A missing directory has none.
 */
async function entriesOf(
  host: Host,
  folder: string,
  most: number,
): Promise<readonly HostEntry[] | undefined> {
  const entries: HostEntry[] = [];
  try {
    for await (const entry of host.fs.list(folder)) {
      if (entries.push(entry) > most) break;
    }
  } catch (error) {
    return ToolError.is(error) && /^NOT_(?:FOUND|A_DIRECTORY)$/u.test(error.code) ? [] : undefined;
  }
  return entries;
}
