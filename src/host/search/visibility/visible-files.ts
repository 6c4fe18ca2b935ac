import { parentPath } from "../../../text/index.ts";
import {
  ToolError,
  type DefaultExcludes,
  type HostEntry,
  type HostFs,
  type HostOptions,
} from "../../../core/index.ts";
import { throwIfAborted } from "../../aborted.ts";
import { ignoreFilesAmong, IgnoreRules } from "./ignore-rules.ts";
import { openTrackedFiles } from "./tracked-files.ts";
import { Visibility } from "./visibility.ts";

const maxIgnoreFileBytes = 4_194_304;

/** A directory entry, with whether a search includes it. */
export interface SeenEntry extends HostEntry {
  readonly path: string;
  readonly isVisible: boolean;
  /** The rules for the entries of a visible directory. */
  readonly rules: Visibility;
}

/** One directory of a walk. */
export interface SeenDirectory {
  readonly entries: readonly SeenEntry[];
  /** The rules that apply in the directory, including its own ignore files. */
  readonly rules: Visibility;
}

export interface VisibleFilesOptions {
  readonly includeIgnored?: boolean | undefined;
  readonly defaultExcludes?: DefaultExcludes | undefined;
}

/** Determines the visible entries of a directory, by the rules above it and in it, in the same way for every search. */
export class VisibleFiles {
  readonly #fs: HostFs;
  readonly #includeIgnored: boolean;
  readonly #excludes: DefaultExcludes;
  readonly #options: HostOptions | undefined;

  constructor(
    fs: HostFs,
    { includeIgnored = false, defaultExcludes = "untracked" }: VisibleFilesOptions,
    options: HostOptions | undefined,
  ) {
    this.#fs = fs;
    this.#includeIgnored = includeIgnored;
    this.#excludes = defaultExcludes;
    this.#options = options;
  }

  /**
   * The rules that apply above a root: those of its repository, from the top down to the root's parent; none outside a
   * repository. An ignored directory is searched if it is named as the root.
   */
  async rulesAbove(root: string): Promise<Visibility> {
    if (this.#includeIgnored) return Visibility.everything;
    const none = Visibility.with(this.#excludes);
    const above: string[] = [];
    let top: string | undefined;
    for (let at = root; top === undefined; at = parentPath(at)) {
      if (at !== root) above.unshift(at);
      if (await this.#exists(childPath(at, ".git"))) top = at;
      if (at === "/") break;
    }
    if (top === undefined) return none;
    const tracked = none.tracking(await openTrackedFiles(this.#fs, top, this.#options));
    let rules = IgnoreRules.none;
    for (const directory of above) {
      if (isIgnoredAt(rules, directory)) return tracked;
      rules = await this.#within(rules, directory, everyName);
    }
    return isIgnoredAt(rules, root) ? tracked : tracked.ignoring(rules);
  }

  /** The entries of a directory. Throws what listing it throws. */
  async look(directory: string, above: Visibility): Promise<SeenDirectory> {
    const entries: HostEntry[] = [];
    for await (const entry of this.#fs.list(directory, this.#options)) entries.push(entry);
    return this.judge(directory, above, entries);
  }

  /** The result of `look` for entries that were listed already. */
  async judge(
    directory: string,
    above: Visibility,
    entries: readonly HostEntry[],
  ): Promise<SeenDirectory> {
    let rules = above;
    if (!this.#includeIgnored) {
      const names = new Set(entries.map((entry) => entry.name));
      rules = rules.ignoring(await this.#within(rules.ignored, directory, names));
    }
    const seen = entries.map(({ name, kind }): SeenEntry => {
      const path = childPath(directory, name);
      const below = rules.seen(path, name, kind === "directory");
      return { name, kind, path, isVisible: below !== undefined, rules: below ?? rules };
    });
    return { entries: seen, rules };
  }

  async #within(
    rules: IgnoreRules,
    directory: string,
    names: ReadonlySet<string>,
  ): Promise<IgnoreRules> {
    const wanted = ignoreFilesAmong(names);
    if (wanted.length === 0) return rules;
    const texts = new Map<string, string>();
    for (const name of wanted) {
      const text = await this.#text(childPath(directory, name));
      if (text !== undefined) texts.set(name, text);
    }
    return rules.within(directory, texts);
  }

  /** The text of an ignore file. One that cannot be read has no rules, as in git. */
  async #text(path: string): Promise<string | undefined> {
    try {
      const options = { ...this.#options, maxBytes: maxIgnoreFileBytes };
      return new TextDecoder().decode((await this.#fs.readFile(path, options)).bytes);
    } catch {
      throwIfAborted(this.#options?.signal);
      return undefined;
    }
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await this.#fs.stat(path, this.#options);
      return true;
    } catch {
      throwIfAborted(this.#options?.signal);
      return false;
    }
  }
}

/** The visible regular files below a root, in no particular order, and what the walk met. */
export class VisibleWalk {
  /** Directories that could not be listed. */
  readonly unreadable: string[] = [];
  readonly #files: VisibleFiles;
  readonly #root: string;
  readonly #signal: AbortSignal | undefined;
  readonly #onOther: ((entry: SeenEntry) => void) | undefined;

  /** `onOther` is called for links, and for files and directories that are not visible. */
  constructor(
    files: VisibleFiles,
    root: string,
    {
      signal,
      onOther,
    }: {
      readonly signal: AbortSignal | undefined;
      readonly onOther?: (entry: SeenEntry) => void;
    },
  ) {
    this.#files = files;
    this.#root = root;
    this.#signal = signal;
    this.#onOther = onOther;
  }

  async *files(): AsyncGenerator<SeenEntry> {
    yield* this.#visit(this.#root, await this.#files.rulesAbove(this.#root));
  }

  async *#visit(directory: string, above: Visibility): AsyncGenerator<SeenEntry> {
    throwIfAborted(this.#signal);
    const seen = await this.#look(directory, above);
    if (seen === undefined) return;
    for (const entry of seen.entries) {
      if (entry.kind === "directory") {
        if (entry.isVisible) yield* this.#visit(entry.path, entry.rules);
        else this.#onOther?.(entry);
      } else if (entry.kind === "file" && entry.isVisible) yield entry;
      else if (entry.kind === "file" || entry.kind === "symlink") this.#onOther?.(entry);
    }
  }

  async #look(directory: string, above: Visibility): Promise<SeenDirectory | undefined> {
    try {
      return await this.#files.look(directory, above);
    } catch (error) {
      if (!ToolError.is(error) || error.type === "timeout" || error.code === "ABORTED") throw error;
      if (directory === this.#root) throw error;
      this.unreadable.push(directory);
      return undefined;
    }
  }
}

const everyName: ReadonlySet<string> = new Set([".rgignore", ".ignore", ".gitignore", ".git"]);

export function isIgnoredAt(rules: IgnoreRules, directory: string): boolean {
  return rules.ignores(directory, directory.slice(directory.lastIndexOf("/") + 1), true);
}

export function childPath(directory: string, name: string): string {
  return directory === "/" ? `/${name}` : `${directory}/${name}`;
}
