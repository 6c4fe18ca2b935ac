import {
  parentPath,
  ToolError,
  type HostEntry,
  type HostFs,
  type HostOptions,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { IgnoreRules } from "./ignore-rules.ts";

/** What Glob leaves out everywhere, in gitignore syntax. */
export const leftOutByGlob = [
  ".git",
  "node_modules",
  "__pycache__",
  ".DS_Store",
  "*.pyc",
  "vendor",
  "dist",
  "build",
] as const;

export interface VisibleQuery {
  readonly root: string;
  /** Do not read ignore files. */
  readonly includeIgnored: boolean;
  /** Names left out at any depth; `*.x` for an ending. */
  readonly leaveOut: readonly string[];
}

export interface VisibleFile {
  readonly path: string;
  /** The path from the root. */
  readonly below: string;
}

/** A walk of the regular files a search looks at: no links, nothing ignored. */
export class VisibleFiles {
  /** Directories that could not be listed. */
  readonly unreadable: string[] = [];
  readonly #fs: HostFs;
  readonly #query: VisibleQuery;
  readonly #options: HostOptions | undefined;

  constructor(fs: HostFs, query: VisibleQuery, options: HostOptions | undefined) {
    this.#fs = fs;
    this.#query = query;
    this.#options = options;
  }

  async *walk(): AsyncGenerator<VisibleFile> {
    const { root, includeIgnored } = this.#query;
    const above = includeIgnored ? IgnoreRules.none : await this.#rulesAbove(root);
    // Asked for by name, an ignored directory is looked into all the same.
    yield* this.#visit(root, "", above.ignores(root, true) ? IgnoreRules.none : above);
  }

  async *#visit(directory: string, below: string, above: IgnoreRules): AsyncGenerator<VisibleFile> {
    throwIfAborted(this.#options?.signal);
    const entries = await this.#list(directory);
    const names = new Set(entries.map((entry) => entry.name));
    const source = { fs: this.#fs, options: this.#options };
    const rules = this.#query.includeIgnored ? above : await above.within(directory, names, source);
    for (const { name, kind } of entries) {
      if (kind !== "file" && kind !== "directory") continue;
      if (this.#isLeftOut(name)) continue;
      const path = directory === "/" ? `/${name}` : `${directory}/${name}`;
      if (rules.ignores(path, kind === "directory")) continue;
      const next = below === "" ? name : `${below}/${name}`;
      if (kind === "file") yield { path, below: next };
      else yield* this.#visit(path, next, rules);
    }
  }

  async #list(directory: string): Promise<readonly HostEntry[]> {
    const entries: HostEntry[] = [];
    try {
      for await (const entry of this.#fs.list(directory, this.#options)) entries.push(entry);
    } catch (error) {
      if (!ToolError.is(error) || error.type === "timeout" || error.code === "ABORTED") throw error;
      if (directory === this.#query.root) throw error;
      this.unreadable.push(directory);
    }
    return entries;
  }

  #isLeftOut(name: string): boolean {
    return this.#query.leaveOut.some((pattern) =>
      pattern.startsWith("*") ? name.endsWith(pattern.slice(1)) : name === pattern,
    );
  }

  /** The rules of the repository the root lies in, from its top down to the root's parent. */
  async #rulesAbove(root: string): Promise<IgnoreRules> {
    const above: string[] = [];
    let top: string | undefined;
    for (let at = root; top === undefined; at = parentPath(at)) {
      if (at !== root) above.unshift(at);
      if (await this.#exists(`${at === "/" ? "" : at}/.git`)) top = at;
      if (at === "/") break;
    }
    if (top === undefined) return IgnoreRules.none;
    let rules = IgnoreRules.none;
    const names = new Set([".rgignore", ".ignore", ".gitignore", ".git"]);
    for (const directory of above) {
      rules = await rules.within(directory, names, { fs: this.#fs, options: this.#options });
    }
    return rules;
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
