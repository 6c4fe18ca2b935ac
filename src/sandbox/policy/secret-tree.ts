import { accessSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import {
  isWithin,
  joinPath,
  loadSecretTables,
  type SecretNode,
  type SecretPlaces,
} from "../../text/index.ts";
import { ListingCache } from "./listing-cache.ts";

type SecretTables = Awaited<ReturnType<typeof loadSecretTables>>;

/** Returns the paths of secrets of the user of this process. */
export async function secretsOf(options: {
  readonly home: string;
  readonly workspace: string;
}): Promise<SecretPlaces> {
  const { secretPlaces } = await loadSecretTables();
  const { home, workspace } = options;
  return secretPlaces({ homes: [home, ...accountHome()], variables: process.env, workspace });
}

/** Returns the home directory of the account, whatever HOME says; none for a user without an account entry. */
function accountHome(): readonly string[] {
  try {
    return [userInfo().homedir];
  } catch {
    return [];
  }
}

/** Returns secrets that exist and that this user can read, under the names of the table. */
export async function secretsThere({ root, open }: SecretPlaces): Promise<readonly string[]> {
  const tables = await loadSecretTables();
  const found: string[] = [];
  const look = (path: string, node: SecretNode): void => {
    if (open.some((each) => isWithin(each, path))) return;
    const isOpenBelow = open.some((each) => isWithin(path, each)) && isDirectory(path);
    if (node.isSecret && !isOpenBelow) {
      if (isReadable(path) && !isEmptyOfSystem(path)) found.push(path);
      return;
    }
    if (node.isSecret) {
      // Everything in it except what the user has opened.
      for (const name of namesIn(path)) look(joinPath(path, name), node);
      return;
    }
    for (const { name, child } of entriesIn(path, node, tables)) look(joinPath(path, name), child);
  };
  look("/", root);
  return [...new Set(found)];
}

/** An entry of a directory that the table names; it has several nodes if the table names it in several ways. */
interface NamedEntry {
  readonly name: string;
  readonly child: SecretNode;
}

/** Entries by the node of their directory, which is the same for every command of a kit. */
const listings = new WeakMap<SecretNode, ListingCache<readonly NamedEntry[]>>();

/** Number of directories with one node that are remembered: those of several homes share their nodes. */
const maxDirectories = 16;

function entriesIn(
  path: string,
  node: SecretNode,
  { childrenOf, namesBelow }: SecretTables,
): readonly NamedEntry[] {
  const named = (names: readonly string[]): readonly NamedEntry[] =>
    names.flatMap((name) => {
      const children = childrenOf(node, name);
      const secret = children.find(({ isSecret }) => isSecret);
      return (secret === undefined ? children : [secret]).map((child) => ({ name, child }));
    });
  const known = listings.get(node) ?? new ListingCache(maxDirectories);
  listings.set(node, known);
  try {
    // A file where a directory is expected is remembered like an empty one.
    return known.at(path, () => (isDirectory(path) ? named(readdirSync(path)) : []));
  } catch {
    // Nothing is below a link that leads nowhere: there would be hundreds of names to look for.
    if (!isDirectory(path)) return [];
    // It can be entered but not listed.
    return named(namesBelow(node).filter((name) => exists(joinPath(path, name))));
  }
}

/**
 * Whether a system directory is empty: each mask costs every command time, and services that are not set up leave empty
 * directories behind.
 */
function isEmptyOfSystem(path: string): boolean {
  return /^\/(?:etc|var|run|srv|opt)\//u.test(path) && isEmpty(path);
}

/** Whether each of these directories is empty. */
const emptiness = new ListingCache<boolean>(64);

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function isEmpty(path: string): boolean {
  try {
    return emptiness.at(path, () => isDirectory(path) && readdirSync(path).length === 0);
  } catch {
    return false;
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Whether this user can read or enter a path. One that is closed to the user is closed in the sandbox too; the user's
 * own path counts as readable, because a program could open it again.
 */
function isReadable(path: string): boolean {
  try {
    if (lstatSync(path).uid === process.geteuid?.()) return true;
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return isEnterable(path);
  }
}

function isEnterable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
