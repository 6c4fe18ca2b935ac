import { parentPath } from "../../text/index.ts";
import {
  lookHere,
  mountPoints,
  type FolderStamp,
  type Looking,
  type Moment,
} from "./standing-look.ts";

/** So few in a folder are looked at each time: to know that nothing was mounted takes as long. */
const fewPlaces = 64;
/** How far the clock may have been set back since. Being interrupted at the wrong moment looks like that as well. */
const maxSetBackMs = 100;
/**
 * A folder that changed so shortly before it was looked at may change again and say the same: times are kept in steps, of
 * ten milliseconds at most, and the clock may be set back a little.
 */
const settledMs = 250;
/** The same where times are kept in steps of up to two seconds. */
const coarselySettledMs = 3000;
const nanoseconds = 1_000_000n;

/** What stood at some paths when this was made, for a process that holds to it whatever stands there later. */
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

  /** False where something else stands at one of them; what has gone since is no loss. */
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

/** When all places of a folder were looked at. */
interface Seen {
  readonly stamp: string;
  readonly moment: Moment;
  /** Places that change while their folder does not: links, what cannot be seen, and where something is mounted. */
  readonly apart: readonly string[];
}

/**
 * The places of one folder. While it says what it said when they were looked at, and nothing was mounted since, no entry of
 * it can be another: they are then not looked at again. In any doubt all of them are.
 */
class StandingFolder {
  readonly isLarge: boolean;
  readonly #path: string;
  readonly #looking: Looking;
  readonly #known = new Map<string, string | undefined>();
  #seen: Seen | undefined;

  /** With a moment, which is before anything of it is looked at, it may be found the same by itself. */
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

  /** Undefined where it could change and say the same. */
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
