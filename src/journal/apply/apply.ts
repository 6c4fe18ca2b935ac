import { isNotFound, parentPath } from "../../text/index.ts";
import { ToolError, type HostFs } from "../../core/index.ts";
import type { BlobStore } from "../log/content-store.ts";
import { ownerAll } from "./read-only-directories.ts";
import {
  absent,
  contentSize,
  imageOfStat,
  isContentHash,
  isInexact,
  isSameState,
  type FileState,
} from "../capture/file-state.ts";
import { flushTogether, type DeferredWrite } from "./batch-flush.ts";
import { inBatches } from "../../text/index.ts";
import { nameSearch, takeNameBack, type NameSearch } from "./other-names.ts";
import type { NotCaptured, Step } from "../records.ts";
import { snapshotPath } from "../capture/snapshot.ts";
import { inRounds, reversed } from "./order-steps.ts";

export interface ApplyOptions {
  readonly fs: HostFs;
  readonly blobs: Pick<BlobStore, "get">;
  /** Write options for a file that is one of many. */
  readonly held?: DeferredWrite;
  /** Kind of work, for the text of error messages. Default: an undo. */
  readonly purpose?: "command";
  /** Reaction to a failed step: `stop` throws its error, `keep` leaves its path as it is and returns the reason. */
  readonly onFailure: "stop" | "keep";
}

type Act = (step: Step, options: Applying) => Promise<string | undefined>;

interface Applying extends ApplyOptions {
  readonly names: NameSearch;
}

/**
 * Brings every path to its target state and returns the paths that had to stay, with the reason. A path that is in
 * neither the start nor the target state of its step fails with STALE_READ when its turn comes. A path that is already
 * in the target state, or was removed by an interrupted run, does not fail: interrupted steps can be applied again.
 */
export async function applySteps(
  steps: readonly Step[],
  given: ApplyOptions,
): Promise<readonly NotCaptured[]> {
  const options: Applying = { ...given, names: nameSearch(given.fs) };
  const kept = new Map<string, string>();
  const { opened, leaving, arriving } = inRounds(steps);
  // Shallowest first: entries of a directory without write permission can be neither removed nor created.
  for (const step of opened) await attempt(step, openDirectory);
  await together(leaving.others, remove);
  for (const step of leaving.directories) await attempt(step, remove);
  for (const step of arriving.directories) await attempt(step, arrive);
  await flushTogether(
    arriving.others,
    (step, held) => attempt(step, (each, own) => arrive(each, { ...own, held })),
    { fs: options.fs, sizeOf: ({ to }) => contentSize(to) },
  );
  // Last, and deepest first: a directory without write permission could not have been filled.
  await together(arriving.others, setTraits);
  for (const step of arriving.directories.toReversed()) await attempt(step, setTraits);
  return Array.from(kept, ([path, because]) => ({ path, because }));

  async function together(some: readonly Step[], act: Act): Promise<void> {
    await inBatches(some, (step) => attempt(step, act));
  }

  async function attempt(step: Step, act: Act): Promise<void> {
    if (kept.has(step.path)) return;
    try {
      const because = await act(step, options);
      if (because !== undefined) kept.set(step.path, because);
    } catch (error) {
      // Another process that opened the journal meanwhile may have recovered the step as an interrupted one.
      if (act !== setTraits && (await isArrived(step, options))) return;
      if (options.onFailure === "stop") throw error;
      kept.set(step.path, error instanceof Error ? error.message : String(error));
    }
  }
}

/**
 * Applies all steps or, if one fails, none: reverts the applied ones, then throws the error. Calls `half` if something
 * could not be reverted, else `back`.
 */
export async function applyOrRollBack(
  options: Omit<ApplyOptions, "onFailure">,
  steps: readonly Step[],
  after: { readonly back: () => Promise<void>; readonly half: () => Promise<void> },
): Promise<readonly NotCaptured[]> {
  try {
    return await applySteps(steps, { ...options, onFailure: "stop" });
  } catch (error) {
    const left = await applySteps(reversed(steps), { ...options, onFailure: "keep" });
    // Recovery tries the rest again when the journal is opened.
    await (left.length === 0 ? after.back() : after.half());
    throw error;
  }
}

/** Maximum size to read: a larger file cannot have the content of either state. */
export function readLimit({ from, to }: Step): number {
  return Math.max(contentSize(from), contentSize(to));
}

/** Present state of a step's path. A file that was not read for the start state is compared by its version only. */
async function presentOf(step: Step, fs: HostFs): Promise<FileState> {
  const image = await imageAt(step, readLimit(step), fs);
  if (step.from.kind !== "file" || isContentHash(step.from.hash)) return image;
  const unread = await imageAt(step, 0, fs);
  return isSameState(unread, step.from) ? unread : image;
}

/** State of a path, also of a file that may be removed but not read. */
async function imageAt({ path }: Step, maxBytes: number, fs: HostFs): Promise<FileState> {
  try {
    return (await snapshotPath(fs, path, maxBytes)).image;
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "ACCESS_DENIED") throw error;
    return imageOfStat(await fs.stat(path));
  }
}

/** Makes a directory writable for the steps below it; `setTraits` sets its final permission bits, if it stays. */
async function openDirectory(step: Step, { fs }: ApplyOptions): Promise<undefined> {
  if (fs.setMode === undefined) return undefined;
  const { image } = await snapshotPath(fs, step.path, 0);
  if (image.kind !== "directory" || (image.mode & ownerAll) === ownerAll) return undefined;
  await fs.setMode(step.path, image.mode | ownerAll);
  return undefined;
}

/** Removes the start state. Returns the reason if it has to stay. */
async function remove(step: Step, options: ApplyOptions): Promise<string | undefined> {
  const { fs } = options;
  const { path, from } = step;
  const image = await presentOf(step, fs);
  if (image.kind === "absent" || isThere(image, step)) return undefined;
  if (from.kind === "directory" && image.kind === "directory") {
    return (await removeEmpty(fs, path)) ? undefined : "it holds files the call did not make";
  }
  if (!isLeaving(image, step)) throw stale(path, options);
  await (step.away === undefined ? fs.remove(path) : moveAway(path, step.away, fs));
  return undefined;
}

/** Creates the target state. */
async function arrive(step: Step, options: Applying): Promise<string | undefined> {
  const { path, to } = step;
  const { fs } = options;
  const image = await presentOf(step, fs);
  if (isThere(image, step)) return undefined;
  const isExpected = image.kind === "absent" || isLeaving(image, step) || isHalfWay(image, step);
  switch (to.kind) {
    case "absent":
      return undefined;
    case "directory":
      if (image.kind !== "absent" && image.kind !== "directory") throw stale(path, options);
      await fs.mkdir(path, fs.setMode === undefined ? { mode: to.mode } : {});
      return undefined;
    case "file":
      if (!isExpected) throw stale(path, options);
      if (step.away !== undefined && image.kind === "file") await moveAway(path, step.away, fs);
      if (await isFromSource(step, fs)) return undefined;
      await writeFile({ path, from: step.away === undefined ? image : absent, to }, options);
      return undefined;
    case "symlink":
      if (fs.makeLink === undefined) return "this host cannot make links";
      if (isInexact(to)) return "its target is not text";
      if (!isExpected) throw stale(path, options);
      if (image.kind === "absent") await fs.mkdir(parentPath(path));
      else await fs.remove(path);
      await fs.makeLink(path, to.target);
      return undefined;
    case "special":
      return `a ${to.type} cannot be made`;
  }
}

/** Whether the file was moved from its source to its path. */
async function isFromSource({ path, source }: Step, fs: HostFs): Promise<boolean> {
  if (source === undefined) return false;
  try {
    await fs.move(source, path);
    return true;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    // The source or the parent directory is missing. Without the source, the journal may have the content.
    if ((await snapshotPath(fs, source, 0)).image.kind === "absent") return false;
    await fs.mkdir(parentPath(path));
    await fs.move(source, path);
    return true;
  }
}

async function isArrived(step: Step, { fs }: ApplyOptions): Promise<boolean> {
  try {
    return isThere((await snapshotPath(fs, step.path, readLimit(step))).image, step);
  } catch {
    return false;
  }
}

/** Moves a file back to its origin, whose directory may have been removed meanwhile. */
async function moveAway(path: string, away: string, fs: HostFs): Promise<void> {
  try {
    await fs.move(path, away);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await fs.mkdir(parentPath(away));
    await fs.move(path, away);
  }
}

/** Whether this is the target state of the step. */
export function isThere(image: FileState, { to, source }: Step): boolean {
  return isSameState(image, to) || (source !== undefined && isSameLargeFile(image, to));
}

function isLeaving(image: FileState, { from, away }: Step): boolean {
  return isSameState(image, from) || (away !== undefined && isSameLargeFile(image, from));
}

/**
 * Whether a file has the content of one side and the permission bits of the other: the step was interrupted between the
 * two.
 */
function isHalfWay(image: FileState, { from, to }: Step): boolean {
  if (image.kind !== "file" || from.kind !== "file" || to.kind !== "file") return false;
  const isEither = (key: "hash" | "mode"): boolean =>
    image[key] === from[key] || image[key] === to[key];
  return isEither("hash") && isEither("mode");
}

/** Moving gives a file a new version, so a file that is too large to be read is identified by its metadata. */
function isSameLargeFile(a: FileState, b: FileState): boolean {
  if (a.kind !== "file" || b.kind !== "file" || isContentHash(b.hash)) return false;
  return a.size === b.size && a.mode === b.mode && a.mtimeMs === b.mtimeMs;
}

const ownerWrite = 0o200;

async function writeFile(
  step: {
    readonly path: string;
    readonly from: FileState;
    readonly to: FileState & { kind: "file" };
  },
  { fs, blobs, held, names }: Applying,
): Promise<void> {
  const { path, from, to } = step;
  const isFile = from.kind === "file";
  // Only the permission bits differ, and `setTraits` sets them at the end.
  if (isFile && from.hash === to.hash && fs.setMode !== undefined) return;
  if (!isFile && (await takeNameBack({ path, to }, names))) return;
  const bytes = await blobs.get(to.hash);
  if (bytes === undefined) throw forgotten(path);
  const keepsMode = isFile && (from.mode === to.mode || fs.setMode !== undefined);
  if (isFile && keepsMode && (from.mode & ownerWrite) !== 0) {
    await fs.writeAtomic(path, bytes, {
      ...held,
      ...(isContentHash(from.hash) ? { ifMatch: from.hash } : {}),
    });
    return;
  }
  // An existing file would keep its permission bits, or is not writable: replace it with a new one.
  if (isFile) await fs.remove(path);
  else await fs.mkdir(parentPath(path));
  // A removed file must be written at once, not after many others.
  await fs.writeAtomic(path, bytes, { ...(isFile ? {} : held), ifMatch: null, mode: to.mode });
}

/** Sets permission bits and, for a file, the modification time, which build tools compare. */
async function setTraits({ path, to }: Step, options: ApplyOptions): Promise<string | undefined> {
  if (to.kind !== "file" && to.kind !== "directory") return undefined;
  const { fs } = options;
  const { mode, mtimeMs, names = 1 } = await fs.stat(path);
  if (to.kind === "file") {
    const isTimed = to.mtimeMs !== undefined && to.mtimeMs !== mtimeMs;
    const isOwn = names > 1 && (isTimed || mode !== to.mode);
    if (isOwn) await takeOwnCopy({ path, mode, to }, options);
    if (isTimed || isOwn) await fs.setModified?.(path, to.mtimeMs ?? mtimeMs);
  }
  if (mode === to.mode) return undefined;
  if (fs.setMode === undefined) {
    return `this host cannot set its permission bits back to ${to.mode.toString(8)}`;
  }
  await fs.setMode(path, to.mode);
  return undefined;
}

/**
 * Replaces a file with several names by a copy of its own: metadata applies to all names, and the other names are not
 * part of the step.
 */
async function takeOwnCopy(
  file: { readonly path: string; readonly mode: number; readonly to: FileState & { kind: "file" } },
  { fs, blobs }: ApplyOptions,
): Promise<void> {
  const { path, mode, to } = file;
  const bytes = isContentHash(to.hash) ? await blobs.get(to.hash) : undefined;
  if (bytes === undefined) return;
  const isWritable = (mode & ownerWrite) !== 0;
  if (!isWritable) await fs.remove(path);
  await fs.writeAtomic(path, bytes, isWritable ? { ifMatch: to.hash } : { ifMatch: null, mode });
}

/**
 * Removes a directory if it is empty, atomically where the host can: entries created meanwhile belong to another
 * process.
 */
async function removeEmpty(fs: HostFs, path: string): Promise<boolean> {
  if (fs.removeEmpty !== undefined) {
    return await fs.removeEmpty(path).catch((error: unknown) => {
      if (isNotFound(error)) return true;
      throw error;
    });
  }
  if (!(await isEmpty(fs, path))) return false;
  await fs.remove(path, { recursive: true });
  return true;
}

async function isEmpty(fs: HostFs, path: string): Promise<boolean> {
  try {
    const { done } = await fs.list(path)[Symbol.asyncIterator]().next();
    return done === true;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

function stale(path: string, { purpose }: Pick<ApplyOptions, "purpose">): ToolError {
  const isCommand = purpose === "command";
  return new ToolError(
    "STALE_READ",
    isCommand
      ? `${path} changed while what the command did was being applied.`
      : `${path} changed while it was being undone.`,
    {
      hint: isCommand
        ? "Check the present content, then run the command again."
        : "Look at it, then undo again.",
      data: { path },
    },
  );
}

function forgotten(path: string): ToolError {
  return new ToolError("UNAVAILABLE", `The journal no longer has the content of ${path}.`, {
    hint: "Its call is older than the journal goes back.",
    data: { path },
    retryable: false,
  });
}
