import { joinPath, pathExists } from "../../text/index.ts";
import { type Host } from "../../core/index.ts";
import {
  deniedPlaces,
  openedPlaces,
  type NamedPlace,
  type NamedPlaces,
  type WrittenBy,
} from "../../policy/index.ts";

/** Existing paths that the rules deny and allow. */
export interface RuledPaths {
  readonly hide: readonly string[];
  readonly keep: readonly string[];
  readonly open: readonly string[];
  readonly reads: readonly string[];
  /** Whether some files that patterns name are absent, because there were too many or the search took too long. */
  readonly isPartial: boolean;
}

/** Maximum number of files listed for a sandbox, and of milliseconds spent on finding them. */
const maxFiles = 500;
const lookMs = 300;
/** Milliseconds after which a pattern is searched for again: matching files may appear at any time. */
const freshMs = 3000;

/** Returns the paths of the current rules; searches for denied paths at most once in `freshMs`. */
export function ruledPaths(host: Host): (by: WrittenBy) => Promise<RuledPaths> {
  let last: {
    readonly rules: WrittenBy["rules"];
    readonly at: number;
    readonly kept: Promise<KeptPaths>;
  };
  return async (by) => {
    const now = host.clock.now();
    const { read, write } = openedPlaces(by);
    if (last === undefined || last.rules !== by.rules || now - last.at > freshMs) {
      last = { rules: by.rules, at: now, kept: look(host, deniedPlaces(by)) };
    }
    return { ...(await last.kept), open: wholePaths(write), reads: wholePaths(read) };
  };
}

type KeptPaths = Pick<RuledPaths, "hide" | "keep" | "isPartial">;

async function look(host: Host, { read, write }: NamedPlaces): Promise<KeptPaths> {
  const looking = new Looking(host);
  const [hide, keep] = [await looking.at(read), await looking.at(write)];
  return { hide, keep, isPartial: looking.isPartial };
}

/** Returns the paths that allow rules open as a whole; a rule for some files of a directory opens nothing here. */
export function wholePaths(places: readonly NamedPlace[]): readonly string[] {
  return places.flatMap(({ path, below }) => (below === undefined && path !== "/" ? [path] : []));
}

class Looking {
  readonly #host: Host;
  readonly #startedAt: number;
  readonly #looked = new Map<string, readonly string[]>();
  isPartial = false;

  constructor(host: Host) {
    this.#host = host;
    this.#startedAt = host.clock.now();
  }

  async at(places: readonly NamedPlace[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const { path, below } of places) {
      if (below !== undefined) found.push(...(await this.#files(path, below)));
      else if (path !== "/") found.push(path);
    }
    return [...new Set(found)];
  }

  async #files(root: string, below: string): Promise<readonly string[]> {
    const key = `${root}\0${below}`;
    const known = this.#looked.get(key) ?? (await this.#search(root, below));
    this.#looked.set(key, known);
    return known;
  }

  async #search(root: string, below: string): Promise<readonly string[]> {
    const pattern = below.includes("/") ? below : `/${below}`;
    const found: string[] = [];
    // A directory that matches the pattern includes everything below it.
    for (const glob of below.endsWith("/**") ? [pattern] : [pattern, `${pattern}/**`]) {
      try {
        const events = this.#host.search.glob({ root, pattern: glob, includeIgnored: true });
        for await (const event of events) {
          if (event.kind === "end") this.isPartial ||= event.partial;
          else found.push(...event.files.map(({ path }) => joinPath(root, path)));
          if (found.length > maxFiles || this.#host.clock.now() - this.#startedAt > lookMs) {
            this.isPartial = true;
            return found.slice(0, maxFiles);
          }
        }
      } catch {
        // A missing root has no files; for an unreadable one the result is partial.
        this.isPartial ||= await pathExists(this.#host.fs, root);
      }
    }
    return found;
  }
}
