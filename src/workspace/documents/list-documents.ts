import { ToolError, type Host } from "../../core/index.ts";

/** A file below one of the directories that were searched. */
export interface FoundDocument {
  /** Canonical path. */
  readonly path: string;
  /** Path below the searched directory, with `/`. */
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

/**
 * Finds the files below a directory whose name matches. Links inside it are not followed, because they would bring in
 * files that a hash of the directory does not cover; each is reported. A directory that does not exist has no files.
 */
export async function listDocuments(
  directory: string,
  isWanted: (name: string) => boolean,
  host: Pick<Host, "fs">,
): Promise<FoundDocuments> {
  const files: FoundDocument[] = [];
  const problems: { path: string; message: string }[] = [];
  let root: string;
  try {
    root = await host.fs.canonical(directory);
  } catch (error) {
    return { files, problems: absent(error) ? [] : [{ path: directory, message: reason(error) }] };
  }
  await visit(root, "", 0);
  return { files: files.toSorted((one, other) => (one.name < other.name ? -1 : 1)), problems };

  async function visit(path: string, prefix: string, depth: number): Promise<void> {
    try {
      for await (const entry of host.fs.list(path)) {
        const below = `${path}/${entry.name}`;
        const name = `${prefix}${entry.name}`;
        if (entry.kind === "directory") {
          if (depth < maxDepth) await visit(below, `${name}/`, depth + 1);
          else
            problems.push({
              path: below,
              message: `Directories below level ${maxDepth} are not searched.`,
            });
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
      if (!absent(error)) problems.push({ path, message: reason(error) });
    }
  }
}

function absent(error: unknown): boolean {
  return ToolError.is(error) && (error.code === "NOT_FOUND" || error.code === "NOT_A_DIRECTORY");
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
