/** Options of every operation. */
export interface HostOptions {
  /** Ends the operation with ABORTED. */
  readonly signal?: AbortSignal | undefined;
}

/** State of a path. */
export interface HostStat {
  /** Absolute path. */
  readonly path: string;
  /** Kind of what is there; a link is not followed. */
  readonly kind: "file" | "directory" | "symlink" | "fifo" | "socket" | "device";
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, to the microsecond where the machine knows it. */
  readonly mtimeMs: number;
  /**
   * Milliseconds since the epoch of the last change of content, permission bits, times or name. Programs cannot set it
   * back. Absent where the host cannot tell.
   */
  readonly ctimeMs?: number;
  /** Permission bits, as in 0o644. */
  readonly mode: number;
  /** Number of names (hard links) of a file; absent where it is one, or the host cannot tell. */
  readonly names?: number;
  /** Opaque identity shared by all names of a file; absent where `names` is. */
  readonly node?: string;
  /** Changes whenever the file is replaced or written: device, inode, size and time, opaque. */
  readonly version: string;
}
