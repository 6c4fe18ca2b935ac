import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import type { Descriptor } from "../core/index.ts";

const closeOnExec = 0o2000000;

/**
 * Descriptors this process was given and every process it starts would get too, each with nothing in its place:
 * a file or a directory that is open already is open whatever a sandbox says.
 */
export function inheritedDescriptors(above: number): readonly Descriptor[] {
  return leaking()
    .filter((number) => number > above)
    .map((number) => ({ number, kind: "file", path: "/dev/null" }));
}

/** The same for who starts a program by itself: what it gets from a descriptor on, until it runs. */
export function nothingInherited(from: number): {
  readonly stdio: readonly (number | "ignore")[];
  close(): void;
} {
  const numbers = leaking().filter((number) => number >= from);
  if (numbers.length === 0) return { stdio: [], close: () => undefined };
  // "ignore" alone would leave what is there as it is.
  const nothing = openSync("/dev/null", "r");
  return {
    stdio: Array.from({ length: Math.max(...numbers) - from + 1 }, (_, at) =>
      numbers.includes(from + at) ? nothing : "ignore",
    ),
    close: () => closeSync(nothing),
  };
}

/** Looked up anew for every start: code that is not JavaScript may open something at any time. */
function leaking(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((number) => number > 2 && isInherited(number));
  } catch {
    return [];
  }
}

/** Enough for what comes first in it. */
const text = Buffer.alloc(128);

function isInherited(number: number): boolean {
  let info: number;
  try {
    info = openSync(`/proc/self/fdinfo/${number}`, "r");
  } catch {
    // It was the one by which the folder was read.
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
