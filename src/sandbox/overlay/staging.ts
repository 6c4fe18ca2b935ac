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
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import {
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  realpath,
  rmdir,
  statfs,
  type FileHandle,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { baseName, isWithin, joinPath, parentPath } from "../../text/index.ts";
import { endNamespace } from "./mount/namespace-processes.ts";
import { pacer } from "../../text/index.ts";

/** What the directory of each overlay begins with. */
export const overlayPrefix = "haft-overlay-";

/** How long an overlay is left alone whose process is in another container. */
const foreignMs = 7 * 24 * 60 * 60 * 1000;

/** How long one is left alone that is just being made. */
const draftMs = 60 * 1000;
const draftPrefix = "haft-draft-";

/** File systems of this kind cannot hold what is written on another overlay. */
const overlayType = 0x794c7630;

export interface StagingOptions {
  /** Canonical. */
  readonly workspace: string;
  readonly dataDirectory: string;
  /** What is covered besides, canonical: nothing can be staged inside of it. */
  readonly roots?: readonly string[];
}

/**
 * A private directory outside of the workspace from which a file can be moved into it at once: in the data directory,
 * else in that for temporary files, else beside the workspace. Undefined where there is none: an overlay can then be
 * staged in any private directory that `probeOverlay` finds fit, and what it staged has to be copied.
 */
export async function stagingFor({
  workspace,
  dataDirectory,
  roots = [],
}: StagingOptions): Promise<string | undefined> {
  // One for each journal, which may still need what lies in it.
  const owner = createHash("sha256").update(dataDirectory).digest("hex").slice(0, 12);
  const candidates = [
    `${dataDirectory}/${ownStaging}`,
    ...sharedBases(workspace).map((beginning) => `${beginning}${owner}`),
  ];
  const place = await placeOf(workspace);
  const taken = [workspace, ...roots];
  if (!taken.some((root) => isWithin(root, dataDirectory))) {
    // The first command of all finds it missing, and a later one would then stage somewhere else.
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 }).catch(() => undefined);
  }
  for (const candidate of candidates) {
    const parent = await realpath(parentPath(candidate)).catch(() => undefined);
    if (parent === undefined) continue;
    if (taken.some((root) => isWithin(root, parent))) continue;
    const found = await placeOf(parent);
    if (found === undefined || found !== place) continue;
    const path = joinPath(parent, candidate.slice(parentPath(candidate).length + 1));
    if (await keepStaging(path)) return path;
  }
  return undefined;
}

/** How staging directories begin that lie where those of other journals may lie as well. */
function sharedBases(workspace: string): readonly string[] {
  const name = `haft-overlays-${process.getuid?.() ?? 0}-`;
  return [`${tmpdir()}/${name}`, `${parentPath(workspace)}/.${name}`];
}

/** The file system and the mount a directory is on: a file can be renamed only within both. */
async function placeOf(directory: string): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(directory);
    const { type } = await statfs(directory);
    if (type === overlayType) return undefined;
    const { dev } = await handle.stat();
    const mount = /^mnt_id:\s*(\d+)$/mu.exec(
      await readFile(`/proc/self/fdinfo/${handle.fd}`, "utf8"),
    )?.[1];
    return mount === undefined ? undefined : `${dev} ${mount}`;
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** Made here, or made here before: nobody else may have put it there, or look inside. False where somebody has. */
export async function keepStaging(path: string): Promise<boolean> {
  await mkdir(path, { mode: 0o700 }).catch(() => undefined);
  const stat = await lstat(path).catch(() => undefined);
  return (
    stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0
  );
}

/** Notes that this process will drop the overlay itself, where its number counts, and whose journal may need it. */
export function markOwner(overlay: string, journal = ""): void {
  const owner = `${process.pid} ${startOf(process.pid)} ${processSpace()}\n${journal}`;
  writeFileSync(`${overlay}/owner`, owner);
}

/** Drops the overlays that processes which are gone have left in a staging directory. */
export async function dropStaging(directory: string): Promise<void> {
  for (const overlay of await overlaysIn(directory)) {
    if (!isOwned(overlay)) await dropOverlay(overlay, { isQuiet: false });
  }
  for (const draft of await namesIn(directory, draftPrefix)) {
    if (!isRecent(draft, draftMs)) await dropOverlay(draft, { isQuiet: true });
  }
}

/**
 * Takes away what staging directories of other journals have left where this one's may lie: those that are empty, and
 * overlays of processes and journals that are both gone.
 */
export async function dropStale(workspace: string): Promise<void> {
  for (const beginning of sharedBases(workspace)) {
    const parent = parentPath(beginning);
    const names = await readdir(parent).catch((): string[] => []);
    for (const name of names.filter((one) => one.startsWith(baseName(beginning)))) {
      // One that cannot be taken away now may be the next time, and is no reason for a command to fail.
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
 * Removes a staging directory in which nothing is left, so that no empty one lies next to the workspace; the next
 * program that needs it makes it again. The one in a data directory stays: other programs may have it in their mounts.
 */
export async function leaveStaging(directory: string): Promise<void> {
  if (baseName(directory) === ownStaging) return;
  await rmdir(directory).catch(() => undefined);
}

/** Name of the staging directory in a data directory. */
const ownStaging = "overlay";

/** How often the directory is made again that other programs remove when it is empty. */
const maxRemoved = 100;

/**
 * A new directory for one overlay, which says whose it is from the first moment: another program removes one without an
 * owner. From then on the staging directory is not empty, so it stays.
 */
export async function makeOverlayDirectory(staging: string, journal?: string): Promise<string> {
  for (let removed = 0; ; removed += 1) {
    try {
      const draft = mkdtempSync(joinPath(staging, draftPrefix));
      markOwner(draft, journal);
      const directory = joinPath(
        staging,
        overlayPrefix + baseName(draft).slice(draftPrefix.length),
      );
      renameSync(draft, directory);
      return directory;
    } catch (error) {
      const isRemoved = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!isRemoved || removed === maxRemoved || !(await keepStaging(staging))) throw error;
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

/** The process that made an overlay, and the journal that may need what lies there; both empty where nothing is said. */
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
  // In another container the same number is somebody else's: whether the owner lives cannot be told from here.
  return isRecent(`${overlay}/owner`, foreignMs);
}

function isRecent(path: string, forMs: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs > Date.now() - forMs;
}

/** Ends what runs on an overlay, where anything may, and removes all of it. */
export async function dropOverlay(
  overlay: string,
  { isQuiet }: { readonly isQuiet: boolean },
): Promise<void> {
  if (!isQuiet) await endNamespace(baseName(overlay));
  const pace = pacer();
  const names = unlessGone(() => readdirSync(overlay, { withFileTypes: true })) ?? [];
  // Who owns it goes last: without it, another program would take it for one that was left, and remove it as well.
  for (const entry of names.filter(({ name }) => name !== "owner")) {
    const place = `${overlay}/${entry.name}`;
    if (!entry.isDirectory()) unlessGone(() => unlinkSync(place));
    // Real trees were mounted there, if only where others looked: never go inside.
    else if (/^t\d+$/u.test(entry.name)) unlessGone(() => rmdirSync(place));
    else await removeDirectory(Buffer.from(place), pace);
  }
  unlessGone(() => unlinkSync(`${overlay}/owner`));
  unlessGone(() => rmdirSync(overlay));
}

/** Undefined where another program was first. */
function unlessGone<T>(remove: () => T): T | undefined {
  try {
    return remove();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The namespace in which processes have their numbers here. */
function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** When a process began, in the clock of the kernel; empty where it has ended. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

/** Bytes of a path from which on a directory is moved up before it is removed: a system takes 4,095. */
const longPathBytes = 2048;

/**
 * Removes a tree of any depth. Each directory is opened first: commands close theirs, and overlayfs some of its own. One
 * that lies too deep to be named is moved to the top and removed from there.
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
