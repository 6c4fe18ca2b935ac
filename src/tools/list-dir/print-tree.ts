import { byteSize } from "../files/display-path.ts";
import type { TreeEntry } from "./read-tree.ts";

/** A line for each entry, two spaces further in for each level. */
export function printTree(entries: readonly TreeEntry[]): string {
  const lines: string[] = [];
  addLines(lines, entries, 1);
  return lines.join("\n");
}

function addLines(lines: string[], entries: readonly TreeEntry[], level: number): void {
  for (const entry of entries) {
    lines.push(`${"  ".repeat(level)}${label(entry)}`);
    if (entry.children !== undefined) addLines(lines, entry.children, level + 1);
  }
}

function label({ name, kind, size, isIgnored }: TreeEntry): string {
  const shown = printable(name);
  switch (kind) {
    case "directory":
      return `${shown}/${isIgnored ? "  (ignored, not opened)" : ""}`;
    case "file":
      return size === undefined ? shown : `${shown}  ${byteSize(size)}`;
    case "symlink":
      return `${shown}  (link)`;
    case "fifo":
    case "socket":
    case "device":
      return `${shown}  (${kind})`;
  }
}

/** A name may hold a line break; it must not look like two entries. */
function printable(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}
