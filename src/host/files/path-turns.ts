import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { baseName, isWithin, parentPath } from "../../text/index.ts";
import { ToolError, type PathTurn, type PathTurns, type TurnHolder } from "../../core/index.ts";
import { isRunningProcess } from "../processes/own-process.ts";

export interface PathTurnsOptions {
  /**
   * Directories for claims; the first that is private to this user is used. Default: temporary directories that are the
   * same for every process of this user.
   */
  readonly directories?: readonly string[];
  /** Maximum wait in milliseconds. Default: 30 seconds. */
  readonly maxWaitMs?: number;
}

/** A turn that is taken or requested, as its link states it. */
interface Claim extends TurnHolder {
  readonly paths: readonly string[];
}

interface KnownClaim {
  /** Path of the claim's link. */
  readonly file: string;
  readonly claim: Claim;
}

/** Conditions of a wait. */
interface Until {
  readonly first: Claim;
  readonly giveUpAt: number;
  readonly signal: AbortSignal | undefined;
}

const pauseMs = 10;
/** Milliseconds for which a claim counts if this process cannot tell whether its owner is running. */
const unknownMs = 60_000;
/** Maximum length of a link target in bytes; with more paths, the directory that contains all of them is claimed. */
const maxBytes = 4000;
/** Maximum number of characters of the work that a claim names. */
const maxWhat = 200;

/**
 * Turns by links in a directory: a link is created with its target in one step, and the target names the owner and the
 * paths. Each process first writes its claim and then reads the others, so of two at least one sees the other, and only
 * a process that sees none continues. If two see each other, the one with the later name withdraws. The claim of a
 * process that has ended does not count.
 *
 * Another user may have taken the name of a directory before, so there are several. Claims are read in all of them: of
 * two processes, one may have started before that user took the name.
 */
export function localPathTurns(options: PathTurnsOptions = {}): PathTurns {
  const { directories = usualDirectories(), maxWaitMs = 30_000 } = options;
  /** Claims of other processes by file; the claim of a file never changes. */
  const known = new Map<string, Claim>();
  let made = 0;

  async function take(
    all: readonly string[],
    holder: TurnHolder,
    signal?: AbortSignal,
  ): Promise<PathTurn> {
    const claim = claimOf(all, holder);
    const giveUpAt = performance.now() + maxWaitMs;
    let own: string | undefined;
    try {
      for (;;) {
        own ??= write(claim);
        // If claims cannot be stored, processes that share a journal still see each other in it.
        if (own === undefined) return { release: () => undefined };
        const file = own;
        const others = inTheWay(claim, file);
        const [first] = others;
        if (first === undefined) return { release: () => remove(file) };
        const until = { first: first.claim, giveUpAt, signal };
        if (others.some((other) => baseName(other.file) < baseName(file))) {
          remove(file);
          own = undefined;
          await untilFree(claim, until);
        } else {
          await pause(claim, until);
        }
      }
    } catch (error) {
      if (own !== undefined) remove(own);
      throw error;
    }
  }

  async function untilFree(claim: Claim, until: Until): Promise<void> {
    for (;;) {
      const [first] = inTheWay(claim);
      if (first === undefined) return;
      await pause(claim, { ...until, first: first.claim });
    }
  }

  /** Writes a claim and returns its file; undefined if no directory can store it. */
  function write(claim: Claim): string | undefined {
    made += 1;
    const name = `${Date.now().toString(36)}-${process.pid}-${made.toString(36)}-${claim.by.slice(-8)}`;
    for (const directory of directories) {
      const file = `${directory}/${name}`;
      // Another process may remove the directory when it is empty.
      for (let tries = 0; tries < 2; tries += 1) {
        if (writeIn(directory, file, claim)) return file;
      }
    }
    return undefined;
  }

  function writeIn(directory: string, file: string, claim: Claim): boolean {
    try {
      if (!isPrivate(directory) && !makeDirectory(directory)) return false;
      symlinkSync(JSON.stringify(claim), file);
      return true;
    } catch {
      return false;
    }
  }

  function inTheWay(own: Claim, ownFile?: string): readonly KnownClaim[] {
    const files = directories.flatMap(listed).filter((file) => file !== ownFile);
    for (const file of known.keys()) if (!files.includes(file)) known.delete(file);
    return files.flatMap((file): readonly KnownClaim[] => {
      const claim = known.get(file) ?? read(file);
      if (claim === undefined) return [];
      known.set(file, claim);
      if (claim.by === own.by || !isMeeting(own.paths, claim.paths)) return [];
      return isHeld(file, claim) ? [{ file, claim }] : [];
    });
  }

  function isHeld(file: string, { by }: Claim): boolean {
    const [owner = ""] = by.split(" ");
    const isRunning = isRunningProcess(owner);
    if (isRunning === false) remove(file);
    return isRunning ?? ageOf(file) < unknownMs;
  }

  function remove(file: string): void {
    known.delete(file);
    try {
      unlinkSync(file);
    } catch {
      // Another process has removed it, because its owner has ended.
    }
  }

  return {
    take,
    whyOff() {
      const file = write({ by: "", what: "", paths: [] });
      if (file !== undefined) remove(file);
      return file === undefined ? `${directories.join(" and ")} cannot be used.` : undefined;
    },
    close() {
      for (const directory of directories) {
        try {
          if (isPrivate(directory)) rmdirSync(directory);
        } catch {
          // Another process uses it.
        }
      }
    },
  };
}

/** The same for all processes of a user, even if their temporary directories differ. */
function usualDirectories(): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  // In memory if possible: a claim lives for milliseconds and need not reach a disk. Other users cannot create anything
  // in the last directory.
  const bases =
    process.platform === "win32" ? [tmpdir()] : ["/dev/shm", "/tmp", `/run/user/${uid}`];
  return bases.map((base) => `${base}/haft-turns-${uid}`);
}

function makeDirectory(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch {
    // It exists or cannot be created; the check below decides.
  }
  return isPrivate(directory);
}

/** Whether this user created the directory and no other user can write in it. */
function isPrivate(directory: string): boolean {
  const stat = lstatSync(directory, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) return false;
  return (
    process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o77) === 0)
  );
}

/** The files of claims in a directory, if no other user can have written them. */
function listed(directory: string): readonly string[] {
  try {
    if (!isPrivate(directory)) return [];
    return readdirSync(directory).map((name) => `${directory}/${name}`);
  } catch {
    return [];
  }
}

function ageOf(path: string): number {
  return Date.now() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function isMeeting(own: readonly string[], others: readonly string[]): boolean {
  return own.some((path) => meetingPath(path, others) !== undefined);
}

function meetingPath(path: string, others: readonly string[]): string | undefined {
  return others.find((other) => isWithin(other, path) || isWithin(path, other));
}

function claimOf(all: readonly string[], { by, what }: TurnHolder): Claim {
  // The description comes from the caller, so its length is limited.
  const holder = { by, what: what.slice(0, maxWhat) };
  let claim: Claim = { ...holder, paths: all.length > maxBytes / 4 ? [commonDirectory(all)] : all };
  for (let common = commonDirectory(all); !isShort(claim); common = parentPath(common)) {
    claim = { ...holder, paths: [common] };
    if (common === "/") break;
  }
  return claim;
}

function isShort(claim: Claim): boolean {
  return Buffer.byteLength(JSON.stringify(claim)) <= maxBytes;
}

function commonDirectory(paths: readonly string[]): string {
  let [common = "/"] = paths;
  for (const path of paths) while (!isWithin(common, path)) common = parentPath(common);
  return common;
}

/** Waits a little for the first claim in the way; throws if the wait took too long or was aborted. */
async function pause(own: Claim, { first, giveUpAt, signal }: Until): Promise<void> {
  if (signal?.aborted === true) throw abortedWait(own, first);
  if (performance.now() > giveUpAt) throw refused(own, first);
  await sleep(pauseMs);
}

function abortedWait(own: Claim, other: Claim): ToolError {
  const { path, pid } = meetingOf(own, other);
  return new ToolError(
    "ABORTED",
    `The call was aborted while it waited for ${other.what} of another haft program (process ${pid}), which is changing ${path}.`,
    { hint: "Nothing was changed.", data: { path, process: Number(pid), by: other.what } },
  );
}

function meetingOf(own: Claim, other: Claim): { readonly path: string; readonly pid: string } {
  const path = own.paths.find((each) => meetingPath(each, other.paths) !== undefined) ?? "A path";
  const [pid = "?"] = other.by.split("/");
  return { path, pid };
}

function refused(own: Claim, other: Claim): ToolError {
  const { path, pid } = meetingOf(own, other);
  return new ToolError(
    "UNAVAILABLE",
    `${path} is being changed by ${other.what} of another haft program (process ${pid}).`,
    {
      hint: "Nothing was changed. Wait until that has ended, then try again.",
      data: { path, process: Number(pid), by: other.what },
      retryable: true,
    },
  );
}

function read(file: string): Claim | undefined {
  try {
    const value: unknown = JSON.parse(readlinkSync(file));
    return isClaim(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isClaim(value: unknown): value is Claim {
  return (
    typeof value === "object" &&
    value !== null &&
    "by" in value &&
    typeof value.by === "string" &&
    "what" in value &&
    typeof value.what === "string" &&
    "paths" in value &&
    Array.isArray(value.paths) &&
    value.paths.every((path) => typeof path === "string")
  );
}
