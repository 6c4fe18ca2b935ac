import { parentPath } from "../../text/index.ts";
import {
  lookHere,
  mountPoints,
  type FolderStamp,
  type Looking,
  type Moment,
} from "./path-identity.ts";

/** Directories with at most this many paths are inspected every time: reading the mount table costs as much. */
const fewPlaces = 64;
/** Maximum setback of the clock, in milliseconds, that is tolerated. A delay at the wrong moment looks the same. */
const maxSetBackMs = 100;
/**
 * Minimum age of a directory's last change, in milliseconds. A younger directory may change again without a new stamp:
 * times are stored in steps of up to ten milliseconds, and the clock may be set back a little.
 */
const settledMs = 250;
/** Minimum age, in milliseconds, where times are stored in steps of up to two seconds. */
const coarselySettledMs = 3000;
const nanoseconds = 1_000_000n;

/** Identities of some paths when this was created, for a process that relies on the original nodes. */
export class StandingPaths {
  readonly #looking: Looking;
  readonly #folders: readonly StandingFolder[];

  constructor(paths: readonly string[], looking: Looking = lookHere) {
    this.#looking = looking;
    const byFolder = Map.groupBy(new Set(paths), parentPath);
    const moment = Array.from(byFolder.values()).some(isLarge) ? looking.moment() : undefined;
    this.#folders = Array.from(
      byFolder,
      ([path, places]) =>
        new StandingFolder({ path, places, looking }, isLarge(places) ? moment : undefined),
    );
  }

  /** False if another node is at one of the paths; a removed path does not count. */
  isSame(): boolean {
    let moment: Moment | undefined;
    return this.#folders.every((folder) =>
      folder.isSame(folder.isLarge ? (moment ??= this.#looking.moment()) : undefined),
    );
  }
}

interface FolderPlaces {
  readonly path: string;
  readonly places: readonly string[];
  readonly looking: Looking;
}

/** State of a directory when all its paths were inspected. */
interface Seen {
  readonly stamp: string;
  readonly moment: Moment;
  /** Paths that can change without a change of the directory: links, unreadable paths and mount points. */
  readonly apart: readonly string[];
}

/**
 * The paths of one directory. While its stamp is unchanged and nothing was mounted since, none of its entries can have
 * been replaced, so they are not inspected again. In any doubt all of them are.
 */
class StandingFolder {
  readonly isLarge: boolean;
  readonly #path: string;
  readonly #looking: Looking;
  readonly #known = new Map<string, string | undefined>();
  #seen: Seen | undefined;

  /** With a moment, taken before any inspection, the stamp alone can prove the directory unchanged. */
  constructor({ path, places, looking }: FolderPlaces, moment: Moment | undefined) {
    this.isLarge = moment !== undefined;
    this.#path = path;
    this.#looking = looking;
    const stamp = moment && looking.folder(path);
    const apart: string[] = [];
    for (const place of places) {
      const standing = looking.at(place);
      this.#known.set(place, standing?.identity);
      if (standing?.isApart === true) apart.push(place);
    }
    this.#seen = moment && this.#seenAt(moment, { stamp, apart });
  }

  isSame(moment: Moment | undefined): boolean {
    const stamp = moment && this.#looking.folder(this.#path);
    if (this.#isAsSeen(moment, stamp)) return this.#areSame(this.#seen?.apart ?? []);
    const apart: string[] = [];
    const isSame = this.#areSame(this.#known.keys(), apart);
    this.#seen = isSame ? moment && this.#seenAt(moment, { stamp, apart }) : undefined;
    return isSame;
  }

  #areSame(places: Iterable<string>, apart?: string[]): boolean {
    for (const place of places) {
      const standing = this.#looking.at(place);
      const identity = standing?.identity;
      if (identity !== undefined && identity !== this.#known.get(place)) return false;
      if (standing?.isApart === true) apart?.push(place);
    }
    return true;
  }

  #isAsSeen(moment: Moment | undefined, stamp: FolderStamp | undefined): boolean {
    const seen = this.#seen;
    if (seen === undefined || moment === undefined || stamp === undefined) return false;
    const isSetBack = moment.ahead.least < seen.moment.ahead.most - maxSetBackMs;
    return !isSetBack && moment.mounts === seen.moment.mounts && stamp.text === seen.stamp;
  }

  /** Undefined if the directory could change without a new stamp. */
  #seenAt(
    moment: Moment,
    {
      stamp,
      apart,
    }: { readonly stamp: FolderStamp | undefined; readonly apart: readonly string[] },
  ): Seen | undefined {
    const { now, mounts } = moment;
    if (stamp === undefined || mounts === undefined) return undefined;
    const isCoarse = stamp.changedNs % nanoseconds === 0n;
    const settledAt =
      Number(stamp.changedNs / nanoseconds) + 1 + (isCoarse ? coarselySettledMs : settledMs);
    if (now < settledAt || !this.#looking.isReliable(this.#path)) return undefined;
    const points = mountPoints(mounts);
    const mounted = Array.from(this.#known.keys()).filter((place) => points.has(place));
    return { stamp: stamp.text, moment, apart: [...apart, ...mounted] };
  }
}

function isLarge(places: readonly string[]): boolean {
  return places.length >= fewPlaces;
}
