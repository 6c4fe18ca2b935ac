import { randomUUID } from "node:crypto";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { lstat, mkdir, open, readFile, readdir, realpath, rmdir, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { baseName, isWithin, joinPath, parentPath } from "../../text/index.ts";
import { ToolError } from "../../core/index.ts";
import { codeOf } from "../probe/transient-failure.ts";
import { endNamespace } from "./mount/namespace-processes.ts";
import { pacer } from "../../text/index.ts";

/** Prefix of the name of each overlay directory. */
export const overlayPrefix = "haft-overlay-";

/** Milliseconds that an overlay of a process in another container is left alone. */
const foreignMs = 7 * 24 * 60 * 60 * 1000;

/** Milliseconds that a directory under construction is left alone. */
const draftMs = 60 * 1000;
const draftPrefix = "haft-draft-";

/** File system type of overlayfs, on which no other overlay can be staged. */
const overlayType = 0x794c7630;

export interface StagingOptions {
  /** Canonical directory of the workspace. */
  readonly workspace: string;
  readonly dataDirectory: string;
  /** Other covered roots, canonical: nothing can be staged inside of them. */
  readonly roots?: readonly string[];
}

/**
 * Returns a private directory outside the workspace from which a file can be renamed into it: in the data directory,
 * else in the directory for temporary files, else next to the workspace. Undefined if this machine has none: an overlay
 * can then be staged in any private directory that `probeOverlay` accepts, and staged files have to be copied. Rejects
 * if there may be one the next time, as where the disk is full.
 */
export async function stagingFor({
  workspace,
  dataDirectory,
  roots = [],
}: StagingOptions): Promise<string | undefined> {
  // One directory for each journal, which may still need the files in it.
  const owner = createHash("sha256").update(dataDirectory).digest("hex").slice(0, 12);
  const candidates = [
    `${dataDirectory}/${ownStaging}`,
    ...sharedBases(workspace).map((beginning) => `${beginning}${owner}`),
  ];
  const place = await placeOf(workspace);
  if (place === undefined) return undefined;
  const taken = [workspace, ...roots];
  const failures: unknown[] = [];
  if (!taken.some((root) => isWithin(root, dataDirectory))) {
    try {
      // Without it, the first command would not find the data directory and stage elsewhere than later ones.
      await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    } catch (error) {
      // On another file system nothing would be staged there anyway.
      if ((await placeAround(dataDirectory)) === place) failures.push(error);
    }
  }
  for (const candidate of candidates) {
    const isOwn = candidate === candidates[0];
    try {
      const parent = await realpath(parentPath(candidate));
      if (taken.some((root) => isWithin(root, parent))) continue;
      if ((await placeOf(parent)) !== place) continue;
      const path = joinPath(parent, candidate.slice(parentPath(candidate).length + 1));
      await makeStaging(path);
      return path;
    } catch (error) {
      // That others own the directory for temporary files, or the one around the workspace, is a fact of the machine.
      if (isOwn ? !isAbsent(error) : !isAbsent(error) && !isForbidden(error)) failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return undefined;
}

/** Returns the place of the closest directory that exists. */
async function placeAround(directory: string): Promise<string | undefined> {
  for (let at = directory; ; at = parentPath(at)) {
    try {
      return await placeOf(at);
    } catch (error) {
      if (at === "/" || !(isAbsent(error) || isForbidden(error))) throw error;
    }
  }
}

function isAbsent(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
}

function isForbidden(error: unknown): boolean {
  return ["EACCES", "EPERM", "EROFS"].includes(codeOf(error) ?? "");
}

/** Returns the path prefixes of staging directories that may be next to those of other journals. */
function sharedBases(workspace: string): readonly string[] {
  const name = `haft-overlays-${process.getuid?.() ?? 0}-`;
  return [`${tmpdir()}/${name}`, `${parentPath(workspace)}/.${name}`];
}

/**
 * Identifies the file system and mount of a directory: a file can only be renamed within both. Undefined if it is an
 * overlay itself, or the system does not say.
 */
async function placeOf(directory: string): Promise<string | undefined> {
  const handle = await open(directory);
  try {
    const { type } = await statfs(directory);
    if (type === overlayType) return undefined;
    const { dev } = await handle.stat();
    const facts = await readFile(`/proc/self/fdinfo/${handle.fd}`, "utf8").catch(
      (error: unknown) => {
        if (isAbsent(error)) return "";
        throw error;
      },
    );
    const mount = /^mnt_id:\s*(\d+)$/mu.exec(facts)?.[1];
    return mount === undefined ? undefined : `${dev} ${mount}`;
  } finally {
    await handle.close();
  }
}

/**
 * Creates the directory if it is missing. Returns false unless it belongs to this user and no other user can read it.
 */
export async function keepStaging(path: string): Promise<boolean> {
  return await makeStaging(path).then(
    () => true,
    () => false,
  );
}

async function makeStaging(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  const stat = await lstat(path);
  if (stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0) return;
  throw new ToolError("UNAVAILABLE", `${path} is not a private directory of this user.`, {
    hint: "Ask the user to remove it.",
  });
}

/**
 * Writes the owner file: this process, which drops the overlay itself, the namespace of its process id, and the journal
 * that may need the overlay.
 */
export function markOwner(overlay: string, journal = ""): void {
  const owner = `${process.pid} ${startOf(process.pid)} ${processSpace()}\n${journal}`;
  writeFileSync(`${overlay}/owner`, owner);
}

/** Drops the overlays that ended processes left in a staging directory. */
export async function dropStaging(directory: string): Promise<void> {
  for (const overlay of await overlaysIn(directory)) {
    if (!isOwned(overlay)) await dropOverlay(overlay, { isQuiet: false });
  }
  for (const draft of await namesIn(directory, draftPrefix)) {
    if (!isRecent(draft, draftMs)) await dropOverlay(draft, { isQuiet: true });
  }
}

/**
 * Removes leftovers of other journals from the directories where this one may stage: empty staging directories, and
 * overlays whose process and journal are both gone.
 */
export async function dropStale(workspace: string): Promise<void> {
  for (const beginning of sharedBases(workspace)) {
    const parent = parentPath(beginning);
    const names = await readdir(parent).catch((): string[] => []);
    for (const name of names.filter((one) => one.startsWith(baseName(beginning)))) {
      // A directory that cannot be removed may be removable next time; no command fails because of it.
      await dropBase(joinPath(parent, name)).catch(() => undefined);
    }
  }
}

async function dropBase(base: string): Promise<void> {
  const { uid, mode } = await lstat(base);
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0) return;
  for (const overlay of await overlaysIn(base)) {
    const [, journal = ""] = ownerOf(overlay);
    const isNeeded = journal === "" || existsSync(journal) || isOwned(overlay);
    if (!isNeeded) await dropOverlay(overlay, { isQuiet: false });
  }
  await leaveStaging(base);
}

/**
 * Removes an empty staging directory, so that none stays next to the workspace; the next program that needs it creates
 * it again. The one in a data directory stays: other programs may have it in their mounts.
 */
export async function leaveStaging(directory: string): Promise<void> {
  if (baseName(directory) === ownStaging) return;
  await rmdir(directory).catch(() => undefined);
}

/** Name of the staging directory in a data directory. */
const ownStaging = "overlay";

/** Maximum number of times the directory is created again after other programs removed it while empty. */
const maxRemoved = 100;

/**
 * Creates a directory for one overlay, with its owner file from the first moment: another program removes one without
 * an owner. From then on the staging directory is not empty, so it stays.
 */
export async function makeOverlayDirectory(staging: string, journal?: string): Promise<string> {
  for (let removed = 0; ; removed += 1) {
    let draft: string | undefined;
    try {
      draft = mkdtempSync(joinPath(staging, draftPrefix));
      markOwner(draft, journal);
      const directory = joinPath(
        staging,
        overlayPrefix + baseName(draft).slice(draftPrefix.length),
      );
      renameSync(draft, directory);
      return directory;
    } catch (error) {
      if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
      if (codeOf(error) !== "ENOENT" || removed === maxRemoved || !(await keepStaging(staging)))
        throw error;
    }
  }
}

async function overlaysIn(directory: string): Promise<readonly string[]> {
  return await namesIn(directory, overlayPrefix);
}

async function namesIn(directory: string, prefix: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch((): string[] => []);
  return names.filter((name) => name.startsWith(prefix)).map((name) => `${directory}/${name}`);
}

/**
 * Returns the process that created an overlay, and the journal that may need it; both empty if there is no owner file.
 */
function ownerOf(overlay: string): readonly string[] {
  try {
    return readFileSync(`${overlay}/owner`, "utf8").split("\n");
  } catch {
    return [];
  }
}

function isOwned(overlay: string): boolean {
  const [owner = ""] = ownerOf(overlay);
  const [pid, start, space = processSpace()] = owner.split(" ");
  if (space === processSpace()) {
    return pid !== undefined && start !== undefined && startOf(Number(pid)) === start;
  }
  // In another container the same process id belongs to another process, so only the age of the overlay is known.
  return isRecent(`${overlay}/owner`, foreignMs);
}

function isRecent(path: string, forMs: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs > Date.now() - forMs;
}

/** Ends the programs on an overlay, unless it is quiet, and removes all of it. */
export async function dropOverlay(
  overlay: string,
  { isQuiet }: { readonly isQuiet: boolean },
): Promise<void> {
  if (!isQuiet) await endNamespace(baseName(overlay));
  const pace = pacer();
  const names = unlessGone(() => readdirSync(overlay, { withFileTypes: true })) ?? [];
  // Remove the owner file last: without it, another program would take the overlay for a leftover and remove it as
  // well.
  for (const entry of names.filter(({ name }) => name !== "owner")) {
    const place = `${overlay}/${entry.name}`;
    if (!entry.isDirectory()) unlessGone(() => unlinkSync(place));
    // Real trees were mounted there, if only in the mount namespace: never descend.
    else if (/^t\d+$/u.test(entry.name)) unlessGone(() => rmdirSync(place));
    else await removeDirectory(Buffer.from(place), pace);
  }
  unlessGone(() => unlinkSync(`${overlay}/owner`));
  unlessGone(() => rmdirSync(overlay));
}

/** Runs the step; returns undefined if another program removed the path first. */
function unlessGone<T>(remove: () => T): T | undefined {
  try {
    return remove();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns the PID namespace of this process. */
function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Returns the start time of a process in kernel clock ticks; empty if it has ended. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** Path length in bytes from which a directory is moved up before it is removed: the system's limit is 4,095. */
const longPathBytes = 2048;

/**
 * Removes a tree of any depth. Makes each directory accessible first: commands close theirs, and overlayfs some of its
 * own. A directory too deep to be named is moved to the top and removed from there.
 */
export async function removeDirectory(
  top: Buffer,
  pace: () => Promise<void> | undefined,
): Promise<void> {
  const movedUp: Buffer[] = [];
  const empty = async (directory: Buffer): Promise<void> => {
    unlessGone(() => chmodSync(directory, 0o700));
    const entries = unlessGone(() =>
      readdirSync(directory, { encoding: "buffer", withFileTypes: true }),
    );
    for (const entry of entries ?? []) {
      await pace();
      const path = Buffer.concat([directory, slash, entry.name]);
      if (!entry.isDirectory()) unlessGone(() => unlinkSync(path));
      else if (path.length - top.length < longPathBytes) {
        await empty(path);
        unlessGone(() => rmdirSync(path));
      } else {
        const moved = Buffer.concat([top, slash, Buffer.from(`moved-up-${randomUUID()}`)]);
        unlessGone(() => chmodSync(path, 0o700));
        unlessGone(() => {
          renameSync(path, moved);
          movedUp.push(moved);
        });
      }
    }
  };
  await empty(top);
  for (let next = movedUp.pop(); next !== undefined; next = movedUp.pop()) {
    const directory = next;
    await empty(directory);
    unlessGone(() => rmdirSync(directory));
  }
  unlessGone(() => rmdirSync(top));
}

const slash = Buffer.from("/");
