import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isEverydayPart, joinPath, mayBeProtected, protectedMatch } from "../../text/index.ts";
import { runningParts } from "../../core/index.ts";
import { ListingCache } from "./listing-cache.ts";

/** Protected paths that exist in a tree. */
export interface ProtectedTree {
  /** Outermost protected paths, without git's own directories. */
  readonly found: readonly string[];
  /** Git directories: each `.git`, which may be a file, and each repository without a working tree. */
  readonly repositories: readonly string[];
  /** Whether directories were skipped: those that tools write again, or more than the limit. */
  readonly isPartial: boolean;
}

/** Limits of one tree: directories searched, milliseconds, and protected paths passed to a sandbox. */
const maxDirectories = 4000;
const maxMs = 400;
const maxFound = 150;

/** Large directories that package managers and build tools write as a whole. */
const heavyNames: ReadonlySet<string> = new Set([
  "node_modules",
  ".venv",
  "venv",
  ".next",
  ".turbo",
  ".gradle",
  "__pycache__",
]);

/** Entries of one directory. */
interface Listing {
  readonly directories: readonly string[];
  readonly found: readonly string[];
  readonly repositories: readonly string[];
  readonly hasHeavy: boolean;
}

/** Listings of every tree of this process; the oldest are dropped. */
const listings = new ListingCache<Listing>(20_000);

/**
 * Searches a tree, level by level. A directory is read again only if its change time differs, which no program can set:
 * a second search costs one `stat` per directory.
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

/** Returns the parts of a protected path that programs must not write: only some if the rest changes every day. */
export function heldParts(path: string, root: string): readonly string[] {
  const match = protectedMatch(path, root.length);
  if (match === undefined) return [path];
  const names = namesIn(path);
  if (names === undefined) return [path];
  const running = runningParts[match.pattern];
  // Deeper parts, and those that do not exist yet, are returned unchanged.
  if (running !== undefined && match.end === path.length) {
    return running.map((part) => joinPath(path, part));
  }
  const parts = names.map((name) => joinPath(path, name));
  const held = parts.filter((part) => !isEverydayPart(match, part));
  return held.length === parts.length ? [path] : held;
}

function listingOf(path: string, root: string): Listing | undefined {
  try {
    return listings.at(path, () => look(path, root), `${root}\0${path}`);
  } catch {
    // It was removed in the meantime, or is closed to this user and so to the user's programs.
    return undefined;
  }
}

function look(path: string, root: string): Listing {
  const directories: string[] = [];
  const found: string[] = [];
  const repositories: string[] = [];
  let hasHeavy = false;
  const entries = readdirSync(path, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  // Data shared by several working trees is where `commondir` says.
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
