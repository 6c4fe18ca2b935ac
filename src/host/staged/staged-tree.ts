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

/** All that is ever asked of the real tree. */
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
  /** Its bytes, or the file of the real tree that has them: a tree that is only moved is not read. */
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

/** What was changed of a tree, by canonical path. Everything else is as the real tree has it. */
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

  /** The staged node at a path, undefined where nothing is left, "base" where the real tree says. */
  find(path: string): StagedNode | "base" | undefined {
    const own = this.#nodes.get(path);
    if (own !== undefined) return own === "gone" ? undefined : own;
    for (let at = path; at !== "/";) {
      at = parentPath(at);
      const node = this.#nodes.get(at);
      if (node === undefined) continue;
      // Nothing of the real tree shows below what was made here.
      if (node === "gone" || node.kind === "directory") return undefined;
      throw fileError(node.kind === "symlink" ? "ELOOP" : "ENOTDIR", path);
    }
    return "base";
  }

  /** As `find`, with the real tree asked. Undefined where nothing is. */
  async stat(path: string): Promise<HostStat | undefined> {
    const node = this.find(path);
    if (node === undefined) return undefined;
    if (node !== "base") return statOf(path, node);
    return await orMissing(this.base.stat(path), ["NOT_FOUND"]);
  }

  /** Puts a node in the place of what is there. */
  set(path: string, node: StagedNode | "gone"): void {
    for (const at of this.#nodes.keys())
      if (at !== path && isWithin(path, at)) this.#nodes.delete(at);
    this.#nodes.set(path, node);
  }

  /** Names and nodes of what was staged directly in a directory. */
  children(path: string): readonly (readonly [string, StagedNode | "gone"])[] {
    return Array.from(this.#nodes).filter(([at]) => at !== "/" && parentPath(at) === path);
  }

  /** Where the tree differs from the real one, by path. */
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

  /** What lay below a directory that is gone or was made anew; what was staged there speaks for itself. */
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

/** What looking comes to, or undefined where it fails because there is nothing at the path. */
async function orMissing<T>(
  looking: Promise<T>,
  // Behind a link that has given way to something else there is nothing of this name.
  missing: readonly ErrorCode[] = ["NOT_FOUND", "NOT_A_DIRECTORY", "PATH_CHANGED"],
): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (ToolError.is(error) && missing.includes(error.code)) return undefined;
    throw error;
  }
}
