import { type Host } from "../../core/index.ts";
import { isNotFound, isWithin, pathExists } from "../../text/index.ts";

/** A file below one of the directories that were searched. */
export interface FoundDocument {
  /** Canonical path. */
  readonly path: string;
  /** Path below the searched directory, with `/`; through the links that were followed. */
  readonly name: string;
}

export interface FoundDocuments {
  /** Sorted by name, so that the order does not depend on the file system. */
  readonly files: readonly FoundDocument[];
  /** Files and directories that were left out, for the user; empty if the whole directory was searched. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

/** Limits of a search: a hostile directory can neither be endless nor fill the memory. */
const maxFiles = 2000;
const maxDepth = 8;
/** Maximum number of entries in directories to which links lead, which may be anywhere. */
const maxLinkedEntries = 5000;

/**
 * Finds the files below a directory whose name matches. Links inside it are not followed; each that leads to a directory
 * or has a matching name is reported. A directory that does not exist has no files.
 */
export async function listDocuments(
  directory: string,
  isWanted: (name: string) => boolean,
  host: Pick<Host, "fs">,
): Promise<FoundDocuments> {
  return await search(directory, { isWanted, host, followsDirectories: false });
}

/**
 * The same, and follows links to directories that are in the directory itself. The reader must compare each file with the trusted content, because the
 * files are wherever a link leads.
 */
export async function listLinkedDocuments(
  directory: string,
  isWanted: (name: string) => boolean,
  host: Pick<Host, "fs">,
): Promise<FoundDocuments> {
  return await search(directory, { isWanted, host, followsDirectories: true });
}

interface SearchOptions {
  readonly isWanted: (name: string) => boolean;
  readonly host: Pick<Host, "fs">;
  readonly followsDirectories: boolean;
}

async function search(
  directory: string,
  { isWanted, host, followsDirectories }: SearchOptions,
): Promise<FoundDocuments> {
  const files: FoundDocument[] = [];
  const problems: { path: string; message: string }[] = [];
  const followed = new Set<string>();
  let linkedEntries = 0;
  let root: string;
  try {
    root = await host.fs.canonical(directory);
  } catch (error) {
    return {
      files,
      problems: isNotFound(error) ? [] : [{ path: directory, message: reason(error) }],
    };
  }
  if (root !== directory && !(await pathExists(host.fs, root))) {
    // A path that does not exist is not reported; a link to one was meant to lead somewhere.
    const link = await host.fs.stat(directory).catch(() => undefined);
    if (link?.kind === "symlink")
      problems.push({ path: directory, message: "This symlink leads nowhere." });
  }
  await visit(root, "", { depth: 0 });
  return { files: files.toSorted((one, other) => (one.name < other.name ? -1 : 1)), problems };

  async function follow(link: string, name: string, depth: number): Promise<void> {
    const target = await host.fs.canonical(link).catch(() => undefined);
    const kind =
      target === undefined ? undefined : (await host.fs.stat(target).catch(() => undefined))?.kind;
    if (target === undefined || kind === undefined) {
      problems.push({ path: link, message: "This symlink leads nowhere." });
    } else if (kind !== "directory") return;
    else if (!followsDirectories) {
      const message = `This symlink to the directory ${target} is not followed; put the files here.`;
      problems.push({ path: link, message });
    } else if (isWithin(target, link) || followed.has(target)) {
      const message = `This symlink leads to ${target}, which is read already.`;
      problems.push({ path: link, message });
    } else if (depth > 0) {
      // Only targets of links at the top are protected from calls.
      const message = `This symlink to the directory ${target} is not followed; put it into ${directory}.`;
      problems.push({ path: link, message });
    } else {
      followed.add(target);
      await visit(target, `${name}/`, { depth: depth + 1, link });
    }
  }

  /** Counts an entry in a directory to which a link leads; false if there are too many. */
  function mayContinue(link: string | undefined): boolean {
    if (link === undefined) return true;
    linkedEntries += 1;
    if (linkedEntries === maxLinkedEntries + 1) {
      const message = `Behind links only the first ${maxLinkedEntries} entries are searched.`;
      problems.push({ path: link, message });
    }
    return linkedEntries <= maxLinkedEntries;
  }

  async function visit(
    path: string,
    prefix: string,
    { depth, link }: { readonly depth: number; readonly link?: string | undefined },
  ): Promise<void> {
    try {
      for await (const entry of host.fs.list(path)) {
        if (!mayContinue(link)) return;
        const below = `${path}/${entry.name}`;
        const name = `${prefix}${entry.name}`;
        if (entry.kind === "directory") {
          if (depth < maxDepth) await visit(below, `${name}/`, { depth: depth + 1, link });
          else
            problems.push({
              path: below,
              message: `Directories below level ${maxDepth} are not searched.`,
            });
        } else if (entry.kind === "symlink" && !isWanted(name)) {
          await follow(below, name, depth);
        } else if (isWanted(name)) {
          if (entry.kind !== "file") {
            problems.push({
              path: below,
              message: `This ${entry.kind} is not read; put the file here.`,
            });
          } else if (files.length < maxFiles) files.push({ path: below, name });
          else if (files.length === maxFiles && !problems.some(({ path: at }) => at === root)) {
            problems.push({ path: root, message: `Only the first ${maxFiles} files are read.` });
          }
        }
      }
    } catch (error) {
      if (!isNotFound(error)) problems.push({ path, message: reason(error) });
    }
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
