import type { HostFile } from "./host.ts";

/** A file that a call wrote; without its bytes where they are many. */
export type LeftFile = Pick<HostFile, "stat" | "hash"> & Partial<Pick<HostFile, "bytes">>;

/**
 * What became of files that a call changed once, as far as that is known: what it made of one, or that the host
 * refused. "nothing" where it has changed nothing at all.
 */
export type LeftByCall = "nothing" | ReadonlyMap<string, LeftFile | "untouched">;
