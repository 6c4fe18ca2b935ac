import {
  ToolError,
  type HostEntry,
  type HostFile,
  type HostStat,
  type Store,
  type StoreArea,
  type StoredFile,
  type StoreFiles,
  type StoreFs,
  type WriteOptions,
} from "../../core/index.ts";
import { parentPath, pathBelow } from "../../text/index.ts";
import { fileError } from "../files/file-error.ts";
import { tooLargeError } from "../files/write/write-conflict.ts";
import { storedName } from "./layout.ts";

/** Directory under which paths of a store without files are shown. */
const directory = "/.haft-store";

/**
 * Files of a store that has only areas. A read of a part reads the whole file, a move copies, and every write that
 * others would flush together is durable by itself.
 */
export function filesOfAreas(store: Store): StoreFiles {
  return {
    fs: new AreaFs(store),
    directory,
    home: `${directory}/settings/home`,
    managed: `${directory}/settings/managed`,
  };
}

interface Place {
  readonly area: StoreArea;
  /** Empty for the area itself. */
  readonly name: string;
}

class AreaFs implements StoreFs {
  readonly #store: Store;
  /** Directories that were created and may still be empty. */
  readonly #made = new Set<string>([directory]);

  constructor(store: Store) {
    this.#store = store;
  }

  async stat(path: string): Promise<HostStat> {
    const place = this.#placeOf(path);
    if (place !== undefined && place.name !== "") {
      for await (const entry of place.area.list(place.name)) {
        if (entry.name === place.name) return statOf(path, entry.size, entry.mtimeMs);
        if (entry.name.startsWith(`${place.name}/`)) return directoryStat(path);
      }
    }
    if (this.#made.has(path) || (await this.#hasEntries(place))) return directoryStat(path);
    throw fileError("ENOENT", path);
  }

  async readFile(path: string, { maxBytes = Infinity } = {}): Promise<HostFile> {
    const file = await this.#fileAt(path);
    const { length } = file.bytes;
    if (length > maxBytes) throw tooLargeError(path, length, maxBytes);
    const stat = { ...statOf(path, length, file.mtimeMs), version: file.hash };
    return { bytes: file.bytes, stat, hash: file.hash };
  }

  async readRange(
    path: string,
    { offset, length }: { readonly offset: number; readonly length: number },
  ): Promise<Uint8Array> {
    const { bytes } = await this.#fileAt(path);
    return bytes.subarray(offset, offset + length);
  }

  async *open(
    path: string,
    { offset = 0 }: { readonly offset?: number } = {},
  ): AsyncGenerator<Uint8Array> {
    const { bytes } = await this.#fileAt(path);
    if (offset < bytes.length) yield bytes.subarray(offset);
  }

  async writeAtomic(
    path: string,
    data: Uint8Array,
    { ifMatch, durable = false, hold }: WriteOptions = {},
  ): Promise<HostStat & { readonly hash: string }> {
    const { area, name } = this.#fileNamed(path);
    const { hash, mtimeMs } = await area.replace(name, data, {
      // A flush for several files is not among the functions of an area.
      durable: durable || hold !== undefined,
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
    return { ...statOf(path, data.length, mtimeMs), hash };
  }

  async append(path: string, data: Uint8Array): Promise<void> {
    const appender = await this.appender(path);
    try {
      await appender.append(data);
    } finally {
      await appender.close();
    }
  }

  async appender(path: string): ReturnType<StoreArea["append"]> {
    const { area, name } = this.#fileNamed(path);
    return await area.append(name);
  }

  async *list(path: string): AsyncGenerator<HostEntry> {
    const place = this.#placeOf(path);
    const seen = new Map<string, HostEntry["kind"]>();
    const prefix = place === undefined || place.name === "" ? "" : `${place.name}/`;
    for await (const { name } of place?.area.list(prefix) ?? []) {
      const [first = "", ...rest] = name.slice(prefix.length).split("/");
      seen.set(first, rest.length > 0 ? "directory" : "file");
    }
    for (const made of this.#made) {
      const below = parentPath(made) === path ? pathBelow(path, made) : undefined;
      if (below !== undefined && !seen.has(below)) seen.set(below, "directory");
    }
    if (seen.size === 0 && !this.#made.has(path)) throw fileError("ENOENT", path);
    for (const [name, kind] of seen) yield { name, kind };
  }

  async mkdir(path: string): Promise<void> {
    for (let at = path; pathBelow(directory, at) !== undefined; at = parentPath(at)) {
      this.#made.add(at);
    }
  }

  async remove(path: string, { recursive = false } = {}): Promise<void> {
    const { area, name } = this.#named(path);
    const names: string[] = [];
    for await (const entry of area.list(name)) {
      if (entry.name === name) names.push(name);
      else if (recursive && (name === "" || entry.name.startsWith(`${name}/`)))
        names.push(entry.name);
    }
    const wasMade = this.#made.has(path);
    if (names.length === 0 && !wasMade) throw fileError("ENOENT", path);
    for (const each of names) await area.remove(each);
    for (const made of this.#made) {
      if (made === path || made.startsWith(`${path}/`)) this.#made.delete(made);
    }
  }

  async move(from: string, to: string): Promise<void> {
    const { bytes } = await this.#fileAt(from);
    await this.writeAtomic(to, bytes, { durable: true });
    await this.remove(from);
  }

  async #fileAt(path: string): Promise<StoredFile> {
    const { area, name } = this.#fileNamed(path);
    const file = await area.read(name);
    if (file !== undefined) return file;
    throw fileError((await this.#isDirectory(path)) ? "EISDIR" : "ENOENT", path);
  }

  async #isDirectory(path: string): Promise<boolean> {
    return await this.stat(path).then(
      ({ kind }) => kind === "directory",
      () => false,
    );
  }

  #fileNamed(path: string): Place {
    const place = this.#named(path);
    if (place.name === "") throw fileError("EISDIR", path);
    return place;
  }

  #named(path: string): Place {
    const place = this.#placeOf(path);
    if (place !== undefined) return place;
    throw new ToolError("ACCESS_DENIED", `${path} belongs to no area of the store.`, {
      hint: "Use a path that haft named.",
    });
  }

  #placeOf(path: string): Place | undefined {
    const below = pathBelow(directory, path);
    const found = below === undefined || below === "" ? undefined : storedName(below);
    return found === undefined
      ? undefined
      : { area: this.#store.area(found.area), name: found.name };
  }

  async #hasEntries(place: Place | undefined): Promise<boolean> {
    if (place === undefined || place.name !== "") return false;
    for await (const entry of place.area.list()) return entry.name !== "";
    return false;
  }
}

function statOf(path: string, size: number, mtimeMs: number): HostStat {
  return { path, kind: "file", size, mtimeMs, mode: 0o600, version: `${size}:${mtimeMs}` };
}

function directoryStat(path: string): HostStat {
  return { path, kind: "directory", size: 0, mtimeMs: 0, mode: 0o700, version: "directory" };
}
