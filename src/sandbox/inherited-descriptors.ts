import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import type { Descriptor } from "../core/index.ts";

const closeOnExec = 0o2000000;

/**
 * Returns the descriptors this process inherited and every process it starts would inherit too, each replaced by
 * /dev/null: an open file or directory stays accessible whatever a sandbox says.
 */
export function inheritedDescriptors(above: number): readonly Descriptor[] {
  return leaking()
    .filter((number) => number > above)
    .map((number) => ({ number, kind: "file", path: "/dev/null" }));
}

/**
 * Returns replacements from a descriptor number on for a caller that spawns a program itself; close them after the
 * start.
 */
export function nothingInherited(from: number): {
  readonly stdio: readonly (number | "ignore")[];
  close(): void;
} {
  const numbers = leaking().filter((number) => number >= from);
  if (numbers.length === 0) return { stdio: [], close: () => undefined };
  // "ignore" alone would leave the inherited descriptor as it is.
  const nothing = openSync("/dev/null", "r");
  return {
    stdio: Array.from({ length: Math.max(...numbers) - from + 1 }, (_, at) =>
      numbers.includes(from + at) ? nothing : "ignore",
    ),
    close: () => closeSync(nothing),
  };
}

/** Lists them again for every start: native code may open something at any time. */
function leaking(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((number) => number > 2 && isInherited(number));
  } catch {
    return [];
  }
}

/** Large enough for the first lines of the file. */
const text = Buffer.alloc(128);

function isInherited(number: number): boolean {
  let info: number;
  try {
    info = openSync(`/proc/self/fdinfo/${number}`, "r");
  } catch {
    // It was the descriptor used to read the directory.
    return false;
  }
  try {
    const [, flags] =
      /^flags:\s+([0-7]+)$/mu.exec(text.toString("latin1", 0, readSync(info, text))) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } finally {
    closeSync(info);
  }
}
