import { isWithin, joinPath } from "../../../text/index.ts";
import { repositoryMarkers, ToolError, type Host, type HostStat } from "../../../core/index.ts";

/** Files that mark the root directory of a project. */
const projectMarkers = [...repositoryMarkers, "package.json"];

const groupOrOthersWrite = 0o022;

/**
 * Resolves program names on PATH. Reads each directory and file once, so it is created for each call and reflects the
 * state at that time.
 *
 * A directory on PATH counts as safe if no project could have written a program into it: not inside the workspace, nor
 * inside a project around the workspace, nor below any `node_modules` (npm puts those of all parent directories on
 * PATH), nor writable by other users.
 */
export class PathPrograms {
  readonly #host: Host;
  readonly #workspace: string;
  readonly #files = new Map<string, Promise<string | undefined>>();
  readonly #canonical = new Map<string, Promise<string | undefined>>();
  readonly #unsafe = new Map<string, Promise<string | undefined>>();
  #safe: Promise<readonly string[]> | undefined;
  #projects: Promise<readonly string[]> | undefined;

  constructor(host: Host, workspace: string) {
    this.#host = host;
    this.#workspace = workspace;
  }

  /** Safe directories on PATH, by their canonical paths. */
  async safePath(): Promise<readonly string[]> {
    this.#safe ??= this.#safeFolders();
    return await this.#safe;
  }

  /**
   * Reason to doubt that a program's name starts the expected program: its file is in a directory on PATH that is not
   * safe, such as `node_modules/.bin`, or a link in a safe one leads into a project. Undefined if the file found first
   * is in a safe directory, or if there is none.
   */
  async doubt(name: string): Promise<string | undefined> {
    for (const folder of this.#folders(name)) {
      const file = await this.#programAt(joinPath(folder, name));
      if (file === undefined) continue;
      // After the first safe directory, only unsafe ones could matter, and they are not searched when the program is
      // started safely.
      return await this.#doubtAbout(name, { folder, file });
    }
    return undefined;
  }

  /** File that starts this program, from the safe directories. */
  async system(name: string): Promise<string | undefined> {
    const safe = new Set(await this.safePath());
    for (const named of this.#folders(name)) {
      const folder = await this.#canonicalOf(named);
      if (folder === undefined || !safe.has(folder)) continue;
      const file = joinPath(folder, name);
      const canonical = await this.#programAt(file);
      // The path as found, because some programs behave differently by the name they are called.
      if (canonical === undefined) continue;
      return (await this.#isInProject(canonical)) ? undefined : file;
    }
    return undefined;
  }

  /** Directories on PATH; with a name, only those that may contain a program of that name. */
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
      if (canonical === undefined || (await this.#unsafetyOf(canonical)) !== undefined) continue;
      // A link inside `node_modules` belongs to a package as much as a directory there.
      if (!isInPackages(folder)) safe.add(canonical);
    }
    return [...safe];
  }

  async #doubtAbout(
    name: string,
    { folder, file }: { readonly folder: string; readonly file: string },
  ): Promise<string | undefined> {
    const found = joinPath(folder, name);
    const canonical = (await this.#canonicalOf(folder)) ?? folder;
    const own = [file, joinPath(canonical, name)].find((path) => isWithin(this.#workspace, path));
    if (own !== undefined) return `${name} is a program of the workspace, ${own}`;
    const unsafe = await this.#unsafetyOf(canonical);
    if (unsafe === "project" || isInPackages(folder) || (await this.#isInProject(file))) {
      return `${name} is a program of a project, ${found}`;
    }
    return unsafe === undefined ? undefined : `other users may replace ${name}, ${found}`;
  }

  /** Reason why a directory, given by its canonical path, is not safe. */
  async #unsafetyOf(folder: string): Promise<string | undefined> {
    let unsafe = this.#unsafe.get(folder);
    if (unsafe === undefined) {
      unsafe = this.#findUnsafety(folder);
      this.#unsafe.set(folder, unsafe);
    }
    return await unsafe;
  }

  async #findUnsafety(folder: string): Promise<"project" | "others" | undefined> {
    if (isInPackages(folder) || (await this.#isInProject(folder))) return "project";
    const { isWritableByOthers } = this.#host.info;
    if (isWritableByOthers !== undefined) {
      return (await isWritableByOthers(folder)) ? "others" : undefined;
    }
    const stat = await statOf(this.#host, folder);
    return stat !== undefined && (stat.mode & groupOrOthersWrite) !== 0 ? "others" : undefined;
  }

  async #isInProject(path: string): Promise<boolean> {
    if (isWithin(this.#workspace, path)) return true;
    this.#projects ??= this.#projectsAround();
    const projects = await this.#projects;
    return projects.some((project) => isWithin(project, path));
  }

  /**
   * Directories above the workspace that are the root of a project. The home directory and its parents belong to the
   * user and do not count.
   */
  async #projectsAround(): Promise<readonly string[]> {
    const { home } = this.#host.info;
    const found: string[] = [];
    for (let at = joinPath(this.#workspace, ".."); !isWithin(at, home); at = joinPath(at, "..")) {
      const markers = projectMarkers.map(
        async (name) => await statOf(this.#host, joinPath(at, name)),
      );
      const stats = await Promise.all(markers);
      if (stats.some((stat) => stat !== undefined)) found.push(at);
      if (at === joinPath(at, "..")) break;
    }
    return found;
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

/** Canonical path of an executable file, or undefined if there is none. */
async function programAt(host: Host, path: string): Promise<string | undefined> {
  const canonical = await canonicalOf(host, path);
  if (canonical === undefined) return undefined;
  const stat = await statOf(host, canonical);
  return stat?.kind === "file" && (stat.mode & 0o111) !== 0 ? canonical : undefined;
}

/** Whether a path is among the installed packages of a project. */
function isInPackages(path: string): boolean {
  return path.split("/").includes("node_modules");
}

async function statOf(host: Host, path: string): Promise<HostStat | undefined> {
  try {
    return await host.fs.stat(path);
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
