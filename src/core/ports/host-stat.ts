export interface HostOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface HostStat {
  readonly path: string;
  readonly kind: "file" | "directory" | "symlink" | "fifo" | "socket" | "device";
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, to the microsecond where the machine knows it. */
  readonly mtimeMs: number;
  /** When anything of it last changed: content, permission bits, times, name. Nobody can set it back. Missing where the host cannot tell. */
  readonly ctimeMs?: number;
  /** Permission bits, as in 0o644. */
  readonly mode: number;
  /** How many names a file has; left out where it is one, or the host cannot tell. */
  readonly names?: number;
  /** Identity that all names of a file have in common, opaque: left out as `names` is. */
  readonly node?: string;
  /** Changes whenever the file is replaced or written: device, inode, size and time, opaque. */
  readonly version: string;
}
