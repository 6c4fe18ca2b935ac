import { closeSync, readdirSync, readFileSync } from "node:fs";

const closeOnExec = 0o2000000;

/**
 * Closes all descriptors that this process inherited except its standard streams; otherwise every program it starts
 * would inherit them too.
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
      // This was the descriptor of the directory listing.
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
