import type { ConfinedHelper } from "../../../core/index.ts";
import type { Child, HelperStart } from "../launch/launcher.ts";
import { HelperLauncher } from "./helper-launcher.ts";
import { handedFile } from "./protocol.ts";
import { NotBegun } from "../launch/launch-error.ts";
import type { PipePool } from "../pipes/pipe-pool.ts";
import type { OwnPlace, OwnProgram } from "../launch/spawn.ts";
import { StandingPaths } from "../../files/identity-cache.ts";
import type { StartedProgram } from "../launch/running-program.ts";

export interface ConfinedHelpersOptions {
  /** Maximum number of helpers at once, 50 MB each. Default 8. */
  readonly max?: number;
  /** Milliseconds without a start after which a helper is ended. Default: one minute. */
  readonly idleMs?: number;
}

/** Interval longer than any wait, in milliseconds. */
const longMs = 600_000;

interface Entry {
  /** Key of its entry in the map. */
  key: string;
  readonly standing: StandingPaths;
  readonly launcher: HelperLauncher;
  /** Pool for a helper that cannot open this process's descriptors. */
  readonly ownPool: PipePool | undefined;
  /** Number of starts in progress. */
  starting: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Resident helper processes, one per confinement, started on first use. If a helper cannot start a program, the caller
 * confines it individually: no program is ever started with less confinement than requested.
 */
export class ConfinedHelpers {
  readonly #pool: PipePool;
  readonly #max: number;
  readonly #idleMs: number;
  /** Entries by key, least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #leaving = new Set<Promise<void>>();
  #isClosed = false;
  #retired = 0;

  constructor(pool: PipePool, { max = 8, idleMs = 60_000 }: ConfinedHelpersOptions = {}) {
    this.#pool = pool;
    this.#max = max;
    this.#idleMs = idleMs;
  }

  /** Pids of the running helpers. */
  get pids(): readonly number[] {
    return Array.from(this.#entries.values(), ({ launcher }) => launcher.helperPid ?? []).flat();
  }

  /** Starts a program; undefined if no helper could begin to start it, so that nothing of it has run. */
  async start(
    { helper, ...start }: HelperStart,
    hasInput: boolean,
  ): Promise<(Child & Pick<StartedProgram, "kill">) | undefined> {
    const entry = this.#entry(helper);
    if (entry === undefined) return undefined;
    entry.starting += 1;
    if (entry.launcher.failure === undefined) stopTimer(entry);
    // A helper without a request does not keep this process alive, but this caller waits for one.
    const awake = setInterval(() => undefined, longMs);
    try {
      return await entry.launcher.start({ ...start, hasInput });
    } catch (error) {
      if (error instanceof NotBegun) return undefined;
      throw error;
    } finally {
      clearInterval(awake);
      entry.starting -= 1;
      this.#rest(entry);
    }
  }

  /** Starts a program of the host itself. Confining each of them individually takes longer than many of them run. */
  async startOwn(
    argv: readonly string[],
    { confinement, directory, path, file }: OwnPlace,
  ): Promise<OwnProgram | undefined> {
    const helper = confinement?.helper;
    if (helper === undefined) return undefined;
    const words = file === undefined ? argv : [...argv, handedFile];
    const seesOurs = helper.shared === undefined;
    const plain = helper.plain(words, { cwd: seesOurs ? directory.outsidePath : path, env: {} });
    // A helper that cannot open this process's descriptors verifies the identity of the directory and file.
    const where = seesOurs
      ? { file: file && { path: file.node.outsidePath } }
      : {
          at: directory.identity,
          file: file && { path: file.path, at: file.node.identity },
        };
    return await this.start({ helper, ...plain, ...where }, false);
  }

  /** Ends all helpers. Their programs have ended before. */
  async dispose(): Promise<void> {
    this.#isClosed = true;
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const { timer } of entries) clearTimeout(timer);
    await Promise.all(entries.map(async ({ launcher }) => await launcher.dispose()));
    await Promise.all(entries.map(async ({ ownPool }) => await ownPool?.dispose()));
    await Promise.all(this.#leaving);
  }

  #entry(helper: ConfinedHelper): Entry | undefined {
    if (this.#isClosed) return undefined;
    const { key } = helper;
    const known = this.#entries.get(key);
    if (known?.standing.isSame() === false) this.#retire(known);
    else if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    if (this.#entries.size >= this.#max && !this.#makeRoom()) return undefined;
    const { shared } = helper;
    const ownPool = shared === undefined ? undefined : this.#pool.named(shared);
    const entry: Entry = {
      key,
      standing: new StandingPaths(helper.places ?? []),
      ownPool,
      launcher: new HelperLauncher(ownPool ?? this.#pool, {
        confined: helper,
        onIdle: () => this.#rest(entry),
      }),
      starting: 0,
      timer: undefined,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  /** Ends the least recently used idle helper; false if all are busy. */
  #makeRoom(): boolean {
    for (const entry of this.#entries.values()) {
      if (isBusy(entry)) continue;
      this.#leave(entry);
      return true;
    }
    return false;
  }

  /** Starts nothing more with a helper; its running programs continue. */
  #retire(entry: Entry): void {
    if (!isBusy(entry)) {
      this.#leave(entry);
      return;
    }
    this.#entries.delete(entry.key);
    this.#retired += 1;
    entry.key = `${entry.key}\0${this.#retired}`;
    this.#entries.set(entry.key, entry);
  }

  /**
   * Ends an unused helper after the idle time. A helper that failed to start is tried again after that time, however
   * often it is requested.
   */
  #rest(entry: Entry): void {
    if (entry.launcher.failure !== undefined && entry.timer !== undefined) return;
    stopTimer(entry);
    if (isBusy(entry) || this.#entries.get(entry.key) !== entry) return;
    entry.timer = setTimeout(() => {
      entry.timer = undefined;
      if (!isBusy(entry)) this.#leave(entry);
    }, this.#idleMs).unref();
  }

  #leave(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(entry.key);
    const leave = async (): Promise<void> => {
      await entry.launcher.leave();
      await entry.ownPool?.dispose();
      this.#leaving.delete(leaving);
    };
    const leaving = leave();
    this.#leaving.add(leaving);
  }
}

function isBusy({ launcher, starting }: Entry): boolean {
  return starting > 0 || launcher.isBusy;
}

function stopTimer(entry: Entry): void {
  clearTimeout(entry.timer);
  entry.timer = undefined;
}
