import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { privateFolderName } from "../../../core/index.ts";
import { systemProgram } from "../../../programs/index.ts";
import { errnoOf } from "../../files/file-error.ts";

/** Number of pipes created at once: starting `mkfifo` costs the same for one as for many. */
const batch = 48;
/** Number of free pipes below which more are created in the background. */
const fewLeft = 6;
/**
 * Number of failures after which no more attempts are made: the machine may have no `mkfifo` or temporary directory.
 */
const maxFailures = 3;
/** Milliseconds after which creation is attempted again: a full disk or too many open files may be temporary. */
const brokenMs = 30_000;
/** Maximum number of attempts while other processes create and remove the common directory. */
const makeAttempts = 20;
const userId = process.getuid?.() ?? 0;
/** Opening both ends never blocks, and afterwards opening a single end does not block either. */
const bothEnds = constants.O_RDWR | constants.O_NONBLOCK;

/** Counts over all pools: a pool that ends may still have names in the directory where another one creates some. */
let made = 0;

/** Runs a program to its end; false if that failed. */
export type RunProgram = (argv: readonly string[]) => Promise<boolean>;

/**
 * Pipes for the input and output of programs, kept open without a name.
 *
 * Node gives a child sockets, and `echo > /dev/stderr` fails on a socket. Node cannot create a pipe, but it can reopen
 * one through `/proc`, for this process or for a helper that starts programs for it.
 */
export class PipePool {
  readonly #run: RunProgram;
  readonly #free: number[] = [];
  #filling: Promise<boolean> | undefined;
  #failures = process.platform === "linux" ? 0 : maxFailures;
  #failedAt = Infinity;
  #isClosed = false;

  /**
   * Directory with named pipes for processes that cannot open this process's descriptors; undefined for unnamed pipes.
   */
  readonly #folder: string | undefined;
  readonly #names = new Map<number, string>();

  constructor(run: RunProgram, folder?: string) {
    this.#run = run;
    this.#folder = folder;
  }

  /** Another pool, whose pipes can be opened by their names in a private directory until they are returned. */
  named(folder: string): PipePool {
    return new PipePool(this.#run, folder);
  }

  /** Path at which a taken pipe can be opened, also by another process. */
  pathOf(descriptor: number): string {
    return this.#names.get(descriptor) ?? `/proc/${process.pid}/fd/${descriptor}`;
  }

  /** Closes pipes that were taken. */
  giveBack(descriptors: readonly number[]): void {
    for (const descriptor of descriptors) {
      closeSync(descriptor);
      const name = this.#names.get(descriptor);
      this.#names.delete(descriptor);
      if (name !== undefined) rmSync(name, { force: true });
    }
  }

  /** Whether pipes cannot be created at present. */
  get isBroken(): boolean {
    return this.#failures >= maxFailures && performance.now() - this.#failedAt < brokenMs;
  }

  /** Descriptors of `count` pipes, open at both ends; the caller closes them. Undefined if none can be created. */
  async take(count: number): Promise<readonly number[] | undefined> {
    while (this.#free.length < count) {
      if (!(await this.#fill())) return undefined;
    }
    const taken = this.#free.splice(0, count);
    if (this.#free.length < fewLeft) void this.#fill();
    return taken;
  }

  async dispose(): Promise<void> {
    this.#isClosed = true;
    await this.#filling;
    this.giveBack(this.#free.splice(0));
  }

  async #fill(): Promise<boolean> {
    if (this.isBroken || this.#isClosed) return false;
    this.#filling ??= this.#make().finally(() => {
      this.#filling = undefined;
    });
    return this.#filling;
  }

  async #make(): Promise<boolean> {
    let own: string | undefined;
    let names: readonly string[] = [];
    try {
      own = this.#folder === undefined ? makeFolder() : undefined;
      const folder = own ?? this.#folder;
      made += batch;
      const first = made;
      names = Array.from({ length: batch }, (_, index) => `${folder}/pipe${first + index}`);
      const mkfifo = systemProgram("mkfifo");
      if (mkfifo !== undefined && (await this.#run([mkfifo, "-m", "600", ...names]))) {
        for (const name of names) {
          const descriptor = openSync(name, bothEnds);
          this.#free.push(descriptor);
          if (own === undefined) this.#names.set(descriptor, name);
        }
        this.#failures = 0;
        return true;
      }
    } catch {
      // Counted below: whatever the reason, no pipes were created.
    } finally {
      // Open pipes need no name, and without one no other process can find them.
      const kept = new Set(this.#names.values());
      unname(
        names.filter((name) => !kept.has(name)),
        own,
      );
    }
    this.#failures += 1;
    this.#failedAt = performance.now();
    return false;
  }
}

/** Creates a directory that is inaccessible to confined programs, or at least to other users. */
function makeFolder(): string {
  const common = commonFolder();
  for (let attempt = 1; ; attempt += 1) {
    try {
      makeCommon(common);
      const { uid, mode } = lstatSync(common);
      const isOwn = uid === userId && (mode & 0o077) === 0;
      return mkdtempSync(path.join(isOwn ? common : tmpdir(), "haft-pipes-"));
    } catch (error) {
      // Another process may have removed the common directory when it was empty.
      if (errnoOf(error) !== "ENOENT" || attempt === makeAttempts) throw error;
    }
  }
}

function makeCommon(common: string): void {
  try {
    mkdirSync(common, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  }
}

function commonFolder(): string {
  return path.join(tmpdir(), privateFolderName(userId));
}

/** Removes the names one by one: listing a directory needs a descriptor, and there may be none left. */
function unname(names: readonly string[], folder: string | undefined): void {
  try {
    for (const name of names) rmSync(name, { force: true });
    if (folder === undefined) return;
    rmdirSync(folder);
    // Succeeds only if nothing else is in the directory.
    rmdirSync(commonFolder());
  } catch {
    // The names contain no data, and no other user can open them.
  }
}

/** Opens one end of a pipe for this process, without blocking. */
export function openOwnEnd(descriptor: number, end: "read" | "write"): number {
  const access = end === "read" ? constants.O_RDONLY : constants.O_WRONLY;
  return openSync(`/proc/self/fd/${descriptor}`, access | constants.O_NONBLOCK);
}
