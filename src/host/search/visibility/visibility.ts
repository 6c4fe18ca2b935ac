import type { DefaultExcludes } from "../../../core/index.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { isAlwaysIgnored } from "./always-ignored.ts";
import type { TrackedFiles } from "./tracked-files.ts";

interface Facts {
  readonly excludes: DefaultExcludes | "nothing";
  readonly ignored: IgnoreRules;
  readonly tracked: TrackedFiles | undefined;
  /** Whether the directory is visible only because of tracked files in it. */
  readonly isTrackedOnly: boolean;
}

/** Rules that decide which entries of one directory a search sees: ignore files, the default list and git's index. */
export class Visibility {
  static readonly everything = new Visibility({
    excludes: "nothing",
    ignored: IgnoreRules.none,
    tracked: undefined,
    isTrackedOnly: false,
  });
  readonly #facts: Facts;
  #trackedOnly: Visibility | undefined;

  private constructor(facts: Facts) {
    this.#facts = facts;
  }

  static with(excludes: DefaultExcludes): Visibility {
    return new Visibility({ ...Visibility.everything.#facts, excludes });
  }

  get ignored(): IgnoreRules {
    return this.#facts.ignored;
  }

  get tracked(): TrackedFiles | undefined {
    return this.#facts.tracked;
  }

  ignoring(ignored: IgnoreRules): Visibility {
    return ignored === this.#facts.ignored ? this : new Visibility({ ...this.#facts, ignored });
  }

  tracking(tracked: TrackedFiles | undefined): Visibility {
    return new Visibility({ ...this.#facts, tracked });
  }

  /** Whether an entry is visible regardless of what git tracks. */
  isUnquestioned(path: string, name: string, isDirectory: boolean): boolean {
    const { excludes, ignored, isTrackedOnly } = this.#facts;
    if (excludes === "nothing") return true;
    if (isTrackedOnly || name === ".git") return false;
    if (excludes !== "never" && isAlwaysIgnored(name, isDirectory)) return false;
    return !ignored.ignores(path, name, isDirectory);
  }

  /**
   * The rules for the entries of a visible directory; for a visible file these rules; undefined for an invisible entry.
   */
  seen(path: string, name: string, isDirectory: boolean): Visibility | undefined {
    const { excludes, ignored, tracked, isTrackedOnly } = this.#facts;
    if (this.isUnquestioned(path, name, isDirectory)) return this;
    // In a linked worktree `.git` is a file.
    if (name === ".git") return undefined;
    if (excludes === "always" && isAlwaysIgnored(name, isDirectory)) return undefined;
    if (tracked?.has(path, isDirectory) !== true) return undefined;
    if (ignored.ignoresTracked(path, name, isDirectory)) return undefined;
    if (!isDirectory || isTrackedOnly) return this;
    this.#trackedOnly ??= new Visibility({ ...this.#facts, isTrackedOnly: true });
    return this.#trackedOnly;
  }
}
