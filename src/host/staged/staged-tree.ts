import { isWithin, parentPath } from "../../text/index.ts";
import {
  ToolError,
  type ErrorCode,
  type HostFs,
  type HostStat,
  type StagedChange,
} from "../../core/index.ts";
import { contentHash } from "../files/content-hash.ts";
import { fileError } from "../files/file-error.ts";

/** The operations of the real file system that a staged tree uses; it never writes. */
export type BaseFs = Pick<
  HostFs,
  "canonical" | "stat" | "readFile" | "readRange" | "open" | "list" | "readLink"
>;

interface Traits {
  readonly mode: number;
  readonly mtimeMs: number;
  readonly serial: number;
}

export interface StagedFile extends Traits {
  readonly kind: "file";
  /** The bytes, or the real file that contains them: a tree that is only moved is not read. */
  readonly content: Uint8Array | { readonly base: string };
  readonly size: number;
}

interface StagedDirectory extends Traits {
  readonly kind: "directory";
}

interface StagedLink extends Traits {
  readonly kind: "symlink";
  readonly target: string;
}

export type StagedNode = StagedFile | StagedDirectory | StagedLink;

/** Changes to a tree, by canonical path. Every other path is as in the real tree. */
export class StagedTree {
  readonly base: BaseFs;
  readonly #now: () => number;
  readonly #nodes = new Map<string, StagedNode | "gone">();
  #serial = 0;

  constructor(base: BaseFs, now: () => number) {
    this.base = base;
    this.#now = now;
  }

  get isUntouched(): boolean {
    return this.#nodes.size === 0;
  }

  traits(mode: number): Traits {
    this.#serial += 1;
    return { mode, mtimeMs: this.#now(), serial: this.#serial };
  }

  /** The staged node at a path; undefined if the path does not exist, "base" if the real tree decides. */
  find(path: string): StagedNode | "base" | undefined {
    const own = this.#nodes.get(path);
    if (own !== undefined) return own === "gone" ? undefined : own;
    for (let at = path; at !== "/";) {
      at = parentPath(at);
      const node = this.#nodes.get(at);
      if (node === undefined) continue;
      // Nothing of the real tree is visible below a node created here.
      if (node === "gone" || node.kind === "directory") return undefined;
      throw fileError(node.kind === "symlink" ? "ELOOP" : "ENOTDIR", path);
    }
    return "base";
  }

  /** Stats of the entry at a path, from the real tree if it is not staged. Undefined if there is none. */
  async stat(path: string): Promise<HostStat | undefined> {
    const node = this.find(path);
    if (node === undefined) return undefined;
    if (node !== "base") return statOf(path, node);
    return await orMissing(this.base.stat(path), ["NOT_FOUND"]);
  }

  /** Replaces the node at a path. */
  set(path: string, node: StagedNode | "gone"): void {
    for (const at of this.#nodes.keys())
      if (at !== path && isWithin(path, at)) this.#nodes.delete(at);
    this.#nodes.set(path, node);
  }

  /** Names and nodes of what was staged directly in a directory. */
  children(path: string): readonly (readonly [string, StagedNode | "gone"])[] {
    return Array.from(this.#nodes).filter(([at]) => at !== "/" && parentPath(at) === path);
  }

  /** Differences from the real tree, by path. */
  async changes(): Promise<readonly StagedChange[]> {
    const changes: StagedChange[] = [];
    for (const [path, node] of this.#nodes) {
      const before = await orMissing(this.base.stat(path));
      if (node === "gone") {
        if (before !== undefined) changes.push({ path, to: { kind: "absent" } });
      } else if (!(await this.#isSame(path, before, node))) {
        changes.push({ path, to: entryOf(path, node) });
      }
      if (before?.kind === "directory") await this.#addLost(path, changes);
    }
    return changes.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** Adds the deletions below a directory that was removed or replaced; paths staged there have their own entries. */
  async #addLost(directory: string, changes: StagedChange[]): Promise<void> {
    for await (const { name, kind } of this.base.list(directory)) {
      const path = directory === "/" ? `/${name}` : `${directory}/${name}`;
      if (this.#nodes.has(path)) continue;
      changes.push({ path, to: { kind: "absent" } });
      if (kind === "directory") await this.#addLost(path, changes);
    }
  }

  async #isSame(path: string, before: HostStat | undefined, node: StagedNode): Promise<boolean> {
    if (before?.kind !== node.kind) return false;
    switch (node.kind) {
      case "directory":
        return before.mode === node.mode;
      case "symlink":
        return (await this.base.readLink(path)) === node.target;
      case "file": {
        if (before.mode !== node.mode || before.size !== node.size) return false;
        if (!(node.content instanceof Uint8Array)) return node.content.base === path;
        return (await this.base.readFile(path)).hash === contentHash(node.content);
      }
    }
  }
}

export function statOf(path: string, node: StagedNode): HostStat {
  const { kind, mode, mtimeMs, serial } = node;
  const size = node.kind === "file" ? node.size : 0;
  return { path, kind, size, mtimeMs, mode, version: `staged:${serial}` };
}

function entryOf(path: string, node: StagedNode): StagedChange["to"] {
  const { mode, mtimeMs } = node;
  switch (node.kind) {
    case "file":
      return { kind: "file", source: path, size: node.size, mode, mtimeMs };
    case "symlink":
      return { kind: "symlink", target: node.target };
    case "directory":
      return { kind: "directory", mode };
  }
}

/** The result of `looking`, or undefined if it fails because there is nothing at the path. */
async function orMissing<T>(
  looking: Promise<T>,
  // If another node has replaced a link on the way, there is nothing at this path.
  missing: readonly ErrorCode[] = ["NOT_FOUND", "NOT_A_DIRECTORY", "PATH_CHANGED"],
): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (ToolError.is(error) && missing.includes(error.code)) return undefined;
    throw error;
  }
}
