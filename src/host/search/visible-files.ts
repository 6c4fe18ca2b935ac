import {
  parentPath,
  ToolError,
  type HostEntry,
  type HostFs,
  type HostOptions,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { ignoreFilesAmong, IgnoreRules } from "./ignore-rules.ts";
import { isLeftOut } from "./left-out.ts";

const maxIgnoreFileBytes = 4_194_304;

/** An entry of a directory, and whether a search looks at it. */
export interface SeenEntry extends HostEntry {
  readonly path: string;
  readonly isVisible: boolean;
}

/** One directory of a walk with the rules that hold in it. */
export interface SeenDirectory {
  readonly entries: readonly SeenEntry[];
  readonly rules: IgnoreRules;
}

/** Looks at directories as every search does: what is visible in them, by the rules above and in them. */
export class VisibleFiles {
  readonly #fs: HostFs;
  readonly #includeIgnored: boolean;
  readonly #options: HostOptions | undefined;

  constructor(fs: HostFs, includeIgnored: boolean, options: HostOptions | undefined) {
    this.#fs = fs;
    this.#includeIgnored = includeIgnored;
    this.#options = options;
  }

  /**
   * The rules that hold above a root: those of the repository it lies in, from its top down to the root's parent;
   * outside a repository none. Asked for by name, an ignored directory is looked into all the same.
   */
  async rulesAbove(root: string): Promise<IgnoreRules> {
    if (this.#includeIgnored) return IgnoreRules.none;
    const above: string[] = [];
    let top: string | undefined;
    for (let at = root; top === undefined; at = parentPath(at)) {
      if (at !== root) above.unshift(at);
      if (await this.#exists(childPath(at, ".git"))) top = at;
      if (at === "/") break;
    }
    if (top === undefined) return IgnoreRules.none;
    let rules = IgnoreRules.none;
    for (const directory of above) {
      if (isIgnoredAt(rules, directory)) return IgnoreRules.none;
      rules = await this.#within(rules, directory, everyName);
    }
    return isIgnoredAt(rules, root) ? IgnoreRules.none : rules;
  }

  /** Throws what listing throws. */
  async look(directory: string, above: IgnoreRules): Promise<SeenDirectory> {
    const entries: HostEntry[] = [];
    for await (const entry of this.#fs.list(directory, this.#options)) entries.push(entry);
    return this.judge(directory, above, entries);
  }

  /** What `look` makes of entries that were listed already. */
  async judge(
    directory: string,
    above: IgnoreRules,
    entries: readonly HostEntry[],
  ): Promise<SeenDirectory> {
    const names = new Set(entries.map((entry) => entry.name));
    const rules = this.#includeIgnored ? above : await this.#within(above, directory, names);
    const seen = entries.map(({ name, kind }): SeenEntry => {
      const path = childPath(directory, name);
      const isDirectory = kind === "directory";
      const isVisible =
        this.#includeIgnored ||
        !(isLeftOut(name, isDirectory) || rules.ignores(path, name, isDirectory));
      return { name, kind, path, isVisible };
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

  /** An ignore file that cannot be read rules nothing, as in git. */
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

/** The visible regular files below a root, in no order, and what was met on the way. */
export class VisibleWalk {
  /** Directories that could not be listed. */
  readonly unreadable: string[] = [];
  readonly #files: VisibleFiles;
  readonly #root: string;
  readonly #signal: AbortSignal | undefined;
  readonly #onOther: ((entry: SeenEntry) => void) | undefined;

  /** `onOther` is told of links, and of files that are not visible. */
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

  async *#visit(directory: string, above: IgnoreRules): AsyncGenerator<SeenEntry> {
    throwIfAborted(this.#signal);
    const seen = await this.#look(directory, above);
    if (seen === undefined) return;
    for (const entry of seen.entries) {
      if (entry.kind === "directory") {
        if (entry.isVisible) yield* this.#visit(entry.path, seen.rules);
      } else if (entry.kind === "file" && entry.isVisible) yield entry;
      else if (entry.kind === "file" || entry.kind === "symlink") this.#onOther?.(entry);
    }
  }

  async #look(directory: string, above: IgnoreRules): Promise<SeenDirectory | undefined> {
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
