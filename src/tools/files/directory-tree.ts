import { parentPath, visibleName } from "../../text/index.ts";
import { type ListEntry, type ToolContext } from "../../core/index.ts";
import { byteSize, counted } from "./paths/display-path.ts";
import { searchSettingsOf } from "./search-settings.ts";

export interface DirectoryTree {
  readonly root: FolderEntry;
  readonly files: number;
  readonly folders: number;
  /** Number of entries beyond the limit. */
  readonly notShown: number;
  /** Number of files and links omitted because an ignore file names them. */
  readonly ignored: number;
  /** Number of entries that a permission rule withholds. */
  readonly withheld: number;
  /** Whether a directory could not be read, or has more entries than are read. */
  readonly isPartial: boolean;
}

export interface FolderEntry {
  readonly entry: ListEntry | undefined;
  readonly children: FolderEntry[];
}

export interface DirectoryTreeRequest {
  /** Canonical path. */
  readonly path: string;
  readonly depth: number;
  /** Maximum number of entries shown. */
  readonly maxEntries: number;
  /** gitignore patterns of the call. */
  readonly ignore?: readonly string[];
  readonly includeIgnored?: boolean;
}

/** Content of a directory, with the same visibility as in searches. */
export async function directoryTree(
  { path, depth, maxEntries, ignore = [], includeIgnored = false }: DirectoryTreeRequest,
  context: ToolContext,
): Promise<DirectoryTree> {
  const { host, signal } = context;
  const { defaultExcludes } = searchSettingsOf(context);
  const root: FolderEntry = { entry: undefined, children: [] };
  const folders = new Map([[path, root]]);
  let files = 0;
  const query = {
    root: path,
    depth,
    maxEntries,
    leaveOut: ignore,
    includeIgnored,
    defaultExcludes,
  };
  let end = { notShown: 0, ignored: 0, withheld: 0, isPartial: true };
  for await (const event of host.search.list(query, { signal })) {
    if (event.kind === "end") {
      const { notTold: notShown, excluded: withheld, ignored, partial: isPartial } = event;
      end = { notShown, ignored, withheld, isPartial };
      continue;
    }
    const { entry } = event;
    const shown: FolderEntry = { entry, children: [] };
    folders.get(parentPath(entry.path))?.children.push(shown);
    if (entry.kind === "directory") folders.set(entry.path, shown);
    else files += 1;
  }
  return { root, files, folders: folders.size - 1, ...end };
}

/** Prints a line for each entry, indented by two spaces for each level. */
export function printDirectory({ root }: DirectoryTree): string {
  const lines: string[] = [];
  addLines(lines, root.children, 1);
  return lines.join("\n");
}

/** Notes about what the lines omit, one sentence each. */
export function directoryNotes(
  { notShown, isPartial, ignored, withheld }: DirectoryTree,
  depth: number,
): string[] {
  const notes: string[] = [];
  if (notShown > 0) {
    const how =
      depth > 1
        ? "list one of the directories, or give a smaller depth"
        : "Glob finds them by a pattern of their names";
    notes.push(`${counted(notShown, "more entry")} not shown; ${how}.`);
  }
  if (isPartial) notes.push("Some directories could not be read to their end.");
  if (ignored > 0) {
    notes.push(
      `${counted(ignored, "ignored file")} left out; ListDir with include_ignored shows them.`,
    );
  }
  if (withheld > 0) notes.push(`${counted(withheld, "entry")} withheld by permission rules.`);
  return notes;
}

function addLines(lines: string[], entries: readonly FolderEntry[], level: number): void {
  for (const { entry, children } of entries) {
    if (entry !== undefined) lines.push(`${"  ".repeat(level)}${label(entry)}`);
    addLines(lines, children, level + 1);
  }
}

function label({ name, kind, size, target, isBroken, isIgnored }: ListEntry): string {
  const shown = visibleName(name);
  switch (kind) {
    case "directory":
      return `${shown}/${isIgnored ? "  (ignored, not opened)" : ""}`;
    case "file":
      return size === undefined ? shown : `${shown}  ${byteSize(size)}`;
    case "symlink": {
      const to = target === undefined ? "" : ` -> ${visibleName(target)}`;
      return `${shown}${to}  (${isBroken === true ? "broken link" : "link"})`;
    }
    case "fifo":
    case "socket":
    case "device":
      return `${shown}  (${kind})`;
  }
}
