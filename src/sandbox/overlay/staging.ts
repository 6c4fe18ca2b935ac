import { readFileSync, writeFileSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  open,
  readFile,
  readdir,
  realpath,
  rm,
  statfs,
  type FileHandle,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { baseName, isWithin, joinPath, parentPath } from "../../core/index.ts";
import { endNamespace } from "./namespace-processes.ts";

/** What the directory of each overlay begins with. */
export const overlayPrefix = "haft-overlay-";

/** File systems of this kind cannot hold what is written on another overlay. */
const overlayType = 0x794c7630;

export interface StagingOptions {
  /** Canonical. */
  readonly workspace: string;
  readonly dataDirectory: string;
}

/**
 * A private directory outside of the workspace from which a file can be moved into it at once: in the data directory,
 * else in that for temporary files, else beside the workspace. Undefined where there is none: an overlay can then be
 * staged in any private directory that `probeOverlay` finds fit, and what it staged has to be copied.
 */
export async function stagingFor({
  workspace,
  dataDirectory,
}: StagingOptions): Promise<string | undefined> {
  const user = process.getuid?.() ?? 0;
  const candidates = [
    `${dataDirectory}/overlay`,
    `${tmpdir()}/haft-overlays-${user}`,
    `${parentPath(workspace)}/.haft-overlays-${user}`,
  ];
  const place = await placeOf(workspace);
  for (const candidate of candidates) {
    const parent = await realpath(parentPath(candidate)).catch(() => undefined);
    if (parent === undefined || isWithin(workspace, parent)) continue;
    const found = await placeOf(parent);
    if (found === undefined || found !== place) continue;
    const path = joinPath(parent, candidate.slice(parentPath(candidate).length + 1));
    if (await isPrivate(path)) return path;
  }
  return undefined;
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

/** Made here, or made here before: nobody else may have put it there, or look inside. */
async function isPrivate(path: string): Promise<boolean> {
  await mkdir(path, { mode: 0o700 }).catch(() => undefined);
  const stat = await lstat(path).catch(() => undefined);
  return (
    stat?.isDirectory() === true && stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0
  );
}

/** Notes that this process will drop the overlay itself. */
export function markOwner(overlay: string): void {
  writeFileSync(`${overlay}/owner`, `${process.pid} ${startOf(process.pid)}`);
}

/** Drops the overlays that processes which are gone have left in a staging directory. */
export async function dropStaging(directory: string): Promise<void> {
  const names = await readdir(directory).catch((): string[] => []);
  for (const name of names.filter((one) => one.startsWith(overlayPrefix))) {
    const overlay = `${directory}/${name}`;
    const [pid, start] = (await readFile(`${overlay}/owner`, "utf8").catch(() => "")).split(" ");
    const isOwned = pid !== undefined && start !== undefined && startOf(Number(pid)) === start;
    if (!isOwned) await dropOverlay(overlay, { isQuiet: false });
  }
}

/** Ends what runs on an overlay, where anything may, and removes all of it. */
export async function dropOverlay(
  overlay: string,
  { isQuiet }: { readonly isQuiet: boolean },
): Promise<void> {
  if (!isQuiet) await endNamespace(baseName(overlay));
  await removeAll(overlay);
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

/** Directories are opened up first where they are closed to their owner, as overlayfs leaves some of its own. */
async function removeAll(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch {
    await openUp(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

async function openUp(directory: string | Buffer): Promise<void> {
  await chmod(directory, 0o700);
  const start = Buffer.concat([Buffer.from(directory), Buffer.from("/")]);
  for (const entry of await readdir(directory, { encoding: "buffer", withFileTypes: true })) {
    if (entry.isDirectory()) await openUp(Buffer.concat([start, entry.name]));
  }
}
