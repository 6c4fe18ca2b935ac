import { homedir } from "node:os";
import { argumentError, type Store } from "../../core/index.ts";
import { isAbsolutePath } from "../../text/index.ts";
import { systemClock } from "../clock.ts";
import { LocalFs } from "../files/local-fs.ts";
import { fileStore } from "./file-store.ts";

/**
 * A store in a directory of this machine, which several processes may share. The user's own settings are those in the
 * home directory. Rejects with a TypeError if the path is not absolute.
 *
 * @example
 * const kit = await createToolkit({ host, store: await localStore("/home/me/haft-data") });
 */
export async function localStore(directory: string): Promise<Store> {
  if (typeof directory !== "string" || !isAbsolutePath(directory)) {
    throw argumentError("localStore takes an absolute path.");
  }
  return await storeHere(() => directory);
}

/** A local store in a directory that may depend on the home directory; a relative one is below the current one. */
export async function storeHere(directoryIn: (home: string) => string): Promise<Store> {
  const fs = new LocalFs();
  const home = await fs.canonical(homedir());
  const directory = await fs.canonical(directoryIn(home), { base: process.cwd() });
  const files = { fs, directory, home, managed: "/etc" };
  return fileStore({ files, clock: systemClock, isOnDisk: true });
}
