import { closeSync, constants, open, openSync } from "node:fs";
import { promisify } from "node:util";

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

/** A directory that another process holds, opened the same way. */
export async function openDirectoryElsewhere(path: string): Promise<number> {
  return await openLater(path, openPath | constants.O_DIRECTORY);
}
