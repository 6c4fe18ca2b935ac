import type { GlobEvent, GlobQuery } from "../../core/index.ts";
import { globFilter, type PathFilter } from "./glob-filter.ts";

const maxLinks = 20;
const maxDirectories = 5;

/** Counts what a glob matches in addition to the visible files. */
export class GlobMatches {
  readonly #query: GlobQuery;
  readonly #matches: PathFilter;
  readonly #prefix: number;
  readonly #links: string[] = [];
  #excluded = 0;
  #ignored = 0;
  readonly #directories: string[] = [];
  #directoryCount = 0;

  constructor(query: GlobQuery) {
    this.#query = query;
    this.#matches = globFilter(query.pattern);
    this.#prefix = query.root === "/" ? 1 : query.root.length + 1;
  }

  /** Whether a visible file is a result. */
  takes(path: string): boolean {
    return this.#matches(path.slice(this.#prefix)) && !this.#isExcluded(path);
  }

  /** Counts a link, or a file that is not visible. */
  passBy(path: string, kind: "file" | "symlink", isVisible: boolean): void {
    if (!this.#matches(path.slice(this.#prefix)) || this.#isExcluded(path)) return;
    // In a worktree and in a submodule `.git` is a file.
    if (!isVisible) this.#ignored += path.endsWith("/.git") ? 0 : 1;
    else if (kind === "symlink" && this.#links.length < maxLinks) this.#links.push(path);
  }

  /** Counts a directory that is not visible, except git's own. */
  passDirectory(path: string): void {
    if (path.endsWith("/.git") || this.#query.isExcluded?.(path) === true) return;
    this.#directoryCount += 1;
    this.#directories.push(path);
    if (this.#directories.length <= maxDirectories) return;
    // The order of the walk is arbitrary.
    this.#directories.sort(topFirst);
    this.#directories.pop();
  }

  end(partial: boolean): GlobEvent {
    const { excluded, ignored } = { excluded: this.#excluded, ignored: this.#ignored };
    const ignoredDirectories = {
      count: this.#directoryCount,
      examples: this.#directories.toSorted(topFirst),
    };
    return { kind: "end", excluded, ignored, ignoredDirectories, links: this.#links, partial };
  }

  #isExcluded(path: string): boolean {
    if (this.#query.isExcluded?.(path) !== true) return false;
    this.#excluded += 1;
    return true;
  }
}

function topFirst(one: string, other: string): number {
  return depthOf(one) - depthOf(other) || (one < other ? -1 : 1);
}

function depthOf(path: string): number {
  return path.split("/").length;
}
