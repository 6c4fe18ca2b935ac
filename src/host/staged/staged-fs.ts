import { baseName, isWithin, parentPath } from "../../text/index.ts";
import {
  type HostEntry,
  type HostFile,
  type HostFs,
  type HostOptions,
  type HostStat,
  type ReadOptions,
  ToolError,
  type WriteOptions,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { contentHash } from "../files/content-hash.ts";
import { fileError } from "../files/file-error.ts";
import { staleError, tooLargeError } from "../files/write/write-conflict.ts";
import { type StagedFile, type StagedNode, type StagedTree, statOf } from "./staged-tree.ts";
import { absolutePath, LinkWalk } from "../files/resolve-links.ts";

const chunkBytes = 65_536;

/**
 * A file system on top of another one that is only read: changes are kept in memory. Whether the operating system would
 * permit a change is not checked.
 */
export class StagedFs implements HostFs {
  readonly #tree: StagedTree;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(tree: StagedTree) {
    this.#tree = tree;
  }

  async canonical(
    path: string,
    options?: HostOptions & { readonly base?: string },
  ): Promise<string> {
    return await stagedCanonical(this.#tree, path, options);
  }

  async stat(path: string, options?: HostOptions): Promise<HostStat> {
    throwIfAborted(options?.signal);
    const node = this.#tree.find(path);
    if (node === "base") return await this.#tree.base.stat(path, options);
    return statOf(path, present(path, node));
  }

  async readFile(path: string, options?: ReadOptions): Promise<HostFile> {
    throwIfAborted(options?.signal);
    const node = this.#tree.find(path);
    if (node === "base") return await this.#tree.base.readFile(path, options);
    const file = asFile(path, present(path, node));
    const { maxBytes } = options ?? {};
    if (maxBytes !== undefined && file.size > maxBytes) {
      throw tooLargeError(path, file.size, maxBytes);
    }
    const bytes = await this.#bytes(file, options);
    return { bytes, stat: statOf(path, file), hash: contentHash(bytes) };
  }

  async readRange(
    path: string,
    range: { readonly offset: number; readonly length: number },
    options?: HostOptions,
  ): Promise<Uint8Array> {
    throwIfAborted(options?.signal);
    const node = this.#tree.find(path);
    if (node === "base") return await this.#tree.base.readRange(path, range, options);
    const { content } = asFile(path, present(path, node));
    if (!(content instanceof Uint8Array)) {
      return await this.#tree.base.readRange(content.base, range, options);
    }
    return content.slice(range.offset, range.offset + range.length);
  }

  async *open(
    path: string,
    options?: HostOptions & { readonly offset?: number; readonly reuse?: boolean },
  ): AsyncGenerator<Uint8Array> {
    throwIfAborted(options?.signal);
    const node = this.#tree.find(path);
    if (node === "base") return yield* this.#tree.base.open(path, options);
    const { content } = asFile(path, present(path, node));
    if (!(content instanceof Uint8Array)) {
      return yield* this.#tree.base.open(content.base, options);
    }
    for (let at = options?.offset ?? 0; at < content.length; at += chunkBytes) {
      yield content.slice(at, at + chunkBytes);
      throwIfAborted(options?.signal);
    }
  }

  async writeAtomic(
    path: string,
    data: Uint8Array,
    options?: WriteOptions,
  ): Promise<HostStat & { readonly hash: string }> {
    // Copied before the first await: the caller may reuse its buffer.
    const content = new Uint8Array(data);
    return await this.#alone(options, async () => {
      const existing = await this.#writable(path);
      if (options?.ifMatch === null && existing !== undefined) throw fileError("EEXIST", path);
      if (typeof options?.ifMatch === "string") {
        const found = existing && (await this.readFile(path)).hash;
        if (found !== options.ifMatch) throw staleError(path, options.ifMatch, found);
      }
      return this.#put(path, content, existing?.mode ?? options?.mode ?? newMode(0o666));
    });
  }

  async append(path: string, data: Uint8Array, options?: HostOptions): Promise<void> {
    const added = new Uint8Array(data);
    await this.#alone(options, async () => {
      const existing = await this.#writable(path);
      const before = existing === undefined ? [] : [(await this.readFile(path)).bytes];
      this.#put(path, Buffer.concat([...before, added]), existing?.mode ?? newMode(0o666));
    });
  }

  async *list(path: string, options?: HostOptions): AsyncGenerator<HostEntry> {
    throwIfAborted(options?.signal);
    const node = this.#tree.find(path);
    const staged = new Map(this.#tree.children(path).map(([at, each]) => [baseName(at), each]));
    if (node === "base") {
      for await (const entry of this.#tree.base.list(path, options)) {
        if (!staged.has(entry.name)) yield entry;
      }
    } else if (present(path, node).kind !== "directory") {
      throw fileError(present(path, node).kind === "symlink" ? "ELOOP" : "ENOTDIR", path);
    }
    for (const [name, each] of staged) if (each !== "gone") yield { name, kind: each.kind };
  }

  async mkdir(path: string, options?: HostOptions & { readonly mode?: number }): Promise<void> {
    await this.#alone(options, async () => {
      let at = "";
      for (const part of path.split("/").filter((each) => each !== "")) {
        at = `${at}/${part}`;
        const stat = await this.#tree.stat(at);
        if (stat === undefined) {
          const mode = options?.mode ?? newMode(0o777);
          this.#tree.set(at, { kind: "directory", ...this.#tree.traits(mode) });
        } else if (stat.kind === "symlink") throw fileError("ELOOP", path);
        else if (stat.kind !== "directory") {
          throw fileError(at === path ? "EEXIST" : "ENOTDIR", path);
        }
      }
    });
  }

  async remove(
    path: string,
    options?: HostOptions & { readonly recursive?: boolean },
  ): Promise<void> {
    await this.#alone(options, async () => {
      const { kind } = await this.stat(path);
      if (path === "/") throw fileError("EACCES", path);
      if (kind === "directory" && options?.recursive !== true) throw fileError("EISDIR", path);
      this.#tree.set(path, "gone");
    });
  }

  async move(from: string, to: string, options?: HostOptions): Promise<void> {
    await this.#alone(options, async () => {
      const source = await this.stat(from);
      if (from === to) return;
      if (source.kind === "directory" && isWithin(from, to)) throw fileError("EINVAL", to);
      await this.#requireParent(to);
      const target = await this.#tree.stat(to);
      if (target?.kind === "directory") throw fileError("EISDIR", to);
      if (target !== undefined && source.kind === "directory") throw fileError("ENOTDIR", to);
      const moved = await this.#collect(from, to);
      this.#tree.set(from, "gone");
      for (const [path, node] of moved) this.#tree.set(path, node);
    });
  }

  async readLink(path: string, options?: HostOptions): Promise<string> {
    throwIfAborted(options?.signal);
    const node = this.#tree.find(path);
    if (node === "base") return await this.#tree.base.readLink(path, options);
    const { kind, ...link } = present(path, node);
    if (kind === "symlink" && "target" in link) return link.target;
    throw new ToolError("INVALID_INPUT", `${baseName(path)} is not a symbolic link.`, {
      data: { path, kind },
    });
  }

  async makeLink(path: string, target: string, options?: HostOptions): Promise<void> {
    await this.#alone(options, async () => {
      await this.#requireParent(path);
      if ((await this.#tree.stat(path)) !== undefined) throw fileError("EEXIST", path);
      this.#tree.set(path, { kind: "symlink", target, ...this.#tree.traits(0o777) });
    });
  }

  /** All nodes at and below a path, as they would be at another path. Parents come first. */
  async #collect(from: string, to: string): Promise<readonly (readonly [string, StagedNode])[]> {
    const stat = await this.stat(from);
    const traits = this.#tree.traits(stat.mode);
    switch (stat.kind) {
      case "file": {
        const node = this.#tree.find(from);
        const content =
          node === "base" ? { base: from } : asFile(from, present(from, node)).content;
        const kept = { ...traits, mtimeMs: stat.mtimeMs };
        return [[to, { kind: "file", content, size: stat.size, ...kept }]];
      }
      case "symlink":
        return [[to, { kind: "symlink", target: await this.readLink(from), ...traits }]];
      case "directory": {
        const found: (readonly [string, StagedNode])[] = [[to, { kind: "directory", ...traits }]];
        for await (const { name } of this.list(from)) {
          found.push(...(await this.#collect(`${from}/${name}`, `${to}/${name}`)));
        }
        return found;
      }
      case "fifo":
      case "socket":
      case "device":
        throw fileError("ENODEV", from);
    }
  }

  #put(path: string, content: Uint8Array, mode: number): HostStat & { readonly hash: string } {
    const size = content.length;
    const file: StagedFile = { kind: "file", content, size, ...this.#tree.traits(mode) };
    this.#tree.set(path, file);
    return { ...statOf(path, file), hash: contentHash(content) };
  }

  /** The existing file, or undefined if one can be created. */
  async #writable(path: string): Promise<HostStat | undefined> {
    await this.#requireParent(path);
    const stat = await this.#tree.stat(path);
    if (stat === undefined || stat.kind === "file") return stat;
    throw fileError(kindErrors[stat.kind], path);
  }

  async #requireParent(path: string): Promise<void> {
    const stat = await this.#tree.stat(parentPath(path));
    if (stat === undefined) throw fileError("ENOENT", path);
    if (stat.kind === "symlink") throw fileError("ELOOP", path);
    if (stat.kind !== "directory") throw fileError("ENOTDIR", path);
  }

  async #bytes({ content }: StagedFile, options: HostOptions | undefined): Promise<Uint8Array> {
    if (content instanceof Uint8Array) return content.slice();
    const { signal } = options ?? {};
    return (await this.#tree.base.readFile(content.base, { signal })).bytes;
  }

  /** Runs one change at a time, so that what a change checked is still valid when it is made. */
  async #alone<T>(options: HostOptions | undefined, work: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(async () => {
      throwIfAborted(options?.signal);
      return await work();
    });
    this.#tail = turn.catch(() => undefined);
    return await turn;
  }
}

/** Mode of a node created by this process. */
function newMode(all: number): number {
  return all & ~process.umask();
}

const kindErrors = {
  directory: "EISDIR",
  symlink: "ELOOP",
  fifo: "ENODEV",
  socket: "ENODEV",
  device: "ENODEV",
} as const;

function present(path: string, node: StagedNode | undefined): StagedNode {
  if (node === undefined) throw fileError("ENOENT", path);
  return node;
}

function asFile(path: string, node: StagedNode): StagedFile {
  if (node.kind === "file") return node;
  throw fileError(kindErrors[node.kind], path);
}

/** The canonical form of a path; follows staged links and ignores removed ones. */
async function stagedCanonical(
  tree: StagedTree,
  path: string,
  options: (HostOptions & { readonly base?: string }) | undefined,
): Promise<string> {
  if (tree.isUntouched) return await tree.base.canonical(path, options);
  const walk = new LinkWalk(absolutePath(path, options?.base));
  for (let next = walk.next(); next !== undefined; next = walk.next()) {
    walk.step(next, await linkTarget(tree, next));
  }
  return walk.resolved;
}

/** Target of a link; undefined for anything else, including a path that is missing or cannot be read. */
async function linkTarget(tree: StagedTree, path: string): Promise<string | undefined> {
  try {
    const node = tree.find(path);
    if (node !== "base") return node?.kind === "symlink" ? node.target : undefined;
    const { kind } = await tree.base.stat(path);
    return kind === "symlink" ? await tree.base.readLink(path) : undefined;
  } catch {
    return undefined;
  }
}
