/** One overlay, from all its sides. */
export interface OverlayLayers {
  /** The real tree, canonical. */
  readonly root: string;
  /** What was written. */
  readonly upper: string;
  /** Where overlayfs keeps the files that have several names. */
  readonly index: string;
  /** What a command sees. */
  readonly merged: string;
  /** Paths that are mounted straight through. */
  readonly through: ReadonlySet<string>;
  /** What directories beside the upper layer begin with, for sources that are not in it. */
  readonly extra: string;
  /** Whether all names of a file stay one file in the overlay. */
  readonly keepsLinks: boolean;
  /** Directories of the upper layer that were closed to their owner, with the mode they had before they were opened. */
  readonly opened: Map<string, bigint>;
}
