import { readdirSync, readFileSync } from "node:fs";
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
