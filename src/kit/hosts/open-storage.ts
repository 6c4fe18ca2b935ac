import { argumentError, type Host, type StoreFiles } from "../../core/index.ts";
import { isApart } from "../../host/index.ts";
import { filesOf, hostWithStore, requireStorage, storeHere } from "../../host/store/index.ts";
import { isWithin, joinPath } from "../../text/index.ts";
import { defaultDataDirectory } from "../../workspace/index.ts";
import type { ToolkitOptions } from "../options/options.ts";

/** Where a kit stores its own files. */
export interface OpenStorage {
  /** Directory of the own files, as paths show it; on no disk where they are in memory. */
  readonly dataDirectory: string;
  /** The data directory if it is one of this machine or of its host; undefined where own files are on no disk. */
  readonly diskDirectory: string | undefined;
  /** Directory on a host for what its programs write for haft: the data directory where that is on the host. */
  readonly programDirectoryOn: (host: Host) => string;
  /** Returns the host as haft itself acts on it: it finds its own files there, wherever they are. */
  readonly on: (host: Host) => Host;
}

/** Opens the store of the options, by default a directory of the machine of the user. */
export async function openStorage(
  host: Host,
  workspace: string,
  { store, dataDirectory }: Pick<ToolkitOptions, "store" | "dataDirectory">,
): Promise<OpenStorage> {
  if (store !== undefined && dataDirectory !== undefined) {
    throw argumentError("store and dataDirectory name two places; give one of them.");
  }
  const { holdsStore, home, cwd } = host.info;
  if (store === undefined && holdsStore !== undefined) {
    const given = dataDirectory ?? defaultDataDirectory(home, workspace);
    const directory = await host.fs.canonical(given, { base: cwd });
    if (isWithin(workspace, directory) && !isWithin(workspace, home)) {
      throw argumentError(`dataDirectory ${given} lies in the workspace; tools must not reach it.`);
    }
    requireStorage(directory);
    const files = { fs: host.fs, directory, home, managed: "/etc" };
    return storageOf(files, {
      diskDirectory: directory,
      holds: (other) => other.fs === host.fs || (isHere(other) && holdsStore === "this-machine"),
    });
  }
  const used =
    store ??
    (await storeHere((own) => dataDirectory ?? defaultDataDirectory(own, workspace, host.id)));
  const files = filesOf(used);
  const isOnDisk = used.directory !== undefined;
  return storageOf(files, {
    diskDirectory: used.area("sessions").directory,
    holds: (other) => isOnDisk && isHere(other),
  });
}

function isHere({ info }: Host): boolean {
  return info.holdsStore === "this-machine";
}

function storageOf(
  files: StoreFiles,
  {
    holds,
    diskDirectory,
  }: Pick<OpenStorage, "diskDirectory"> & {
    /** Whether the own files are at their paths on this host. */
    readonly holds: (host: Host) => boolean;
  },
): OpenStorage {
  const known = new WeakMap<Host, Host>();
  const temporary = new WeakMap<Host, string>();
  const on = (host: Host): Host => {
    const found = known.get(host);
    if (found !== undefined) return found;
    const made = holds(host) ? host : hostWithStore(host, files);
    known.set(host, made);
    known.set(made, made);
    return made;
  };
  return {
    diskDirectory,
    dataDirectory: files.directory,
    on,
    programDirectoryOn(host) {
      const used = on(host);
      if (!isApart(used)) return files.directory;
      // Another user of the machine must not know the name before haft creates it.
      const made =
        temporary.get(used) ?? joinPath(host.info.temporary, `haft-${crypto.randomUUID()}`);
      temporary.set(used, made);
      return made;
    },
  };
}
