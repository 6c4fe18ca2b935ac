/** Paths and state of one overlay. */
export interface OverlayLayers {
  /** Root of the real tree, canonical. */
  readonly root: string;
  /** Upper layer, which holds what was written. */
  readonly upper: string;
  /** Directory in which overlayfs indexes files that have several names. */
  readonly index: string;
  /** Merged tree, as a command sees it. */
  readonly merged: string;
  /** Paths that are mounted directly from the real tree. */
  readonly through: ReadonlySet<string>;
  /** Prefix of directories next to the upper layer, for sources that are not in it. */
  readonly extra: string;
  /** Whether all names of a file stay linked in the overlay. */
  readonly keepsLinks: boolean;
  /** Directories of the upper layer that were closed to their owner, with their mode before they were opened. */
  readonly opened: Map<string, bigint>;
}
