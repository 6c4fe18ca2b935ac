import type { HostFile } from "./host/host-fs.ts";

/** A file that a call wrote; without its bytes if it is large. */
export type LeftFile = Pick<HostFile, "stat" | "hash"> & Partial<Pick<HostFile, "bytes">>;

/**
 * State of the files that a call changed once, as far as it is known: the written file, or "untouched" where the host
 * refused the change. "nothing" where the call changed nothing at all.
 */
export type LeftByCall = "nothing" | ReadonlyMap<string, LeftFile | "untouched">;
