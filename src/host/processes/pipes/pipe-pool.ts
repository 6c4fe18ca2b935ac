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

/** Made at once: starting `mkfifo` costs as much for one as for all. */
const batch = 48;
/** With fewer left, more are made while nobody waits for them. */
const fewLeft = 6;
/** A machine without `mkfifo`, or without a temporary folder, is not asked each time. */
const maxFailures = 3;
/** But again after so long, in milliseconds: a disk that was full, or too many open files, pass. */
const brokenMs = 30_000;
/** Folders of others that come and go are waited for so often. */
const makeAttempts = 20;
const userId = process.getuid?.() ?? 0;
/** Opening both ends never waits, and makes opening one of them not wait either. */
const bothEnds = constants.O_RDWR | constants.O_NONBLOCK;

/** Of all pools: one that ends may still have its names where another makes some. */
let made = 0;

/** Runs a program to its end; false where that failed. */
export type RunProgram = (argv: readonly string[]) => Promise<boolean>;

/**
 * Pipes for what programs print and read, held open without a name.
 *
 * Node gives a child sockets, and `echo > /dev/stderr` fails on a socket. It cannot make a pipe, but
 * it can open one again through `/proc`, for this program or for another one that starts programs for it.
 */
export class PipePool {
  readonly #run: RunProgram;
  readonly #free: number[] = [];
  #filling: Promise<boolean> | undefined;
  #failures = process.platform === "linux" ? 0 : maxFailures;
  #failedAt = Infinity;
  #isClosed = false;

  /** Where names are kept for who cannot open what this program holds; undefined where pipes have none. */
  readonly #folder: string | undefined;
  readonly #names = new Map<number, string>();

  constructor(run: RunProgram, folder?: string) {
    this.#run = run;
    this.#folder = folder;
  }

  /** Another one, whose pipes can be opened by their names in a private folder until they are given back. */
  named(folder: string): PipePool {
    return new PipePool(this.#run, folder);
  }

  /** Where a pipe that was taken can be opened, also by another process. */
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

  /** Whether no pipes can be made here now. */
  get isBroken(): boolean {
    return this.#failures >= maxFailures && performance.now() - this.#failedAt < brokenMs;
  }

  /** Descriptors of `count` pipes, open at both ends; the caller closes them. Undefined where none can be made. */
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
      // Counted below: whatever it was, there are no pipes.
    } finally {
      // Held open they need no name, and nobody else can find them.
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

/** Where a program that is confined cannot look, or at least nobody else. */
function makeFolder(): string {
  const common = commonFolder();
  for (let attempt = 1; ; attempt += 1) {
    try {
      makeCommon(common);
      const { uid, mode } = lstatSync(common);
      const isOwn = uid === userId && (mode & 0o077) === 0;
      return mkdtempSync(path.join(isOwn ? common : tmpdir(), "haft-pipes-"));
    } catch (error) {
      // Another program may have taken it away as the last.
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

/** One by one: to look what is in a folder takes a descriptor, and there may be none left. */
function unname(names: readonly string[], folder: string | undefined): void {
  try {
    for (const name of names) rmSync(name, { force: true });
    if (folder === undefined) return;
    rmdirSync(folder);
    // As the last, where nothing else is in it.
    rmdirSync(commonFolder());
  } catch {
    // They hold nothing, and nobody else can open them.
  }
}

/** One end of a held pipe, for this program to use without waiting. */
export function openOwnEnd(descriptor: number, end: "read" | "write"): number {
  const access = end === "read" ? constants.O_RDONLY : constants.O_WRONLY;
  return openSync(`/proc/self/fd/${descriptor}`, access | constants.O_NONBLOCK);
}
