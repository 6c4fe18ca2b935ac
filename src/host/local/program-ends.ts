import { closeSync, constants, openSync } from "node:fs";

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
