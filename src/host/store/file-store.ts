import {
  ToolError,
  type HostAppender,
  type HostClock,
  type Store,
  type StoreArea,
  type StoreAreaName,
  type StoredEntry,
  type StoredFile,
  type StoreFiles,
  type StoreFs,
} from "../../core/index.ts";
import { isNotFound, joinPath, parentPath } from "../../text/index.ts";
import { besideEntries, checkStoredName, storedPath } from "./layout.ts";
import { isOfLock, lockDirectory, takeLease } from "./lease.ts";

export interface FileStoreParts {
  readonly files: StoreFiles;
  readonly clock: Pick<HostClock, "now" | "sleep">;
  /** Whether the files are on this machine, outside this process. */
  readonly isOnDisk: boolean;
}

/** A store whose areas are files of any file system, in the layout of a data directory. */
export function fileStore({ files, clock, isOnDisk }: FileStoreParts): Store {
  const areas = new Map<StoreAreaName, StoreArea>();
  return {
    area(name) {
      const known = areas.get(name);
      if (known !== undefined) return known;
      const made = fileArea(name, { files, clock, isOnDisk });
      areas.set(name, made);
      return made;
    },
    files,
    ...(isOnDisk ? { directory: files.directory } : {}),
  };
}

function fileArea(area: StoreAreaName, { files, clock, isOnDisk }: FileStoreParts): StoreArea {
  const { fs, directory } = files;
  const pathOf = (name: string): string => {
    const checked = checkStoredName(name);
    if (!isOfLock(name)) return placeOf(area, checked, files);
    throw new ToolError("INVALID_INPUT", `${JSON.stringify(name)} is the name of a lock.`, {
      hint: "Use a name that does not begin with a dot and end in .lock.",
    });
  };
  const own = joinPath(directory, area);
  return {
    async read(name) {
      try {
        const { bytes, hash, stat } = await fs.readFile(pathOf(name));
        return { bytes, hash, mtimeMs: stat.mtimeMs };
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
    async replace(name, bytes, { ifMatch, durable = false } = {}): Promise<StoredFile> {
      const path = pathOf(name);
      await fs.mkdir(parentPath(path), { mode: 0o700 });
      const { hash, mtimeMs } = await fs.writeAtomic(path, bytes, {
        mode: 0o600,
        durable,
        ...(ifMatch === undefined ? {} : { ifMatch }),
      });
      return { bytes, hash, mtimeMs };
    },
    async append(name) {
      const path = pathOf(name);
      await fs.mkdir(parentPath(path), { mode: 0o700 });
      return await appenderOf(fs, path);
    },
    async *list(prefix = "") {
      if (area === "settings" && /^(?:home|managed)\/./u.test(prefix)) {
        // The user's home directory is large, so only the part that is asked for is listed.
        const name = prefix.slice(0, prefix.lastIndexOf("/"));
        yield* filesBelow(fs, { path: placeOf(area, name, files), name, prefix });
        return;
      }
      const entries: string[] = [];
      for await (const { name } of listed(fs, directory)) entries.push(name);
      for (const entry of besideEntries(area, entries)) {
        yield* filesBelow(fs, { path: joinPath(directory, entry), name: entry, prefix });
      }
      yield* filesBelow(fs, { path: own, name: "", prefix });
    },
    async remove(name) {
      try {
        await fs.remove(pathOf(name));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    lock: async (name, options) =>
      await takeLease({ fs, clock, directory: lockDirectory(pathOf(name)) }, options),
    // Databases have always been in the data directory itself.
    ...(isOnDisk ? { directory: area === "sessions" ? directory : own } : {}),
  };
}

/** Files that the user and the administrator wrote keep their place on the machine; the rest is in the data directory. */
function placeOf(area: StoreAreaName, name: string, files: StoreFiles): string {
  if (area === "settings" && name.startsWith("home/"))
    return joinPath(files.home, name.slice("home/".length));
  if (area === "settings" && name.startsWith("managed/"))
    return joinPath(files.managed, name.slice("managed/".length));
  return storedPath(files.directory, area, name);
}

/** Opens a file for appending; without an appender of the file system, each append opens it. */
export async function appenderOf(fs: StoreFs, path: string): Promise<HostAppender> {
  return (
    (await fs.appender?.(path)) ?? {
      append: (data) => fs.append(path, data),
      close: async () => undefined,
    }
  );
}

interface Below {
  readonly path: string;
  readonly name: string;
  readonly prefix: string;
}

async function* filesBelow(
  fs: StoreFs,
  { path, name, prefix }: Below,
): AsyncGenerator<StoredEntry> {
  const isOpen = prefix.startsWith(name) || name.startsWith(prefix);
  if (!isOpen || isOfLock(name)) return;
  const found = await fs.stat(path).catch((error: unknown) => {
    // Another process may have deleted it since it was listed.
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (found?.kind === "file" && name.startsWith(prefix)) {
    yield { name, size: found.size, mtimeMs: found.mtimeMs };
  }
  if (found?.kind !== "directory") return;
  for await (const entry of listed(fs, path)) {
    const below = name === "" ? entry.name : `${name}/${entry.name}`;
    yield* filesBelow(fs, { path: joinPath(path, entry.name), name: below, prefix });
  }
}

async function* listed(fs: StoreFs, path: string): AsyncGenerator<{ readonly name: string }> {
  try {
    yield* fs.list(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
