import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
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

function leaking(): readonly number[] {
  try {
    return readdirSync("/proc/self/fdinfo").flatMap((name) => {
      const number = Number(name);
      if (number <= 2) return [];
      const flags = /^flags:\s+([0-7]+)$/mu.exec(readIfThere(`/proc/self/fdinfo/${name}`))?.[1];
      return flags === undefined || (Number.parseInt(flags, 8) & closeOnExec) !== 0 ? [] : [number];
    });
  } catch {
    return [];
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
