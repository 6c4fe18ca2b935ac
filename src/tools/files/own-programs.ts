import { isWithin, joinPath, ToolError, type Host } from "../../core/index.ts";

/**
 * The programs that names stand for on PATH. Each folder and file is looked at once, so it is made anew for each call:
 * it knows what was there then.
 */
export class PathPrograms {
  readonly #host: Host;
  readonly #workspace: string;
  readonly #files = new Map<string, Promise<string | undefined>>();
  readonly #canonical = new Map<string, Promise<string | undefined>>();
  #safe: Promise<readonly string[]> | undefined;

  constructor(host: Host, workspace: string) {
    this.#host = host;
    this.#workspace = workspace;
  }

  /** Folders on PATH that nobody who works in the workspace can change, by their canonical paths. */
  async safePath(): Promise<readonly string[]> {
    this.#safe ??= this.#safeFolders();
    return await this.#safe;
  }

  /**
   * The file of the workspace that a program's name would start: one in a folder on PATH such as `node_modules/.bin`,
   * or one that a link in a folder of the system leads to. Undefined where none would. What lies there is the
   * workspace's, whatever it is called.
   */
  async own(name: string): Promise<string | undefined> {
    for (const folder of this.#folders(name)) {
      const file = await this.#programAt(joinPath(folder, name));
      if (file === undefined) continue;
      // Behind the first that is safe only folders of the workspace matter, which are not searched when it counts.
      return isWithin(this.#workspace, file) ? file : undefined;
    }
    return undefined;
  }

  /** The file that starts this program, from the folders nobody in the workspace can change. */
  async system(name: string): Promise<string | undefined> {
    const safe = new Set(await this.safePath());
    for (const named of this.#folders(name)) {
      const folder = await this.#canonicalOf(named);
      if (folder === undefined || !safe.has(folder)) continue;
      const file = joinPath(folder, name);
      const canonical = await this.#programAt(file);
      // The path as found: some programs are many by the name they are called.
      if (canonical !== undefined) return isWithin(this.#workspace, canonical) ? undefined : file;
    }
    return undefined;
  }

  /** With a name: those that may have a program of it. */
  #folders(name?: string): readonly string[] {
    const { path, foldersWith } = this.#host.info;
    const folders = name === undefined ? path : (foldersWith?.(name) ?? path);
    return [...new Set(folders.filter((folder) => folder.startsWith("/")))];
  }

  async #canonicalOf(folder: string): Promise<string | undefined> {
    let canonical = this.#canonical.get(folder);
    if (canonical === undefined) {
      canonical = canonicalOf(this.#host, folder);
      this.#canonical.set(folder, canonical);
    }
    return await canonical;
  }

  async #safeFolders(): Promise<readonly string[]> {
    const safe = new Set<string>();
    for (const folder of this.#folders()) {
      const canonical = await this.#canonicalOf(folder);
      if (canonical !== undefined && !isWithin(this.#workspace, canonical)) safe.add(canonical);
    }
    return [...safe];
  }

  async #programAt(path: string): Promise<string | undefined> {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = programAt(this.#host, path);
      this.#files.set(path, file);
    }
    return await file;
  }
}

/** The canonical path of an executable file, or undefined where there is none. */
async function programAt(host: Host, path: string): Promise<string | undefined> {
  const canonical = await canonicalOf(host, path);
  if (canonical === undefined) return undefined;
  try {
    const { kind, mode } = await host.fs.stat(canonical);
    return kind === "file" && (mode & 0o111) !== 0 ? canonical : undefined;
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

async function canonicalOf(host: Host, path: string): Promise<string | undefined> {
  try {
    return await host.fs.canonical(path);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
