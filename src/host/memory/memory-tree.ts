import { baseName, parentPath } from "../../text/index.ts";
import { type HostStat } from "../../core/index.ts";
import { fileError } from "../files/file-error.ts";
import { resolveLinks } from "../files/resolve-links.ts";
import { MemoryContent } from "./memory-content.ts";

interface Traits {
  mode: number;
  mtimeMs: number;
  ctimeMs: number;
  /** Increases with every change anywhere in the tree. */
  serial: number;
}

export interface MemoryFile extends Traits {
  readonly kind: "file";
  readonly content: MemoryContent;
  /** Hash of the content, if it was requested. */
  hash?: string | undefined;
}

export interface MemoryDirectory extends Traits {
  readonly kind: "directory";
  readonly entries: Map<string, MemoryNode>;
}

export interface MemoryLink extends Traits {
  readonly kind: "symlink";
  readonly target: string;
}

interface MemorySpecial extends Traits {
  readonly kind: "fifo" | "socket" | "device";
}

export type MemoryNode = MemoryFile | MemoryDirectory | MemoryLink | MemorySpecial;

/** An entry of a memory host. The mode defaults to 0o644, or 0o755 for directories. */
export type MemoryEntry =
  | {
      readonly kind: "file";
      readonly content: string | Uint8Array;
      readonly mode?: number;
      readonly mtimeMs?: number;
    }
  | { readonly kind: "directory"; readonly mode?: number; readonly mtimeMs?: number }
  | { readonly kind: "symlink"; readonly target: string }
  | { readonly kind: "fifo" | "socket" | "device" };

const encoder = new TextEncoder();

/** Directories, files, links and their permission bits, as accessed by the user who owns all of them. */
export class MemoryTree {
  readonly root: MemoryDirectory;
  readonly #now: () => number;
  #serial = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.root = { kind: "directory", entries: new Map(), ...this.traits(0o755) };
  }

  traits(mode: number): Traits {
    this.#serial += 1;
    const now = this.#now();
    return { mode, mtimeMs: now, ctimeMs: now, serial: this.#serial };
  }

  /** Records a change of the content. */
  touch(node: MemoryNode): void {
    this.mark(node);
    node.mtimeMs = this.#now();
  }

  /** Records a change of anything but the content. */
  mark(node: MemoryNode): void {
    this.#serial += 1;
    node.serial = this.#serial;
    node.ctimeMs = this.#now();
  }

  canonical(path: string): string {
    if (this.#isCanonical(path)) return path;
    return resolveLinks(path, (at) => {
      const node = this.#peek(at);
      return node?.kind === "symlink" ? node.target : undefined;
    });
  }

  /** The node at a canonical path; undefined if there is none. A link on the way is PATH_CHANGED. */
  find(path: string): MemoryNode | undefined {
    let node: MemoryNode = this.root;
    for (let at = partFrom(path, 0); at !== undefined; at = partFrom(path, at.end)) {
      if (node.kind === "symlink") throw fileError("ELOOP", path);
      if (node.kind !== "directory") throw fileError("ENOTDIR", path);
      if ((node.mode & 0o100) === 0) throw fileError("EACCES", path);
      const next = node.entries.get(at.part);
      if (next === undefined) return undefined;
      node = next;
    }
    return node;
  }

  get(path: string): MemoryNode {
    const node = this.find(path);
    if (node === undefined) throw fileError("ENOENT", path);
    return node;
  }

  /** The parent directory of an entry, which must exist. */
  parent(path: string): MemoryDirectory {
    const node = this.get(parentPath(path));
    if (node.kind === "symlink") throw fileError("ELOOP", path);
    if (node.kind !== "directory") throw fileError("ENOTDIR", path);
    return node;
  }

  /** Adds, replaces or, with undefined, removes the entry at a path. */
  set(path: string, node: MemoryNode | undefined): void {
    const parent = this.parent(path);
    if ((parent.mode & 0o200) === 0) throw fileError("EACCES", path);
    if (node === undefined) parent.entries.delete(baseName(path));
    else parent.entries.set(baseName(path), node);
    this.touch(parent);
  }

  makeDirectories(path: string, mode: number): void {
    let at = "";
    for (let next = partFrom(path, 0); next !== undefined; next = partFrom(path, next.end)) {
      at = `${at}/${next.part}`;
      const node = this.find(at);
      if (node === undefined) {
        this.set(at, { kind: "directory", entries: new Map(), ...this.traits(mode) });
      } else if (node.kind === "symlink") throw fileError("ELOOP", path);
      else if (node.kind !== "directory") throw fileError(at === path ? "EEXIST" : "ENOTDIR", path);
    }
  }

  /** Adds an entry and its parents regardless of permissions, to set up a test. */
  plant(path: string, entry: MemoryEntry): void {
    this.makeDirectories(parentPath(path), 0o755);
    this.set(path, this.#nodeOf(entry, this.find(path)));
  }

  stat(path: string, node: MemoryNode): HostStat {
    return {
      path,
      kind: node.kind,
      size: node.kind === "file" ? node.content.length : 0,
      mtimeMs: node.mtimeMs,
      ctimeMs: node.ctimeMs,
      mode: node.mode,
      version: `memory:${node.serial}`,
    };
  }

  /** The text of every file, by path. */
  texts(): Record<string, string> {
    const found: Record<string, string> = {};
    const decoder = new TextDecoder();
    const visit = (path: string, node: MemoryNode): void => {
      if (node.kind === "file") found[path] = decoder.decode(node.content.bytes);
      if (node.kind !== "directory") return;
      for (const [name, child] of node.entries) visit(`${path}/${name}`, child);
    };
    visit("", this.root);
    return found;
  }

  #nodeOf(entry: MemoryEntry, existing: MemoryNode | undefined): MemoryNode {
    switch (entry.kind) {
      case "file": {
        const bytes =
          typeof entry.content === "string"
            ? encoder.encode(entry.content)
            : new Uint8Array(entry.content);
        const traits = this.traits(entry.mode ?? 0o644);
        const content = new MemoryContent(bytes);
        return { kind: "file", content, ...traits, mtimeMs: entry.mtimeMs ?? traits.mtimeMs };
      }
      case "directory": {
        const entries = existing?.kind === "directory" ? existing.entries : new Map();
        const traits = this.traits(entry.mode ?? 0o755);
        return { kind: "directory", entries, ...traits, mtimeMs: entry.mtimeMs ?? traits.mtimeMs };
      }
      case "symlink":
        return { kind: "symlink", target: entry.target, ...this.traits(0o777) };
      case "fifo":
      case "socket":
      case "device":
        return { kind: entry.kind, ...this.traits(0o644) };
    }
  }

  /** Whether a path is canonical: it contains no link and no part that could be written differently. */
  #isCanonical(path: string): boolean {
    let node: MemoryNode | undefined = this.root;
    let length = 0;
    for (let at = partFrom(path, 0); at !== undefined; at = partFrom(path, at.end)) {
      if (at.part === "." || at.part === "..") return false;
      node = node?.kind === "directory" ? node.entries.get(at.part) : undefined;
      if (node?.kind === "symlink") return false;
      length += 1 + at.part.length;
    }
    return length === path.length;
  }

  #peek(path: string): MemoryNode | undefined {
    let node: MemoryNode | undefined = this.root;
    for (let at = partFrom(path, 0); at !== undefined; at = partFrom(path, at.end)) {
      if (node?.kind !== "directory") return undefined;
      node = node.entries.get(at.part);
    }
    return node;
  }
}

/** The next non-empty part of a path. Avoids a list of parts, because paths are walked in every operation. */
function partFrom(
  path: string,
  from: number,
): { readonly part: string; readonly end: number } | undefined {
  let start = from;
  while (path.charCodeAt(start) === slash) start += 1;
  if (start >= path.length) return undefined;
  const found = path.indexOf("/", start);
  const end = found === -1 ? path.length : found;
  return { part: path.slice(start, end), end };
}

const slash = 0x2f;
