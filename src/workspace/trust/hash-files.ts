import { ToolError, type Host, type HostStat } from "../../core/index.ts";
import { inBatches, isNotFound, isWithin, pathBelow } from "../../text/index.ts";

export interface HashOptions {
  readonly host: Pick<Host, "fs">;
  /** Canonical path. */
  readonly workspace: string;
  /** Whether content is read; otherwise files are only listed. */
  readonly of?: "name" | "content";
  /** Called with the text of each file whose name it wants, as it was hashed. */
  readonly onText?: FileReader;
}

/** Reader of the text of some files. Names are those by which a file is found, which may be those of links. */
export interface FileReader {
  wants(name: string): boolean;
  read(name: string, text: string): void;
}

/** Hashes by `trustName`. A map, because names come from the workspace: `__proto__` is one. */
export type FileHashes = ReadonlyMap<string, string>;

/** Takes the place of a hash for files that are too many or too large; it equals no hash, not even itself. */
export const unhashed = "too much";

/** Takes the place of the names of files that are too many to look up; it is always `unhashed`. */
export const tooManyFiles = "(files of commands that name too many)";

/** Limits of everything that trust covers: a link may lead to a whole disk. */
const maxFiles = 20_000;
const maxBytes = 268_435_456;

/** Name of a file in records: the path below the workspace, or the path itself where a link leads outside. */
export function trustName(workspace: string, path: string): string {
  return pathBelow(workspace, path) ?? path;
}

/** Whether two hashes are of the same content. */
export function isSameHash(one: string | undefined, other: string | undefined): boolean {
  return one === other && one !== unhashed;
}

type Entry = readonly [name: string, hash: string];

interface Walk extends HashOptions {
  /** Directories to which links in other directories led, so that links in a circle end. */
  readonly followed: Set<string>;
  /** Directories on the way to paths, each looked up once. */
  readonly directories: Map<string, Promise<WayTo>>;
  readonly used: { files: number; bytes: number };
}

/**
 * Hashes files, and every file of directories. Paths are below the workspace, or absolute. A link counts with its text
 * and with what it leads to, in the workspace or outside, also where it is a directory on the way.
 */
export async function hashFiles(
  paths: Iterable<string>,
  options: HashOptions,
): Promise<FileHashes> {
  const walk: Walk = {
    ...options,
    followed: new Set(),
    directories: new Map(),
    used: { files: 0, bytes: 0 },
  };
  const found = await inBatches([...new Set(paths)], async (path) => await hashPath(path, walk));
  return new Map(found.flat());
}

interface WayTo {
  /** Canonical; undefined if there is no such directory. */
  readonly directory: string | undefined;
  /** Links on the way. */
  readonly links: readonly Entry[];
}

async function hashPath(path: string, walk: Walk): Promise<readonly Entry[]> {
  if (path === tooManyFiles) return [[path, unhashed]];
  const { workspace } = walk;
  const full = path.startsWith("/") ? path : `${workspace}/${path}`;
  const cut = full.lastIndexOf("/");
  const { directory, links } = await wayTo(full.slice(0, cut), walk);
  if (directory === undefined) return links;
  const at = `${directory === "/" ? "" : directory}${full.slice(cut)}`;
  return [...links, ...(await hashEntry({ path: at, name: path, isRoot: true }, walk))];
}

/** Follows the links on the way to a directory; each counts. */
async function wayTo(directory: string, walk: Walk): Promise<WayTo> {
  const { host, workspace, directories } = walk;
  if (directory === workspace || directory === "")
    return { directory: directory || "/", links: [] };
  const known = directories.get(directory);
  if (known !== undefined) return await known;
  const look = async (): Promise<WayTo> => {
    const cut = directory.lastIndexOf("/");
    const before = await wayTo(directory.slice(0, cut), walk);
    if (before.directory === undefined) return before;
    const path = `${before.directory === "/" ? "" : before.directory}${directory.slice(cut)}`;
    const stat = await statOf(path, host);
    if (stat?.kind === "directory") return { ...before, directory: path };
    if (stat?.kind !== "symlink") return { ...before, directory: undefined };
    const link = await linkEntry(path, walk);
    const target = await host.fs.canonical(path).catch(() => undefined);
    return { directory: target, links: [...before.links, ...link] };
  };
  const looking = look();
  directories.set(directory, looking);
  return await looking;
}

interface Found {
  /** Its directory is canonical. */
  readonly path: string;
  /** Name by which it was found. */
  readonly name: string;
  readonly kind?: HostStat["kind"];
  /** Whether it was asked for by name, and not found in a directory. */
  readonly isRoot?: boolean;
}

async function hashEntry(found: Found, walk: Walk): Promise<readonly Entry[]> {
  const { host, workspace, of, used } = walk;
  const { path, name } = found;
  const kind = found.kind ?? (await statOf(path, host))?.kind;
  if (kind === undefined) return [];
  const own = trustName(workspace, path);
  if (kind === "directory") {
    const entries: Found[] = [];
    try {
      for await (const entry of host.fs.list(path)) {
        used.files += 1;
        // One entry says that there is more; a second one says nothing new.
        if (used.files > maxFiles) return [[own, unhashed]];
        entries.push({
          path: `${path}/${entry.name}`,
          name: `${name}/${entry.name}`,
          kind: entry.kind,
        });
      }
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    return (await inBatches(entries, async (each) => await hashEntry(each, walk))).flat();
  }
  if (kind === "symlink") return await hashLink(found, walk);
  if (of === "name") return [[own, ""]];
  return kind === "file" ? await hashFile(found, walk) : [[own, `${kind}:`]];
}

async function hashFile(found: Found, walk: Walk): Promise<readonly Entry[]> {
  const own = trustName(walk.workspace, found.path);
  try {
    return [[own, await readText(found, walk)]];
  } catch (error) {
    if (isNotFound(error)) return [];
    if (ToolError.is(error) && error.code === "TOO_LARGE") return [[own, unhashed]];
    throw error;
  }
}

/** Reads a file once: what is made of its text is what was hashed. */
async function readText({ path, name }: Found, walk: Walk): Promise<string> {
  const { host, used, onText } = walk;
  const { bytes, hash } = await host.fs.readFile(path, {
    maxBytes: Math.max(0, maxBytes - used.bytes),
  });
  used.bytes += bytes.length;
  if (onText?.wants(name) === true) onText.read(name, new TextDecoder().decode(bytes));
  return hash;
}

/** The target of a link may change independently of the link, so both count. */
async function hashLink(
  { path, name, isRoot = false }: Found,
  walk: Walk,
): Promise<readonly Entry[]> {
  const { host, workspace, followed } = walk;
  const link = await linkEntry(path, walk);
  // A link that is broken or circular must not keep the user from revoking trust.
  const target = await host.fs.canonical(path).catch(() => undefined);
  // A link in a directory is not followed to one that contains it; a path that was asked for is, wherever it leads.
  if (target === undefined || (!isRoot && isWithin(target, path))) return link;
  try {
    const kind = (await statOf(target, host))?.kind;
    if (kind === undefined) return link;
    if (kind === "directory" && !isRoot) {
      if (followed.has(target)) return link;
      followed.add(target);
    }
    return [...link, ...(await hashEntry({ path: target, name, kind }, walk))];
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return [...link, [trustName(workspace, target), `unreadable:${error.code}`]];
  }
}

async function linkEntry(path: string, walk: Walk): Promise<readonly Entry[]> {
  const { host, workspace, of } = walk;
  const text = of === "name" ? "" : await host.fs.readLink(path).catch(() => "gone");
  return [[trustName(workspace, path), of === "name" ? "" : `link:${text}`]];
}

async function statOf(path: string, { fs }: Pick<Host, "fs">): Promise<HostStat | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
