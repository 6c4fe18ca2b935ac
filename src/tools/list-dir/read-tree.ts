import ignore, { type Ignore } from "ignore";
import { ToolError, type HostEntry, type ToolContext } from "../../core/index.ts";

export interface TreeEntry {
  readonly name: string;
  readonly kind: HostEntry["kind"];
  /** Of a file. */
  readonly size: number | undefined;
  /** A folder that was not opened because it is ignored. */
  readonly isIgnored: boolean;
  /** What is in an opened folder; undefined where it was not opened. */
  children: readonly TreeEntry[] | undefined;
}

export interface Tree {
  readonly path: string;
  readonly children: readonly TreeEntry[];
  readonly files: number;
  readonly folders: number;
  /** Entries found but over the limit. */
  readonly notShown: number;
  /** Files left out because they are ignored. */
  readonly ignored: number;
  /** Entries a permission rule withholds. */
  readonly withheld: number;
  /** A folder could not be read, or has more entries than are looked at. */
  readonly isPartial: boolean;
}

export interface TreeRequest {
  readonly path: string;
  readonly depth: number;
  /** gitignore patterns of the call. */
  readonly ignore: readonly string[];
  readonly includeIgnored: boolean;
  readonly maxEntries: number;
}

/** Folders that hold nothing written by hand; the same names Glob leaves out. */
const leftOut = [
  ".git",
  "node_modules",
  "__pycache__",
  ".DS_Store",
  "*.pyc",
  "vendor",
  "dist",
  "build",
];
/** Entries of one folder that are looked at. */
const maxListed = 20_000;
const maxIgnoreFileBytes = 1_000_000;

/** Reads level by level, so that a limit cuts the depths and not the last folders of the first level. */
export async function readTree(request: TreeRequest, context: ToolContext): Promise<Tree> {
  const walk = new TreeWalk(request, context);
  return walk.run();
}

interface Folder {
  readonly path: string;
  /** From the root of the listing, "" for itself. */
  readonly below: string;
  readonly depth: number;
  readonly rules: readonly Rules[];
  readonly entry: TreeEntry;
}

interface Rules {
  /** The folder the rules are relative to, as a prefix of `below`. */
  readonly base: string;
  readonly matcher: Ignore;
}

/** The state of one listing: counts, what room is left, and the folders still to open. */
class TreeWalk {
  readonly #request: TreeRequest;
  readonly #context: ToolContext;
  readonly #unwanted: Ignore;
  readonly #defaults = ignore().add(leftOut);
  #files = 0;
  #folders = 0;
  #notShown = 0;
  #ignored = 0;
  #withheld = 0;
  #isPartial = false;

  constructor(request: TreeRequest, context: ToolContext) {
    this.#request = request;
    this.#context = context;
    this.#unwanted = ignore().add([...request.ignore]);
  }

  async run(): Promise<Tree> {
    const { path } = this.#request;
    const root: TreeEntry = {
      name: "",
      kind: "directory",
      size: undefined,
      isIgnored: false,
      children: undefined,
    };
    let level: readonly Folder[] = [{ path, below: "", depth: 1, rules: [], entry: root }];
    while (level.length > 0) {
      const next: Folder[] = [];
      for (const folder of level) next.push(...(await this.#open(folder)));
      level = next;
    }
    return {
      path,
      children: root.children ?? [],
      files: this.#files,
      folders: this.#folders,
      notShown: this.#notShown,
      ignored: this.#ignored,
      withheld: this.#withheld,
      isPartial: this.#isPartial,
    };
  }

  /** Fills one folder and names the folders below it that are to be opened. */
  async #open(folder: Folder): Promise<Folder[]> {
    const listed = await this.#list(folder);
    const rules = await this.#rulesIn(folder, listed);
    const visible = listed.filter((entry) => this.#isVisible(entry, folder, rules));
    const room = Math.max(0, this.#request.maxEntries - this.#files - this.#folders);
    this.#notShown += Math.max(0, visible.length - room);
    const children = await Promise.all(
      visible.slice(0, room).map(async (entry) => this.#entry(entry, folder, rules)),
    );
    folder.entry.children = children;
    const next: Folder[] = [];
    for (const entry of children) {
      if (entry.kind !== "directory") {
        this.#files++;
        continue;
      }
      this.#folders++;
      if (entry.isIgnored || folder.depth >= this.#request.depth) continue;
      const path = childPath(folder.path, entry.name);
      const below = belowOf(folder, entry.name);
      next.push({ path, below, depth: folder.depth + 1, rules, entry });
    }
    return next;
  }

  async #list({ path }: Folder): Promise<HostEntry[]> {
    const entries: HostEntry[] = [];
    const { host, signal } = this.#context;
    try {
      const onExcluded = (): void => {
        this.#withheld++;
      };
      for await (const entry of host.fs.list(path, { signal, onExcluded })) {
        if (this.#context.excludes(childPath(path, entry.name)) !== undefined) {
          this.#withheld++;
          continue;
        }
        if (entries.length >= maxListed) {
          this.#isPartial = true;
          break;
        }
        entries.push(entry);
      }
    } catch (error) {
      // One closed folder must not hide the others; the first one is what was asked for.
      const isBelow = path !== this.#request.path;
      if (!isBelow || !ToolError.is(error) || error.code === "ABORTED") throw error;
      this.#isPartial = true;
    }
    return entries.toSorted(foldersFirst);
  }

  async #rulesIn(folder: Folder, listed: readonly HostEntry[]): Promise<readonly Rules[]> {
    if (this.#request.includeIgnored) return [];
    const has = listed.some(({ name, kind }) => name === ".gitignore" && kind === "file");
    if (!has) return folder.rules;
    const { host, signal } = this.#context;
    try {
      const file = await host.fs.readFile(childPath(folder.path, ".gitignore"), {
        signal,
        maxBytes: maxIgnoreFileBytes,
      });
      const matcher = ignore().add(new TextDecoder().decode(file.bytes));
      const base = folder.below === "" ? "" : `${folder.below}/`;
      return [...folder.rules, { base, matcher }];
    } catch (error) {
      if (!ToolError.is(error) || error.code === "ABORTED") throw error;
      return folder.rules;
    }
  }

  #isVisible(entry: HostEntry, folder: Folder, rules: readonly Rules[]): boolean {
    const below = belowOf(folder, entry.name);
    if (this.#unwanted.ignores(entry.kind === "directory" ? `${below}/` : below)) return false;
    // Ignored folders stay, by name: that they are there is worth knowing, what is in them is not.
    if (entry.kind === "directory" || !this.#isIgnored(entry, below, rules)) return true;
    this.#ignored++;
    return false;
  }

  #isIgnored({ name, kind }: HostEntry, below: string, rules: readonly Rules[]): boolean {
    if (this.#request.includeIgnored) return false;
    const slash = kind === "directory" ? "/" : "";
    if (this.#defaults.ignores(name + slash)) return true;
    let isIgnored = false;
    for (const { base, matcher } of rules) {
      const result = matcher.test(below.slice(base.length) + slash);
      if (result.ignored) isIgnored = true;
      else if (result.unignored) isIgnored = false;
    }
    return isIgnored;
  }

  async #entry(entry: HostEntry, folder: Folder, rules: readonly Rules[]): Promise<TreeEntry> {
    const { name, kind } = entry;
    if (kind === "directory") {
      const isIgnored = this.#isIgnored(entry, belowOf(folder, name), rules);
      return { name, kind, size: undefined, isIgnored, children: undefined };
    }
    const size = kind === "file" ? await this.#size(childPath(folder.path, name)) : undefined;
    return { name, kind, size, isIgnored: false, children: undefined };
  }

  /** Undefined where the file went away in between. */
  async #size(path: string): Promise<number | undefined> {
    const { host, signal } = this.#context;
    try {
      return (await host.fs.stat(path, { signal })).size;
    } catch (error) {
      if (!ToolError.is(error) || error.code === "ABORTED") throw error;
      return undefined;
    }
  }
}

function foldersFirst(one: HostEntry, other: HostEntry): number {
  const byKind = Number(other.kind === "directory") - Number(one.kind === "directory");
  return byKind || (one.name < other.name ? -1 : 1);
}

function belowOf({ below }: Folder, name: string): string {
  return below === "" ? name : `${below}/${name}`;
}

function childPath(folder: string, name: string): string {
  return folder === "/" ? `/${name}` : `${folder}/${name}`;
}
