import { isWithin, joinPath, ToolError, type Host, type HostStat } from "../../core/index.ts";

/** Files whose directory is the top of a project. */
const projectMarkers = [".git", "package.json"];

const groupOrOthersWrite = 0o022;

/**
 * The programs that names stand for on PATH. Each directory and file is read once, so it is created for each call: it
 * knows what was there then.
 *
 * A directory on PATH counts as safe where no project could have written a program into it: not inside the workspace,
 * nor inside a project around the workspace, nor below any `node_modules` (npm puts those of all directories above on
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
   * Why the file that a program's name would start is not what the name says: it lies in a directory on PATH that is not
   * safe, such as `node_modules/.bin`, or a link in a safe one leads into a project. Undefined where the file found
   * first is in a safe directory, and where there is none.
   */
  async doubt(name: string): Promise<string | undefined> {
    for (const folder of this.#folders(name)) {
      const file = await this.#programAt(joinPath(folder, name));
      if (file === undefined) continue;
      // Behind the first that is safe only unsafe directories matter, which are not searched when it counts.
      return await this.#doubtAbout(name, { folder, file });
    }
    return undefined;
  }

  /** The file that starts this program, from the safe directories. */
  async system(name: string): Promise<string | undefined> {
    const safe = new Set(await this.safePath());
    for (const named of this.#folders(name)) {
      const folder = await this.#canonicalOf(named);
      if (folder === undefined || !safe.has(folder)) continue;
      const file = joinPath(folder, name);
      const canonical = await this.#programAt(file);
      // The path as found: some programs are many by the name they are called.
      if (canonical === undefined) continue;
      return (await this.#isInProject(canonical)) ? undefined : file;
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
      if (canonical === undefined || (await this.#unsafetyOf(canonical)) !== undefined) continue;
      // A link inside `node_modules` is as much a package's as a directory there.
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

  /** Why a directory, by its canonical path, is not safe. */
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

  /** Directories above the workspace that are the top of a project; the home directory and what is above it are the user's own. */
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

/** The canonical path of an executable file, or undefined where there is none. */
async function programAt(host: Host, path: string): Promise<string | undefined> {
  const canonical = await canonicalOf(host, path);
  if (canonical === undefined) return undefined;
  const stat = await statOf(host, canonical);
  return stat?.kind === "file" && (stat.mode & 0o111) !== 0 ? canonical : undefined;
}

/** Whether a path lies among installed packages of a project. */
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
