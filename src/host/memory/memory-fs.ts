import { baseName, isWithin } from "../../text/index.ts";
import {
  ToolError,
  type HostAppender,
  type HostEntry,
  type HostFile,
  type HostFs,
  type HostOptions,
  type HostStat,
  type ReadOptions,
  type WriteOptions,
} from "../../core/index.ts";
import { contentHash } from "../files/content-hash.ts";
import { fileError } from "../files/file-error.ts";
import { absolutePath } from "../files/resolve-links.ts";
import { staleError, tooLargeError } from "../files/write/write-conflict.ts";
import { MemoryContent } from "./memory-content.ts";
import type { MemoryFaults } from "./memory-faults.ts";
import type { MemoryFile, MemoryNode, MemoryTree } from "./memory-tree.ts";

const chunkBytes = 65_536;

/** The file system of a memory host. */
export class MemoryFs implements HostFs {
  readonly #tree: MemoryTree;
  readonly #faults: MemoryFaults;

  constructor(tree: MemoryTree, faults: MemoryFaults) {
    this.#tree = tree;
    this.#faults = faults;
  }

  async canonical(
    path: string,
    options?: HostOptions & { readonly base?: string },
  ): Promise<string> {
    await this.#faults.enter("canonical", path, options?.signal);
    return this.#tree.canonical(absolutePath(path, options?.base));
  }

  async stat(path: string, options?: HostOptions): Promise<HostStat> {
    await this.#faults.enter("stat", path, options?.signal);
    return this.#tree.stat(path, this.#tree.get(path));
  }

  async readFile(path: string, options?: ReadOptions): Promise<HostFile> {
    await this.#faults.enter("readFile", path, options?.signal);
    const file = this.#readable(path);
    if (options?.maxBytes !== undefined && file.content.length > options.maxBytes) {
      throw tooLargeError(path, file.content.length, options.maxBytes);
    }
    return {
      bytes: file.content.bytes.slice(),
      stat: this.#tree.stat(path, file),
      hash: hashOf(file),
    };
  }

  async readRange(
    path: string,
    range: { readonly offset: number; readonly length: number },
    options?: HostOptions,
  ): Promise<Uint8Array> {
    await this.#faults.enter("readRange", path, options?.signal);
    return this.#readable(path).content.bytes.slice(range.offset, range.offset + range.length);
  }

  async *open(
    path: string,
    options?: HostOptions & { readonly offset?: number },
  ): AsyncGenerator<Uint8Array> {
    await this.#faults.enter("open", path, options?.signal);
    const { bytes } = this.#readable(path).content;
    for (let at = options?.offset ?? 0; at < bytes.length; at += chunkBytes) {
      yield bytes.slice(at, at + chunkBytes);
      await this.#faults.enter("open", path, options?.signal);
    }
  }

  async writeAtomic(
    path: string,
    data: Uint8Array,
    options?: WriteOptions,
  ): Promise<HostStat & { readonly hash: string }> {
    await this.#faults.enter("writeAtomic", path, options?.signal);
    const existing = this.#writable(path);
    if (options?.ifMatch === null && existing !== undefined) throw fileError("EEXIST", path);
    if (typeof options?.ifMatch === "string") {
      const found = existing === undefined ? undefined : hashOf(existing);
      if (found !== options.ifMatch) throw staleError(path, options.ifMatch, found);
    }
    const mode = existing?.mode ?? options?.mode ?? 0o644;
    const content = new MemoryContent(new Uint8Array(data));
    const file: MemoryFile = { kind: "file", content, ...this.#tree.traits(mode) };
    this.#tree.set(path, file);
    return { ...this.#tree.stat(path, file), hash: hashOf(file) };
  }

  async append(path: string, data: Uint8Array, options?: HostOptions): Promise<void> {
    await this.#faults.enter("append", path, options?.signal);
    const existing = this.#writable(path);
    if (existing === undefined) {
      const content = new MemoryContent(new Uint8Array(data));
      this.#tree.set(path, { kind: "file", content, ...this.#tree.traits(0o644) });
      return;
    }
    if (data.length === 0) return;
    existing.content.append(data);
    existing.hash = undefined;
    this.#tree.touch(existing);
  }

  async *list(path: string, options?: HostOptions): AsyncGenerator<HostEntry> {
    await this.#faults.enter("list", path, options?.signal);
    const node = this.#tree.get(path);
    if (node.kind === "symlink") throw fileError("ELOOP", path);
    if (node.kind !== "directory") throw fileError("ENOTDIR", path);
    if ((node.mode & 0o400) === 0) throw fileError("EACCES", path);
    for (const [name, child] of Array.from(node.entries)) yield { name, kind: child.kind };
  }

  async mkdir(path: string, options?: HostOptions & { readonly mode?: number }): Promise<void> {
    await this.#faults.enter("mkdir", path, options?.signal);
    this.#tree.makeDirectories(path, options?.mode ?? 0o755);
  }

  async remove(
    path: string,
    options?: HostOptions & { readonly recursive?: boolean },
  ): Promise<void> {
    await this.#faults.enter("remove", path, options?.signal);
    const node = this.#tree.get(path);
    if (path === "/") throw fileError("EACCES", path);
    if (node.kind === "directory" && options?.recursive !== true) throw fileError("EISDIR", path);
    this.#tree.set(path, undefined);
  }

  async move(from: string, to: string, options?: HostOptions): Promise<void> {
    await this.#faults.enter("move", from, options?.signal);
    const node = this.#tree.get(from);
    if (from === to) return;
    if (node.kind === "directory" && isWithin(from, to)) throw fileError("EINVAL", to);
    const target = this.#tree.find(to);
    if (target?.kind === "directory") throw fileError("EISDIR", to);
    if (target !== undefined && node.kind === "directory") throw fileError("ENOTDIR", to);
    this.#tree.set(to, node);
    this.#tree.set(from, undefined);
    this.#tree.mark(node);
  }

  async readLink(path: string, options?: HostOptions): Promise<string> {
    await this.#faults.enter("readLink", path, options?.signal);
    const node = this.#tree.get(path);
    if (node.kind === "symlink") return node.target;
    throw new ToolError("INVALID_INPUT", `${baseName(path)} is not a symbolic link.`, {
      data: { path, kind: node.kind },
    });
  }

  async makeLink(path: string, target: string, options?: HostOptions): Promise<void> {
    await this.#faults.enter("makeLink", path, options?.signal);
    if (this.#tree.find(path) !== undefined) throw fileError("EEXIST", path);
    this.#tree.set(path, { kind: "symlink", target, ...this.#tree.traits(0o777) });
  }

  async setMode(path: string, mode: number, options?: HostOptions): Promise<void> {
    await this.#faults.enter("setMode", path, options?.signal);
    const node = this.#changeable(path);
    node.mode = mode;
    this.#tree.mark(node);
  }

  async setModified(path: string, mtimeMs: number, options?: HostOptions): Promise<void> {
    await this.#faults.enter("setModified", path, options?.signal);
    const node = this.#changeable(path);
    node.mtimeMs = mtimeMs;
    this.#tree.mark(node);
  }

  /** Requires that the paths exist, like a real flush; nothing in memory outlives the process. */
  async flush(paths: readonly string[], options?: HostOptions): Promise<void> {
    for (const path of paths) {
      await this.#faults.enter("flush", path, options?.signal);
      asFile(path, this.#tree.get(path));
    }
  }

  async appender(path: string, options?: HostOptions): Promise<HostAppender> {
    await this.#faults.enter("appender", path, options?.signal);
    if (this.#writable(path) === undefined) {
      const file: MemoryFile = {
        kind: "file",
        content: new MemoryContent(new Uint8Array()),
        ...this.#tree.traits(0o600),
      };
      this.#tree.set(path, file);
    }
    let isClosed = false;
    return {
      append: async (data) => {
        if (isClosed) throw new TypeError(`${path} was closed.`);
        await this.append(path, data);
      },
      close: async () => {
        isClosed = true;
      },
    };
  }

  /** The node at a path, regardless of its permission bits: the owner may always change its mode and times. */
  #changeable(path: string): MemoryNode {
    const node = this.#tree.get(path);
    return node.kind === "directory" ? node : asFile(path, node);
  }

  #readable(path: string): MemoryFile {
    const file = asFile(path, this.#tree.get(path));
    if ((file.mode & 0o400) === 0) throw fileError("EACCES", path);
    return file;
  }

  #writable(path: string): MemoryFile | undefined {
    this.#tree.parent(path);
    const node = this.#tree.find(path);
    if (node === undefined) return undefined;
    const file = asFile(path, node);
    if ((file.mode & 0o200) === 0) throw fileError("EACCES", path);
    return file;
  }
}

function hashOf(file: MemoryFile): string {
  file.hash ??= contentHash(file.content.bytes);
  return file.hash;
}

function asFile(path: string, node: MemoryNode): MemoryFile {
  switch (node.kind) {
    case "file":
      return node;
    case "directory":
      throw fileError("EISDIR", path);
    case "symlink":
      throw fileError("ELOOP", path);
    case "fifo":
    case "socket":
    case "device":
      throw fileError("ENODEV", path);
  }
}
