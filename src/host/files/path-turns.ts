import { AsyncLocalStorage } from "node:async_hooks";
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
import { baseName } from "../../text/index.ts";
import type { PathTurn, PathTurns, TurnHolder } from "../../core/index.ts";
import { isRunningProcess } from "../processes/own-process.ts";
import {
  abortedWait,
  claimOf,
  claimToGiveUp,
  isInTheWay,
  refused,
  type Claim,
  type KnownClaim,
} from "./turn-claims.ts";

export interface PathTurnsOptions {
  /**
   * Directories for claims; the first that is private to this user is used. Default: temporary directories that are the
   * same for every process of this user.
   */
  readonly directories?: readonly string[];
  /** Maximum wait in milliseconds. Default: 30 seconds. */
  readonly maxWaitMs?: number;
}

/** Conditions of a wait. */
interface Until {
  readonly first: Claim;
  /** Shows the wait to other programs once the call holds other paths, and returns the claim by which they see it. */
  readonly show: () => KnownClaim | undefined;
  readonly giveUpAt: number;
  readonly signal: AbortSignal | undefined;
}

const pauseMs = 10;
/** Milliseconds for which a claim counts if this process cannot tell whether its owner is running. */
const unknownMs = 60_000;
/** Work of a call that holds a turn. */
interface Inside {
  readonly call: string;
  /** The call does not wait for this work any longer: what still runs of it takes turns like any other. */
  isOver: boolean;
}

/** Calls whose work this is. They wait for it, so it must not wait for them, whichever kit of this process runs it. */
const callers = new AsyncLocalStorage<readonly Inside[]>();

/** Runs work whose caller waits for it while it holds its own turn. */
function runInside<T>(call: string, work: () => T): T {
  const inside: Inside = { call, isOver: false };
  const end = (): void => {
    inside.isOver = true;
  };
  let isPending = false;
  try {
    const result = callers.run([...(callers.getStore() ?? []), inside], work);
    isPending = result instanceof Promise;
    if (result instanceof Promise) result.then(end, end);
    return result;
  } finally {
    if (!isPending) end();
  }
}

/**
 * Turns by links in a directory: a link is created with its target in one step, and the target names the owner and the
 * paths. Each process first writes its claim and then reads the others, so of two at least one sees the other, and only
 * a process that sees none continues. If two see each other, the one with the later name withdraws. The claim of a
 * process that has ended does not count.
 *
 * A call that waits while it holds other paths shows its wait by a claim that is in no other program's way. Of calls that
 * wait for each other in a circle, the latest gives up at once.
 *
 * Another user may have taken the name of a directory before, so there are several. Claims are read in all of them: of
 * two processes, one may have started before that user took the name.
 */
export function localPathTurns(options: PathTurnsOptions = {}): PathTurns {
  const { directories = usualDirectories(), maxWaitMs = 30_000 } = options;
  /** Claims of other processes by file; the claim of a file never changes. */
  const known = new Map<string, Claim>();
  /** Number of turns that each call has. */
  const held = new Map<string, number>();
  let made = 0;

  async function take(
    all: readonly string[],
    holder: TurnHolder,
    signal?: AbortSignal,
  ): Promise<PathTurn> {
    const claim = claimOf(all, holder);
    const giveUpAt = performance.now() + maxWaitMs;
    let own: string | undefined;
    let shown: KnownClaim | undefined;
    let wasLeft = false;
    const onLeft = (): void => {
      wasLeft = true;
    };
    const show = (): KnownClaim | undefined => (shown ??= showWait(claim));
    try {
      for (;;) {
        own ??= write(claim);
        // If claims cannot be stored, processes that share a journal still see each other in it.
        if (own === undefined) return { wasLeft, release: () => undefined };
        const file = own;
        const others = inTheWay(claim, { ownFile: file, onLeft });
        const [first] = others;
        if (first === undefined) return granted(file, holder, wasLeft);
        const until = { first: first.claim, show, giveUpAt, signal };
        if (others.some((other) => baseName(other.file) < baseName(file))) {
          remove(file);
          own = undefined;
          await untilFree(claim, until, onLeft);
        } else {
          await pause(claim, until);
        }
      }
    } catch (error) {
      if (own !== undefined) remove(own);
      throw error;
    } finally {
      if (shown !== undefined) remove(shown.file);
    }
  }

  function granted(file: string, holder: TurnHolder, wasLeft: boolean): PathTurn {
    const call = callOf(holder);
    held.set(call, (held.get(call) ?? 0) + 1);
    let isReleased = false;
    return {
      wasLeft,
      release() {
        remove(file);
        if (isReleased) return;
        isReleased = true;
        const left = (held.get(call) ?? 1) - 1;
        if (left === 0) held.delete(call);
        else held.set(call, left);
      },
    };
  }

  /** Shows other programs that a call waits, if it has paths that one of them may wait for. */
  function showWait(claim: Claim): KnownClaim | undefined {
    if (claim.callId === undefined || !held.has(callOf(claim))) return undefined;
    const waiting: Claim = { ...claim, isWaiting: true };
    const file = write(waiting);
    return file === undefined ? undefined : { file, claim: waiting };
  }

  async function untilFree(claim: Claim, until: Until, onLeft: () => void): Promise<void> {
    for (;;) {
      const [first] = inTheWay(claim, { onLeft });
      if (first === undefined) return;
      await pause(claim, { ...until, first: first.claim });
    }
  }

  /** Waits a little for the first claim in the way; throws if the wait took too long, was aborted or cannot end. */
  async function pause(own: Claim, { first, show, giveUpAt, signal }: Until): Promise<void> {
    if (signal?.aborted === true) throw abortedWait(own, first);
    const shown = show();
    if (shown !== undefined && claimToGiveUp(shown, claims(shown.file)) === shown) {
      throw refused(own, first, { isCircle: true });
    }
    if (performance.now() > giveUpAt) throw refused(own, first, { isCircle: false });
    await sleep(pauseMs);
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

  /** Claims in the way of one. Those of programs that have ended are removed, and `onLeft` is called for each. */
  function inTheWay(
    own: Claim,
    { ownFile, onLeft }: { readonly ownFile?: string; readonly onLeft: () => void },
  ): readonly KnownClaim[] {
    const waiting = callers.getStore();
    const found = claimsWhere(
      ownFile,
      (claim) =>
        isInTheWay(claim, own) &&
        waiting?.some(({ call, isOver }) => !isOver && call === callOf(claim)) !== true,
    );
    return found.filter(({ file, claim }) => {
      const isRunning = isRunningOwner(claim);
      if (isRunning !== false) return isRunning ?? ageOf(file) < unknownMs;
      onLeft();
      remove(file);
      return false;
    });
  }

  /** Claims that count, except `ownFile`. */
  function claims(ownFile: string | undefined): readonly KnownClaim[] {
    return claimsWhere(ownFile, () => true).filter(({ file, claim }) => {
      const isRunning = isRunningOwner(claim);
      // The claim of a turn stays for the next program that takes it, which completes what was left half done.
      if (isRunning === false && claim.isWaiting === true) remove(file);
      return isRunning ?? ageOf(file) < unknownMs;
    });
  }

  function claimsWhere(
    ownFile: string | undefined,
    isWanted: (claim: Claim) => boolean,
  ): readonly KnownClaim[] {
    const files = directories.flatMap(listed).filter((file) => file !== ownFile);
    for (const file of known.keys()) if (!files.includes(file)) known.delete(file);
    return files.flatMap((file): readonly KnownClaim[] => {
      const claim = known.get(file) ?? read(file);
      if (claim === undefined) return [];
      known.set(file, claim);
      return isWanted(claim) ? [{ file, claim }] : [];
    });
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
    inside: (holder, work) => runInside(callOf(holder), work),
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

function isRunningOwner({ by }: Claim): boolean | undefined {
  const [owner = ""] = by.split(" ");
  return isRunningProcess(owner);
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

function writeIn(directory: string, file: string, claim: Claim): boolean {
  try {
    if (!isPrivate(directory) && !makeDirectory(directory)) return false;
    symlinkSync(JSON.stringify(claim), file);
    return true;
  } catch {
    return false;
  }
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

function callOf({ by, callId = "" }: Pick<TurnHolder, "by" | "callId">): string {
  return `${by}\n${callId}`;
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
