import { lstatSync, readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isEverydayPart, joinPath, mayBeProtected, protectedMatch } from "../../text/index.ts";
import { runningParts } from "../../core/index.ts";

/** Protected paths that exist in a tree. */
export interface ProtectedTree {
  /** The outermost ones, without git's own directories. */
  readonly found: readonly string[];
  /** Directories of git: each `.git`, which may be a file, and each repository without a working tree. */
  readonly repositories: readonly string[];
  /** Directories were left out: those that are made again, or more than are looked through. */
  readonly isPartial: boolean;
}

/** Directories looked through in one tree, how long that may take, and protected paths a sandbox is given. */
const maxDirectories = 4000;
const maxMs = 400;
const maxFound = 150;

/** Written as a whole by package managers and build tools, and large. */
const heavyNames: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "venv",
  ".next",
  ".turbo",
  ".gradle",
  "__pycache__",
]);

/** Of one directory, as long as no name has come or gone. */
interface Listing {
  readonly ino: number;
  readonly ctimeMs: number;
  readonly directories: readonly string[];
  readonly found: readonly string[];
  readonly repositories: readonly string[];
  readonly hasHeavy: boolean;
}

/** Every tree of this process; the oldest are forgotten. */
const listings = new Map<string, Listing>();
const maxListings = 20_000;

/** Changes in one tick of the file system's clock cannot be told apart. */
const tickMs = 50;

/**
 * Looks through a tree, level by level. A directory is read again only where its time of change differs, which no program
 * can set: the second look costs a `stat` for each directory.
 */
export async function protectedTree(root: string): Promise<ProtectedTree> {
  const found: string[] = [];
  const repositories: string[] = [];
  const queue = [root];
  const startedAt = performance.now();
  let resumedAt = startedAt;
  let isPartial = false;
  for (let at = 0; at < queue.length; at += 1) {
    const now = performance.now();
    if (at >= maxDirectories || now - startedAt > maxMs || found.length >= maxFound) {
      isPartial = true;
      break;
    }
    if (now - resumedAt > 10) {
      await setImmediate();
      resumedAt = performance.now();
    }
    const path = queue[at] ?? root;
    const listing = listingOf(path, root);
    if (listing === undefined) continue;
    found.push(...listing.found);
    repositories.push(...listing.repositories);
    queue.push(...listing.directories);
    isPartial ||= listing.hasHeavy;
  }
  return { found, repositories, isPartial };
}

/** What of a protected path a program must not write: parts of it where it is written every day. */
export function heldParts(path: string, root: string): readonly string[] {
  const match = protectedMatch(path, root.length);
  if (match === undefined) return [path];
  const names = namesIn(path);
  if (names === undefined) return [path];
  const running = runningParts[match.pattern];
  // Parts deeper inside, and those that do not exist yet, are named as they are.
  if (running !== undefined && match.end === path.length) {
    return running.map((part) => joinPath(path, part));
  }
  const parts = names.map((name) => joinPath(path, name));
  const held = parts.filter((part) => !isEverydayPart(match, part));
  return held.length === parts.length ? [path] : held;
}

function listingOf(path: string, root: string): Listing | undefined {
  try {
    const { ino, ctimeMs } = lstatSync(path);
    const key = `${root}\0${path}`;
    const known = listings.get(key);
    if (known?.ino === ino && known.ctimeMs === ctimeMs) return known;
    const listing = { ino, ctimeMs, ...look(path, root) };
    listings.delete(key);
    if (Date.now() - ctimeMs < tickMs) return listing;
    listings.set(key, listing);
    if (listings.size > maxListings) {
      const [oldest] = listings.keys();
      if (oldest !== undefined) listings.delete(oldest);
    }
    return listing;
  } catch {
    // Gone meanwhile, or closed to this user and so to programs of theirs.
    return undefined;
  }
}

function look(path: string, root: string): Omit<Listing, "ino" | "ctimeMs"> {
  const directories: string[] = [];
  const found: string[] = [];
  const repositories: string[] = [];
  let hasHeavy = false;
  const entries = readdirSync(path, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  // What is in one place only for several working trees is where `commondir` says.
  const isBare =
    names.has("HEAD") && (names.has("commondir") || (names.has("objects") && names.has("refs")));
  if (isBare) return { directories, found, repositories: [path], hasHeavy };
  for (const entry of entries) {
    const own = joinPath(path, entry.name);
    if (mayBeProtected(`/${entry.name}`)) {
      const match = protectedMatch(own, root.length);
      if (match?.pattern === ".git") repositories.push(own);
      else if (match !== undefined) found.push(own);
      if (match !== undefined) continue;
    }
    if (!entry.isDirectory()) continue;
    if (heavyNames.has(entry.name)) hasHeavy = true;
    else directories.push(own);
  }
  return { directories, found, repositories, hasHeavy };
}

function namesIn(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path);
  } catch {
    return undefined;
  }
}
