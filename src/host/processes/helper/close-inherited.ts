import { closeSync, readdirSync, readFileSync } from "node:fs";

const closeOnExec = 0o2000000;

/**
 * Closes whatever this process was given open besides its input and outputs, which it would hand on to every program it
 * starts for as long as it lives.
 */
export function closeInherited(): void {
  for (const number of openNumbers()) {
    if (number <= 2) continue;
    try {
      const info = readFileSync(`/proc/self/fdinfo/${number}`, "latin1");
      const flags = /^flags:\s+([0-7]+)$/mu.exec(info)?.[1];
      const isInherited = flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
      if (isInherited) closeSync(number);
    } catch {
      // It was the one by which the folder was read.
    }
  }
}

function openNumbers(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}
