import type { HostFile } from "./host/host-fs.ts";

/**
 * All changes that one call makes through its host. The journal begins it at the checkpoint, the call's narrowed host
 * makes each change through it, and the journal reads it when the call ends.
 *
 * Laws: no byte of a file changes before its before-image is durable; if `durable` rejects, nothing changes; a change
 * by another process is never attributed to the call.
 */
export interface WriteTransaction {
  /**
   * File as it was captured for undo right before the call. Undefined once the call has changed something, if the file
   * was not captured, or if it is larger than `maxBytes`.
   */
  captured(path: string, maxBytes?: number): HostFile | undefined;
  /**
   * Refuses to replace content that differs from the captured one and was not written by the call itself: undoing the
   * call would restore the captured content, and the replaced content would be lost. Throws STALE_READ.
   */
  requireCaptured(path: string, hash: string): void;
  /** Must be called before each change, with the paths at or below which something changes. */
  changing(paths: readonly string[]): void;
  /** Resolves when all before-images are durable. To be awaited between `changing` and the change. */
  durable(): Promise<unknown>;
  /** Records a file as the call wrote it, or "untouched" where the host refused the change. */
  wrote(path: string, file: WrittenFile | "untouched"): void;
}

/** A file that a call wrote; without its bytes if it is large. */
export type WrittenFile = Pick<HostFile, "stat" | "hash"> & Partial<Pick<HostFile, "bytes">>;

/**
 * State of the files that a call changed once, as far as it is known: the written file, or "untouched" where the host
 * refused the change. "nothing" where the call changed nothing at all.
 */
export type WrittenByCall = "nothing" | ReadonlyMap<string, WrittenFile | "untouched">;
