import { ToolError, type HostFs } from "../../core/index.ts";
import { isMissing } from "../capture/snapshot.ts";

/** How long additions go to one segment. */
const segmentMs = 60 * 60 * 1000;

/** The files of a folder that lines are added to, a new one each hour. */
export interface Segments {
  /** Oldest first. */
  readonly names: readonly string[];
  /** What has the name of a segment and is no file, with the reason; under no name, why none could be listed. */
  readonly unreadable: ReadonlyMap<string, string>;
}

/** The name of the segment of some time, or of a later one. */
export function segmentName(time: number, least = 1): string {
  return `${String(Math.max(least, Math.floor(time / segmentMs))).padStart(10, "0")}.jsonl`;
}

/** None where the folder is missing: whoever adds a line makes it. */
export async function segmentsIn(fs: HostFs, directory: string): Promise<Segments> {
  const names: string[] = [];
  const unreadable = new Map<string, string>();
  try {
    for await (const { name, kind } of fs.list(directory)) {
      if (!/^\d{10}\.jsonl$/u.test(name)) continue;
      if (kind === "file") names.push(name);
      else unreadable.set(name, `a ${kind} stands in its place`);
    }
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    if (!isMissing(error)) unreadable.set("", error.message);
  }
  return { names: names.toSorted(), unreadable };
}
