import { ToolError } from "../core/index.ts";
import type { GrantGuard } from "./guard.ts";
import type {
  HostEntry,
  HostFile,
  HostFs,
  LocatedPath,
  ReadOptions,
  WriteOptions,
} from "../core/index.ts";
import type { HostOptions, HostStat } from "../core/index.ts";

/** Maximum size of a written file whose content is kept in memory; of a larger one only its stat is recorded. */
const maxRecordedBytes = 262_144;

/** A file system limited to a grant. Paths may be relative and need not be canonical. */
export class NarrowedFs implements HostFs {
  readonly #guard: GrantGuard;

  constructor(guard: GrantGuard) {
    this.#guard = guard;
  }

  async canonical(
    path: string,
    options?: HostOptions & { readonly base?: string },
  ): Promise<string> {
    const base = options?.base;
    return this.#guard.resolve(
      base === undefined || path === "" ? path : below(base, path),
      options,
    );
  }

  locate(path: string, options?: HostOptions & { readonly base?: string }): Promise<LocatedPath> {
    const base = options?.base;
    const named = base === undefined || path === "" ? path : below(base, path);
    return this.#guard.locate(named, options);
  }

  async stat(path: string, options?: HostOptions): Promise<HostStat> {
    const at = await this.#guard.resolve(path, options);
    this.#guard.requireStat(at);
    return this.#guard.host.fs.stat(at, this.#guard.options(options));
  }

  async readFile(path: string, options?: ReadOptions): Promise<HostFile> {
    // Most calls read one or two files, and each promise costs as much as checking the grant.
    const at = this.#guard.known(path) ?? (await this.#guard.resolve(path, options));
    this.#guard.require({ kind: "read", path: at, scope: "file" });
    if (options?.asCaptured === true) {
      const captured = this.#guard.transaction?.captured(at, options.maxBytes);
      if (captured !== undefined) return captured;
    }
    return this.#guard.host.fs.readFile(at, this.#guard.options(options));
  }

  async readRange(
    path: string,
    range: { readonly offset: number; readonly length: number },
    options?: HostOptions,
  ): Promise<Uint8Array> {
    const at = await this.#readable(path, options);
    return this.#guard.host.fs.readRange(at, range, this.#guard.options(options));
  }

  async *open(
    path: string,
    options?: HostOptions & { readonly offset?: number; readonly reuse?: boolean },
  ): AsyncGenerator<Uint8Array> {
    const at = await this.#readable(path, options);
    for await (const bytes of this.#guard.host.fs.open(at, this.#guard.options(options))) {
      this.#guard.assertOpen();
      yield bytes;
    }
  }

  async *list(
    path: string,
    options?: HostOptions & { readonly onExcluded?: () => void },
  ): AsyncGenerator<HostEntry> {
    const at = await this.#readable(path, options);
    for await (const entry of this.#guard.host.fs.list(at, this.#guard.options(options))) {
      this.#guard.assertOpen();
      if (this.#guard.exclusion(below(at, entry.name), "read") === undefined) yield entry;
      else options?.onExcluded?.();
    }
  }

  /** Canonicalizes only the parent directory, because the link itself is read. */
  async readLink(path: string, options?: HostOptions): Promise<string> {
    const { directory, name } = splitLast(path);
    const at = below(await this.#guard.resolve(directory, options), name);
    this.#guard.require({ kind: "read", path: at, scope: "file" });
    return this.#guard.host.fs.readLink(at, this.#guard.options(options));
  }

  async writeAtomic(
    path: string,
    data: Uint8Array,
    options?: WriteOptions,
  ): Promise<HostStat & { readonly hash: string }> {
    const at = await this.#guard.resolve(path, options);
    const ifMatch = options?.ifMatch;
    if (typeof ifMatch === "string") {
      this.#requireChange(at, "modify");
      this.#guard.transaction?.requireCaptured(at, ifMatch);
      return this.#write(at, data, options);
    }
    if (ifMatch === null || !this.#mayChange(at, "modify")) {
      this.#requireChange(at, "create");
      return this.#create(at, data, options);
    }
    await this.#requireWrite(at, options);
    return this.#write(at, data, options);
  }

  async #write(
    path: string,
    data: Uint8Array,
    options: WriteOptions | undefined,
  ): Promise<HostStat & { readonly hash: string }> {
    const { host, transaction } = this.#guard;
    const held = await this.#held(path, options);
    if (transaction === undefined) return host.fs.writeAtomic(path, data, held);
    // Copies the bytes: the record must match what was written even if the tool changes its buffer meanwhile.
    const bytes = data.length > maxRecordedBytes ? undefined : new Uint8Array(data);
    try {
      const stat = await host.fs.writeAtomic(path, bytes ?? data, held);
      transaction.wrote(path, { stat, hash: stat.hash, ...(bytes && { bytes }) });
      return stat;
    } catch (error) {
      if (ToolError.is(error) && error.code === "STALE_READ") transaction.wrote(path, "untouched");
      throw error;
    }
  }

  async append(path: string, data: Uint8Array, options?: HostOptions): Promise<void> {
    const at = await this.#guard.resolve(path, options);
    await this.#requireWrite(at, options);
    await this.#beforeChange(at);
    await this.#guard.host.fs.append(at, data, this.#guard.options(options));
  }

  async mkdir(path: string, options?: HostOptions & { readonly mode?: number }): Promise<void> {
    const at = await this.#guard.resolve(path, options);
    this.#guard.requireMkdir(at);
    await this.#beforeChange();
    await this.#guard.host.fs.mkdir(at, this.#guard.options(options));
  }

  async remove(
    path: string,
    options?: HostOptions & { readonly recursive?: boolean },
  ): Promise<void> {
    const at = await this.#guard.resolve(path, options);
    await this.#requireRemoval(at, options);
    await this.#beforeChange(at);
    await this.#guard.host.fs.remove(at, this.#guard.options(options));
  }

  async move(from: string, to: string, options?: HostOptions): Promise<void> {
    const source = await this.#guard.resolve(from, options);
    const target = await this.#guard.resolve(to, options);
    const scope = await this.#requireRemoval(source, options);
    await this.#requireWrite(target, options, scope);
    await this.#beforeChange(source, target);
    await this.#guard.host.fs.move(source, target, this.#guard.options(options));
  }

  async #readable(path: string, options: HostOptions | undefined): Promise<string> {
    const at = await this.#guard.resolve(path, options);
    this.#guard.require({ kind: "read", path: at, scope: "file" });
    return at;
  }

  #mayChange(path: string, change: "create" | "modify"): boolean {
    return this.#guard.allows({ kind: "write", path, scope: "file", change });
  }

  #requireChange(path: string, change: "create" | "modify"): void {
    this.#guard.require({ kind: "write", path, scope: "file", change });
  }

  /** A call that declared only a creation must not replace a file that appeared in the meantime. */
  async #create(
    path: string,
    data: Uint8Array,
    options: WriteOptions | undefined,
  ): Promise<HostStat & { readonly hash: string }> {
    try {
      const written = await this.#write(path, data, { ...options, ifMatch: null });
      this.#guard.made(path);
      return written;
    } catch (error) {
      if (options?.ifMatch === null || !ToolError.is(error) || error.code !== "ALREADY_EXISTS")
        throw error;
      throw this.#guard.undeclared({ kind: "write", path, scope: "file", change: "modify" });
    }
  }

  /**
   * Lets the host wait for the transaction while it flushes the new content; waits here if the host cannot.
   */
  async #held(path: string, options: WriteOptions | undefined): Promise<WriteOptions | undefined> {
    const writes = this.#guard.options(options);
    const { transaction, host } = this.#guard;
    if (transaction === undefined) return writes;
    transaction.changing([path]);
    if (host.info.capabilities.heldWrites !== true) {
      await transaction.durable();
      this.#guard.assertOpen();
      return writes;
    }
    return {
      ...writes,
      hold: async (draft) => {
        const own = options?.hold?.(draft) ?? draft.flush();
        await Promise.all([own, transaction.durable()]);
        this.#guard.assertOpen();
      },
    };
  }

  async #beforeChange(...paths: readonly string[]): Promise<void> {
    this.#guard.transaction?.changing(paths);
    await this.#guard.transaction?.durable();
    this.#guard.assertOpen();
  }

  /** Replacing and creating are separate changes; the file system decides which of them this is. */
  async #requireWrite(
    path: string,
    options: HostOptions | undefined,
    scope: "file" | "tree" = "file",
  ): Promise<void> {
    const may = (change: "create" | "modify"): boolean =>
      this.#guard.allows({ kind: "write", path, scope, change });
    // If neither change is declared, do not even reveal whether the file exists.
    const change =
      (may("create") || may("modify")) && (await this.#kind(path, options)) === undefined
        ? "create"
        : "modify";
    this.#guard.require({ kind: "write", path, scope, change });
  }

  async #kind(
    path: string,
    options: HostOptions | undefined,
  ): Promise<HostStat["kind"] | undefined> {
    try {
      return (await this.#guard.host.fs.stat(path, signalOnly(this.#guard.options(options)))).kind;
    } catch (error) {
      if (ToolError.is(error) && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  async #requireRemoval(path: string, options: HostOptions | undefined): Promise<"file" | "tree"> {
    this.#guard.require({ kind: "write", path, scope: "file", change: "delete" });
    if ((await this.#kind(path, options)) !== "directory") return "file";
    this.#guard.require({ kind: "write", path, scope: "tree", change: "delete" });
    await this.#requireWholeTree(path, options);
    return "tree";
  }

  /** Removing a tree removes all of it, so a single excluded path refuses the removal. */
  async #requireWholeTree(path: string, options: HostOptions | undefined): Promise<void> {
    const signal = signalOnly(this.#guard.options(options));
    for await (const entry of this.#guard.host.fs.list(path, signal)) {
      const at = below(path, entry.name);
      this.#guard.requireUnexcluded({ kind: "write", path: at });
      if (entry.kind === "directory") await this.#requireWholeTree(at, options);
    }
  }
}

function below(directory: string, path: string): string {
  // Not normalized: the host must resolve a `..` that follows a link, because only it knows where the link leads.
  return path.startsWith("/") ? path : `${directory === "/" ? "" : directory}/${path}`;
}

function signalOnly(options: HostOptions | undefined): HostOptions {
  return { signal: options?.signal };
}

function splitLast(path: string): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf("/");
  if (slash === -1) return { directory: ".", name: path };
  return { directory: slash === 0 ? "/" : path.slice(0, slash), name: path.slice(slash + 1) };
}
