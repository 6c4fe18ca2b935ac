import { closeSync, constants, fstatSync, open, openSync } from "node:fs";
import { promisify } from "node:util";
import type { FileIdentity } from "../helper/protocol.ts";

/** Descriptors for stdin, stdout and stderr of a program. */
export type ProgramEnds = readonly (number | "ignore")[];

/** Opens the descriptors for one program; null means none. They are closed once the program runs. */
export function openProgramEnds(paths: readonly (string | null)[]): ProgramEnds {
  const opened: (number | "ignore")[] = [];
  try {
    for (const [index, path] of paths.entries()) {
      const access = index === 0 ? constants.O_RDONLY : constants.O_WRONLY;
      opened.push(path === null ? "ignore" : openSync(path, access));
    }
    return opened;
  } catch (error) {
    closeProgramEnds(opened);
    throw error;
  }
}

export function closeProgramEnds(ends: ProgramEnds): void {
  for (const end of ends) {
    if (end !== "ignore") closeSync(end);
  }
}

const openLater = promisify(open);

/**
 * Opens the descriptors on another thread, for a process that has confined its main thread but not the others. Null,
 * "ignore" and missing entries are treated as above.
 */
export async function openProgramEndsElsewhere(
  paths: readonly (string | null)[],
): Promise<ProgramEnds> {
  const opened: (number | "ignore")[] = [];
  try {
    for (const [index, path] of paths.entries()) {
      const access = index === 0 ? constants.O_RDONLY : constants.O_WRONLY;
      opened.push(path === null ? "ignore" : await openLater(path, access));
    }
    return opened;
  } catch (error) {
    closeProgramEnds(opened);
    throw error;
  }
}

/** O_PATH: a handle to a path that cannot read its content. */
const openPath = 0o10000000;

/** Opens a directory on another thread; throws if it is not the expected one. */
export async function openDirectoryElsewhere(path: string, at?: FileIdentity): Promise<number> {
  return await openMeant({ path, at, flags: openPath | constants.O_DIRECTORY });
}

/** Opens a file for reading on another thread; throws if it is not the expected one. */
export async function openFileElsewhere(path: string, at?: FileIdentity): Promise<number> {
  return await openMeant({ path, at, flags: constants.O_RDONLY | constants.O_NONBLOCK });
}

interface Meant {
  readonly path: string;
  readonly at: FileIdentity | undefined;
  readonly flags: number;
}

async function openMeant({ path, at, flags }: Meant): Promise<number> {
  const opened = await openLater(path, flags);
  if (at === undefined) return opened;
  const { dev, ino } = fstatSync(opened, { bigint: true });
  if (String(dev) === at.dev && String(ino) === at.ino) return opened;
  closeSync(opened);
  throw new TypeError("Another file is there now.");
}
