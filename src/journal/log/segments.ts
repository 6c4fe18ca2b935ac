import { ToolError, type HostFs } from "../../core/index.ts";
import { isNotFound } from "../../text/index.ts";

/** Time for which additions go to one segment. */
const segmentMs = 60 * 60 * 1000;

/** Files of a directory to which lines are appended, with a new one each hour. */
export interface Segments {
  /** Oldest first. */
  readonly names: readonly string[];
  /**
   * Entries that have the name of a segment and are not files, with the reason. The empty name has the error of the
   * listing itself.
   */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** Name of the segment of a time, but not before number `least`. */
export function segmentName(time: number, least = 1): string {
  return `${String(Math.max(least, Math.floor(time / segmentMs))).padStart(10, "0")}.jsonl`;
}

/** Empty if the directory is missing: the first append creates it. */
export async function segmentsIn(fs: HostFs, directory: string): Promise<Segments> {
  const names: string[] = [];
  const unreadable = new Map<string, string>();
  try {
    for await (const { name, kind } of fs.list(directory)) {
      if (!/^\d{10}\.jsonl$/u.test(name)) continue;
      if (kind === "file") names.push(name);
      else unreadable.set(name, `a ${kind} is in its place`);
    }
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    if (!isNotFound(error)) unreadable.set("", error.message);
  }
  return { names: names.toSorted(), unreadable };
}
