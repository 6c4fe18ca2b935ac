import type { Host, HostFs, HostSearch, Store, StoreFiles } from "../../core/index.ts";
import { isWithin, joinPath, pathBelow } from "../../text/index.ts";
import { fileError } from "../files/file-error.ts";
import { scriptSearch } from "../search/script-search.ts";
import { filesOfAreas } from "./area-files.ts";
import { routedFs, type PlaceOf } from "./routed-fs.ts";
import { addRoute } from "./routes.ts";

/** Directories in the home directory in which users store settings, skills and the like. */
const ownDirectories = [".haft", ".claude", ".agents"];
/** Directories of the administrator's settings, and the one that they are in. */
const managedDirectories = ["haft", "claude-code"];
const managed = "/etc";

/** Files of a store, whatever functions it has. */
export function filesOf(store: Store): StoreFiles {
  return store.files ?? filesOfAreas(store);
}

/**
 * A host on which haft itself acts, whose own files are not there: paths of the data directory and of what the user and
 * the administrator wrote lead to the store, all others to the host. Tools get `actingHost` of it instead.
 */
export function hostWithStore(host: Host, files: StoreFiles): Host {
  const { home } = host.info;
  const placeOf: PlaceOf = (path) => {
    const { fs, directory } = files;
    if (isWithin(directory, path)) return { fs, path, access: "all" };
    for (const name of ownDirectories) {
      const below = pathBelow(joinPath(home, name), path);
      if (below !== undefined)
        return { fs, path: joined(joinPath(files.home, name), below), access: "all" };
    }
    for (const name of managedDirectories) {
      const below = pathBelow(joinPath(managed, name), path);
      if (below !== undefined)
        return { fs, path: joined(joinPath(files.managed, name), below), access: "read" };
    }
    return undefined;
  };
  const made = withFiles(host, placeOf);
  addRoute(made, { host, acting: (readable) => readOnlyBelow(readable, host, files) });
  return made;
}

function readOnlyBelow(readable: string, host: Host, { fs, directory }: StoreFiles): Host {
  return withFiles(host, (path) => {
    if (!isWithin(directory, path)) return undefined;
    return { fs, path, access: isWithin(readable, path) ? "read" : "none" };
  });
}

function withFiles(host: Host, placeOf: PlaceOf): Host {
  const stored = scriptSearch(routedFs(nothing, placeOf));
  const searchAt = (root: string): HostSearch =>
    placeOf(root) === undefined ? host.search : stored;
  return {
    id: host.id,
    info: host.info,
    fs: routedFs(host.fs, placeOf),
    proc: host.proc,
    net: host.net,
    search: {
      grep: (query, options) => searchAt(query.root).grep(query, options),
      glob: (query, options) => searchAt(query.root).glob(query, options),
      list: (query, options) => searchAt(query.root).list(query, options),
    },
    clock: host.clock,
    [Symbol.asyncDispose]: async () => await host[Symbol.asyncDispose](),
  };
}

function joined(directory: string, below: string): string {
  return below === "" ? directory : joinPath(directory, below);
}

const missing = async (path: string): Promise<never> => {
  throw fileError("ENOENT", path);
};

/** The host as a search in the store sees it: empty. */
const nothing: HostFs = {
  canonical: async (path) => path,
  stat: missing,
  readFile: missing,
  readRange: missing,
  async *open(path) {
    yield await missing(path);
  },
  writeAtomic: missing,
  append: missing,
  async *list(path) {
    yield await missing(path);
  },
  mkdir: missing,
  remove: missing,
  move: missing,
  readLink: missing,
};
