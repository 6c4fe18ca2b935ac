import ignore from "ignore";
import { isWithin } from "../../text/index.ts";
import {
  ToolError,
  type HostEntry,
  type HostFs,
  type HostOptions,
  type ListEntry,
  type ListEvent,
  type ListQuery,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import type { Visibility } from "./visibility/visibility.ts";
import { VisibleFiles, type SeenEntry } from "./visibility/visible-files.ts";

/** Maximum number of entries read per directory. */
const maxListed = 20_000;

interface Folder {
  readonly path: string;
  readonly rules: Visibility;
}

/**
 * Lists level by level, so that a limit cuts off the deepest levels and not the last directories of the first level.
 */
export async function* listTree(
  fs: HostFs,
  query: ListQuery,
  options: HostOptions | undefined,
): AsyncGenerator<ListEvent> {
  const listing = new Listing(fs, query, options);
  let level = [await listing.top()];
  for (let depth = query.depth ?? 1; depth > 0 && level.length > 0; depth -= 1) {
    const next: Folder[] = [];
    for (const folder of level) {
      throwIfAborted(options?.signal);
      for (const { entry, rules } of await listing.open(folder)) {
        yield { kind: "entry", entry };
        if (entry.kind === "directory" && !entry.isIgnored) next.push({ path: entry.path, rules });
      }
    }
    level = next;
  }
  yield listing.end();
}

interface ListedEntry {
  readonly entry: ListEntry;
  /** The rules for its entries. */
  readonly rules: Visibility;
}

/** Counts of a listing, the room that is left, and the event for each entry. */
class Listing {
  readonly #fs: HostFs;
  readonly #query: ListQuery;
  readonly #options: HostOptions | undefined;
  readonly #visible: VisibleFiles;
  readonly #unwanted: (below: string) => boolean;
  #told = 0;
  #notTold = 0;
  #ignored = 0;
  #excluded = 0;
  #isPartial = false;

  constructor(fs: HostFs, query: ListQuery, options: HostOptions | undefined) {
    this.#fs = fs;
    this.#query = query;
    this.#options = options;
    this.#visible = new VisibleFiles(fs, query, options);
    const { leaveOut = [] } = query;
    const unwanted = ignore({ ignorecase: false }).add([...leaveOut]);
    // Asking takes longer than listing, also where there is no pattern.
    this.#unwanted = leaveOut.length === 0 ? () => false : (below) => unwanted.ignores(below);
  }

  async top(): Promise<Folder> {
    const { root } = this.#query;
    return { path: root, rules: await this.#visible.rulesAbove(root) };
  }

  async open(folder: Folder): Promise<readonly ListedEntry[]> {
    const listed = await this.#list(folder.path);
    const { entries } = await this.#visible.judge(folder.path, folder.rules, listed);
    const shown = entries.filter((entry) => this.#isShown(entry));
    const room = Math.max(0, (this.#query.maxEntries ?? Infinity) - this.#told);
    const told = shown.toSorted(foldersFirst).slice(0, room);
    this.#told += told.length;
    this.#notTold += shown.length - told.length;
    return Promise.all(
      told.map(async (each) => ({ entry: await this.#entry(each), rules: each.rules })),
    );
  }

  end(): ListEvent {
    return {
      kind: "end",
      excluded: this.#excluded,
      ignored: this.#ignored,
      notTold: this.#notTold,
      partial: this.#isPartial,
    };
  }

  async #list(path: string): Promise<readonly HostEntry[]> {
    const entries: HostEntry[] = [];
    try {
      for await (const entry of this.#fs.list(path, this.#options)) {
        if (entries.length >= maxListed) {
          this.#isPartial = true;
          break;
        }
        entries.push(entry);
      }
    } catch (error) {
      // An unreadable directory must not hide the others; only the root itself is an error.
      const isBelow = path !== this.#query.root;
      if (!isBelow || !ToolError.is(error) || error.code === "ABORTED") throw error;
      this.#isPartial = true;
    }
    return entries;
  }

  #isShown({ name, path, kind, isVisible }: SeenEntry): boolean {
    if (this.#query.isExcluded?.(path) === true) {
      this.#excluded += 1;
      return false;
    }
    const { root, directoriesOnly } = this.#query;
    const below = path.slice(root === "/" ? 1 : root.length + 1);
    if (this.#unwanted(kind === "directory" ? `${below}/` : below)) return false;
    // Ignored directories are listed by name, because their existence is useful to know; their content is not.
    if (kind === "directory") return true;
    if (isVisible) return directoriesOnly !== true;
    // In a worktree and in a submodule `.git` is a file.
    if (name !== ".git") this.#ignored += 1;
    return false;
  }

  async #entry({ name, kind, path, isVisible }: SeenEntry): Promise<ListEntry> {
    const entry = { name, kind, path, isIgnored: !isVisible };
    if (kind === "file") {
      const stat = await this.#quietly(async () => this.#fs.stat(path, this.#options));
      return stat === undefined ? entry : { ...entry, size: stat.size };
    }
    if (kind !== "symlink") return entry;
    const target = await this.#quietly(async () => this.#fs.readLink(path, this.#options));
    if (target === undefined) return entry;
    return { ...entry, target, ...((await this.#isBroken(path)) ? { isBroken: true } : {}) };
  }

  /**
   * Whether a link below the root is broken. Other targets are not checked: the listing must not reveal whether they
   * exist.
   */
  async #isBroken(path: string): Promise<boolean> {
    const at = await this.#quietly(async () => this.#fs.canonical(path, this.#options));
    if (at === undefined || !isWithin(this.#query.root, at)) return false;
    if (this.#query.isExcluded?.(at) === true) return false;
    try {
      await this.#fs.stat(at, this.#options);
      return false;
    } catch (error) {
      return ToolError.is(error) && error.code === "NOT_FOUND";
    }
  }

  /** The result, or undefined if the entry was removed in the meantime or is not accessible. */
  async #quietly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!ToolError.is(error) || error.code === "ABORTED") throw error;
      return undefined;
    }
  }
}

function foldersFirst(one: SeenEntry, other: SeenEntry): number {
  const byKind = Number(other.kind === "directory") - Number(one.kind === "directory");
  return byKind || (one.name < other.name ? -1 : 1);
}
