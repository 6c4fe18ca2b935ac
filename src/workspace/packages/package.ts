import { ToolError, type Host } from "../../core/index.ts";
import { messageOf, parentPath, visibleJson } from "../../text/index.ts";

/** A file of a skill or plugin, as it is installed. */
export interface PackageFile {
  /** Path below the directory of the package. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** Files of a skill or plugin. */
export interface Package {
  /** Sorted by path. */
  readonly files: readonly PackageFile[];
  /** Identity of exactly these files: `sha256:` and 64 hex digits. */
  readonly hash: string;
}

export const packageLimits = {
  files: 2000,
  /** Of all files together. */
  bytes: 50_000_000,
  depth: 16,
  pathLength: 300,
} as const;

/**
 * Combines files to a package. Throws INVALID_INPUT for a path that leads out of the directory or could be taken for
 * another one, TOO_LARGE beyond the limits.
 */
export function createPackage(given: readonly PackageFile[]): Package {
  if (given.length > packageLimits.files) throw tooManyFiles();
  let bytes = 0;
  const seen = new Map<string, string>();
  for (const file of given) {
    checkPath(file.path);
    bytes += file.bytes.length;
    if (bytes > packageLimits.bytes) throw tooManyBytes();
    const folded = foldedPath(file.path);
    const same = seen.get(folded);
    if (same !== undefined) {
      const what = same === file.path ? "occurs twice" : `is the same as ${same} on some systems`;
      throw invalid(`The path ${visibleJson(file.path)} ${what}.`);
    }
    seen.set(folded, file.path);
  }
  for (const path of seen.keys()) {
    for (let above = parentOf(path); above !== ""; above = parentOf(above)) {
      const file = seen.get(above);
      if (file !== undefined) throw invalid(`The path ${file} is a file and a directory.`);
    }
  }
  const files = given.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  return { files, hash: hashOf(files) };
}

/** Reads a directory as a package, without `.git`. Throws INVALID_INPUT for links, devices and the like. */
export async function readPackage(directory: string, host: Pick<Host, "fs">): Promise<Package> {
  const files: PackageFile[] = [];
  let bytes = 0;
  const visit = async (path: string, prefix: string, depth: number): Promise<void> => {
    if (depth > packageLimits.depth) throw tooDeep(prefix);
    for await (const { name, kind } of host.fs.list(path)) {
      const below = `${prefix}${name}`;
      if (kind === "directory") {
        if (name !== ".git") await visit(`${path}/${name}`, `${below}/`, depth + 1);
        continue;
      }
      if (kind === "file" && name === ".git") continue;
      if (kind !== "file") throw notAFile(below, kind);
      checkPath(below);
      if (files.length === packageLimits.files) throw tooManyFiles();
      const maxBytes = packageLimits.bytes - bytes;
      const file = await host.fs.readFile(`${path}/${name}`, { maxBytes }).catch(tooManyIfLarge);
      bytes += file.bytes.length;
      const isExecutable = (file.stat.mode & 0o111) !== 0;
      files.push({ path: below, bytes: file.bytes, isExecutable });
    }
  };
  await visit(await host.fs.canonical(directory), "", 0);
  return createPackage(files);
}

/** Writes a package to a directory that does not exist yet. It appears there complete, or not at all. */
export async function writePackage(
  { files }: Package,
  directory: string,
  { host, token }: { readonly host: Pick<Host, "fs">; readonly token: string },
): Promise<void> {
  const draft = `${parentPath(directory)}/.draft-${token}`;
  try {
    const made = new Set<string>();
    await host.fs.mkdir(draft);
    for (const { path, bytes, isExecutable } of files) {
      const target = `${draft}/${path}`;
      const parent = parentPath(target);
      if (!made.has(parent)) await host.fs.mkdir(parent);
      made.add(parent);
      await host.fs.writeAtomic(target, bytes, { mode: isExecutable ? 0o755 : 0o644 });
    }
    await host.fs.move(draft, directory);
  } catch (error) {
    await host.fs.remove(draft, { recursive: true }).catch(() => undefined);
    throw error;
  }
}

/** Part of a package below a directory, as a package of its own. */
export function packageBelow({ files }: Package, directory: string): Package {
  const prefix = directory === "" ? "" : `${directory}/`;
  return createPackage(
    files.flatMap((file) =>
      file.path.startsWith(prefix) ? [{ ...file, path: file.path.slice(prefix.length) }] : [],
    ),
  );
}

/** Text of a file; undefined if there is none. */
export function textIn({ files }: Package, path: string): string | undefined {
  const file = files.find((each) => each.path === path);
  return file === undefined ? undefined : new TextDecoder().decode(file.bytes);
}

/** Refuses a path that leads out of a package, or that systems read differently. */
export function checkPath(path: string): void {
  const shown = visibleJson(path.slice(0, 120));
  if (path.length > packageLimits.pathLength) throw invalid(`The path ${shown}… is too long.`);
  if (path.startsWith("/") || /^[A-Za-z]:/u.test(path) || path.includes("\\")) {
    throw invalid(`The path ${shown} is not below the directory.`);
  }
  const parts = path.split("/");
  if (parts.includes("..")) throw invalid(`The path ${shown} leads out of the directory.`);
  if (parts.some((part) => part === "" || part === "." || /[. ]$/u.test(part))) {
    throw invalid(`The path ${shown} has an empty part, or one that ends with a dot or blank.`);
  }
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(path)) {
    throw invalid(`The path ${shown} has a hidden character.`);
  }
  if (parts.length > packageLimits.depth) throw tooDeep(path);
  if (parts.some((part) => part.toLowerCase() === ".git")) {
    throw invalid(`The path ${shown} is part of a repository's own data.`);
  }
}

/** An entry that is not a regular file cannot be part of a package. */
export function notAFile(path: string, kind: string): ToolError {
  return invalid(`${visibleJson(path.slice(0, 120))} is a ${kind}, not a file.`);
}

export function tooManyBytes(): ToolError {
  return new ToolError("TOO_LARGE", `It has more than ${packageLimits.bytes} bytes.`, { hint });
}

export function tooManyFiles(): ToolError {
  return new ToolError("TOO_LARGE", `It has more than ${packageLimits.files} files.`, { hint });
}

export function invalidPackage(message: string, cause?: unknown): ToolError {
  return new ToolError("INVALID_INPUT", message, { hint, cause });
}

const hint = "Nothing was installed. Ask its author to correct it.";

function invalid(message: string): ToolError {
  return invalidPackage(message);
}

function tooDeep(path: string): ToolError {
  return invalid(`${visibleJson(path.slice(0, 120))} is below level ${packageLimits.depth}.`);
}

function tooManyIfLarge(error: unknown): never {
  if (ToolError.is(error) && error.code === "TOO_LARGE") throw tooManyBytes();
  throw error instanceof Error ? error : new Error(messageOf(error));
}

/** Paths that are the same where case or the form of accents does not count. */
function foldedPath(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

function hashOf(files: readonly PackageFile[]): string {
  // Not an import: that would evaluate all of `node:crypto`.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const hash = createHash("sha256");
  for (const { path, bytes, isExecutable } of files) {
    const content = createHash("sha256").update(bytes).digest("hex");
    hash.update(`${path}\0${isExecutable ? "x" : "-"}\0${content}\n`);
  }
  return `sha256:${hash.digest("hex")}`;
}
