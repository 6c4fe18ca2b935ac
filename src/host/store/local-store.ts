import { homedir } from "node:os";
import { argumentError, type Store } from "../../core/index.ts";
import { isAbsolutePath, isKernelPath } from "../../text/index.ts";
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

/** Throws a TypeError for a directory in which nothing can be stored, where Node would try to create it without end. */
export function requireStorage(directory: string): void {
  if (!isKernelPath(directory)) return;
  throw argumentError(
    `The data directory ${directory} is in a file system of the kernel, which stores no files.`,
    { hint: "Choose another one with --data-dir, or dataDirectory in a program." },
  );
}

/** A local store in a directory that may depend on the home directory; a relative one is below the current one. */
export async function storeHere(directoryIn: (home: string) => string): Promise<Store> {
  const fs = new LocalFs();
  const home = await fs.canonical(homedir());
  const directory = await fs.canonical(directoryIn(home), { base: process.cwd() });
  requireStorage(directory);
  const files = { fs, directory, home, managed: "/etc" };
  return fileStore({ files, clock: systemClock, isOnDisk: true });
}
