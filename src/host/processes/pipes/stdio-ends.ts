import { closeSync, constants, fstatSync, open, openSync } from "node:fs";
import { promisify } from "node:util";
import type { FileIdentity } from "../helper/protocol.ts";

/** What a program gets as stdin, stdout and stderr. */
export type ProgramEnds = readonly (number | "ignore")[];

/** Opens them for a program to use as it likes; null stands for nothing. They are closed once it runs. */
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
 * The same for a process that has confined the thread it runs on: others of its threads open them, which are not.
 * What is null, "ignore" or missing is treated as above.
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

/** O_PATH: a handle on a place, that reads nothing. */
const openPath = 0o10000000;

/** A directory, opened the same way; an error where it is not the one that was meant. */
export async function openDirectoryElsewhere(path: string, at?: FileIdentity): Promise<number> {
  return await openMeant({ path, at, flags: openPath | constants.O_DIRECTORY });
}

/** A file to read, likewise. */
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
  throw new TypeError("Another file stands there now.");
}
