import type { Readable } from "node:stream";
import {
  defaultLimits,
  type ProcessExit,
  type ProcessRef,
  type ProcessSpec,
} from "../../core/index.ts";
import { timerDelay } from "../clock.ts";
import type { Child } from "./launch/launcher.ts";
import { noInput } from "./process-error.ts";
import { isNothingLeftOf, type Moment } from "./kill/nothing-left.ts";
import { OrderedKill } from "./kill/ordered-kill.ts";
import { ProcessOutput } from "./process-output.ts";
import { freshScan, type ProcessEntry } from "./process-scan.ts";
import { ProcessTree } from "./process-tree.ts";

/** Time limits for the phases of an end, in milliseconds. */
export interface ProcessPatience {
  /** From TERM to KILL. */
  readonly terminate: number;
  /** From KILL to giving up on a process that does not end. */
  readonly kill: number;
  /** From the program's exit to the end of its output, even if another process still holds the pipes open. */
  readonly drain: number;
}

export const defaultPatience: ProcessPatience = {
  terminate: defaultLimits.bash.terminateMs,
  kill: defaultLimits.bash.killMs,
  drain: 250,
};

/** Milliseconds of silence after the exit, after which the program itself has no more output in the pipes. */
const quietMs = 25;
/** Maximum number of reads after the drain time while the pipes still have data; each takes up to 64 KiB. */
const maxLateRounds = 8;
/** Milliseconds between checks that everything has ended. */
const lookMs = 20;

/** Number of consecutive scans without a process of the tree before the tree counts as ended. */
const quietLooks = 3;

/** Number of checks, a millisecond apart, that the confining process has ended with the program. */
const wrapperLooks = 5;

interface ProcessOptions {
  readonly spec: ProcessSpec;
  readonly ref: ProcessRef;
  readonly mark: string;
  /** A moment before the start. */
  readonly before: Moment;
  /** Pids of the other programs of the host. */
  readonly others: () => ReadonlySet<number>;
  /** Number of processes between the started one and the program. */
  readonly depth?: number | undefined;
  readonly patience: ProcessPatience;
  readonly signal: AbortSignal | undefined;
  readonly onSettled: (process: LocalProcess) => void;
}

/** One program, from its start until it is complete: ended, drained, and its exit reported. */
export class LocalProcess {
  readonly ref: ProcessRef;
  readonly output = new ProcessOutput();
  readonly settled: Promise<void>;
  readonly #child: Child;
  readonly #options: ProcessOptions;
  readonly #tree: ProcessTree;
  /** Resolves when the program has ended, or when nothing more can be done to end it. */
  readonly #exited: Promise<void>;
  readonly #streamsClosed: Promise<void>;
  #giveUp: () => void = () => undefined;
  #streamClosed: () => void = () => undefined;
  /** Ends of writes that the program has not read yet. Not a race with its exit, which would keep every write. */
  readonly #writes = new Set<() => void>();
  #exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  #endedBy: ProcessExit["endedBy"];
  #ending: Promise<void> | undefined;
  #timeout: NodeJS.Timeout | undefined;
  #openStreams = 2;
  #lastDataAt = 0;
  #isDraining = false;
  #isAbandoned = false;
  #isSettled = false;

  constructor(child: Child, options: ProcessOptions) {
    this.#child = child;
    this.#options = options;
    this.ref = options.ref;
    this.#tree = new ProcessTree({ ...startOf(child), depth: options.depth }, options.mark);
    this.#streamsClosed = new Promise((resolve) => {
      this.#streamClosed = resolve;
    });
    this.#exited = new Promise((resolve) => {
      this.#giveUp = () => {
        // A program that ended reads nothing, although one that it left may still have its input open.
        for (const end of this.#writes) end();
        this.#writes.clear();
        resolve();
      };
      child.onExit((code, signal) => {
        this.#exit = { code, signal };
        this.#tree.leaderEnded();
        this.#giveUp();
      });
    });
    this.output.onRoom = () => this.#resume();
    this.#listen("stdout", child.stdout);
    this.#listen("stderr", child.stderr);
    const timeoutMs = options.spec.limits?.timeoutMs;
    if (timeoutMs !== undefined) {
      this.#timeout = setTimeout(() => void this.end("timeout"), timerDelay(timeoutMs));
    }
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.settled = this.#settle();
  }

  /** Ends the program and all it started: TERM, then KILL. Resolves when the end is complete. */
  async end(reason: NonNullable<ProcessExit["endedBy"]>): Promise<void> {
    // A program that already exited by itself was not ended by this call.
    if (this.#exit === undefined) this.#endedBy ??= reason;
    this.#ending ??= this.#endTree();
    await this.#ending;
    await this.settled;
  }

  /** Whether a descendant still had the output pipes open when the program was complete. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Waits until the program has read earlier input, or has ended. */
  async write(bytes: Uint8Array | "eof"): Promise<void> {
    const { stdin } = this.#child;
    if (stdin === undefined) throw noInput(this.ref.id);
    if (bytes === "eof") {
      stdin.end();
      return;
    }
    if (this.#exit !== undefined) return;
    this.output.inputWritten();
    await new Promise<void>((resolve) => {
      this.#writes.add(resolve);
      stdin.write(bytes, () => {
        this.#writes.delete(resolve);
        resolve();
      });
    });
  }

  /** With KILL for the tree, resolves when the whole tree is gone or cannot be ended. */
  async signal(name: "INT" | "TERM" | "KILL", isTree: boolean): Promise<void> {
    if (!isTree) {
      this.#tree.signalLeader(`SIG${name}`);
      return;
    }
    if (this.#isSettled && (await this.#isGone())) return;
    if (name !== "KILL" && this.#tree.signal(`SIG${name}`, await freshScan())) return;
    if (this.#isSettled) {
      await this.#killTree();
      return;
    }
    // An end in progress may still be waiting for a response to TERM.
    if (this.#ending === undefined) this.#ending = this.#killTree();
    else await this.#killTree();
    await this.#ending;
  }

  /** Pid of the program itself, if it is there. */
  get leaders(): readonly number[] {
    return this.#tree.leaders();
  }

  /** Closes pipes that orphaned descendants still hold open. */
  close(): void {
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    this.#child.stdin?.destroy();
  }

  readonly #onAbort = (): void => {
    void this.end("abort");
  };

  #listen(name: "stdout" | "stderr", stream: Readable): void {
    const maxBytes = this.#options.spec.limits?.maxOutputBytes ?? Number.POSITIVE_INFINITY;
    stream.on("data", (bytes: Buffer) => {
      this.#lastDataAt = performance.now();
      const hasRoom = this.output.push(name, bytes);
      if (this.output.printed > maxBytes) void this.end("output-limit");
      if (!hasRoom && !this.#isDraining) this.#pause();
    });
    stream.once("close", () => {
      this.#openStreams -= 1;
      if (this.#openStreams === 0) this.#streamClosed();
    });
    stream.on("error", () => undefined);
  }

  #pause(): void {
    this.#child.stdout.pause();
    this.#child.stderr.pause();
  }

  #resume(): void {
    this.#child.stdout.resume();
    this.#child.stderr.resume();
  }

  async #settle(): Promise<void> {
    await this.#exited;
    clearTimeout(this.#timeout);
    await this.#drain();
    // A program ended on purpose is complete only when its whole tree is gone.
    if (this.#ending !== undefined) await this.#ending;
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    await this.#wrapperGone();
    const leftRunning = await this.#leftRunning();
    const { code, signal } = this.#exit ?? { code: null, signal: "SIGKILL" };
    const endedBy = this.#endedBy === undefined ? {} : { endedBy: this.#endedBy };
    const word = await this.#options.spec.confinement?.ended?.();
    if (word !== undefined) this.output.push("stderr", Buffer.from(word));
    this.output.end({ code, signal, ...endedBy, leftRunning });
    this.#isSettled = true;
    this.#letGo(leftRunning.length > 0);
    this.#options.onSettled(this);
  }

  /** Reads what is still in the pipes; the program wrote it before it ended. */
  async #drain(): Promise<void> {
    if (this.#openStreams === 0) return;
    this.#isDraining = true;
    this.#resume();
    const start = performance.now();
    const end = start + this.#options.patience.drain;
    this.#lastDataAt = start;
    let lateRounds = 0;
    for (;;) {
      // The event loop polls the pipes between two turns, so they have been read however late this process is.
      const seen = this.#lastDataAt;
      await turn();
      await turn();
      const now = performance.now();
      if (this.#openStreams === 0) return;
      if (now >= end) {
        // On a busy machine the pipes are read late: still take what they contained at the exit.
        lateRounds += 1;
        if (seen === this.#lastDataAt || lateRounds > maxLateRounds) return;
        continue;
      }
      if (seen === this.#lastDataAt) {
        const quiet = now - this.#lastDataAt;
        if (quiet >= quietMs) return;
        await within(Math.min(quietMs - quiet, end - now), this.#streamsClosed);
      }
    }
  }

  /**
   * The confining process ends a moment after the program; waiting for it is cheaper than scanning for what remains.
   */
  async #wrapperGone(): Promise<void> {
    if (this.#options.depth === undefined || this.#openStreams > 0) return;
    for (let look = 0; look < wrapperLooks && this.#tree.hasGroup(); look += 1) {
      await within(1, undefined);
    }
  }

  /** Whether it is certain that nothing of the tree is left; the confining process may be about to end. */
  async #isGone(): Promise<boolean> {
    if (this.#exit === undefined) return false;
    const { before, others, depth } = this.#options;
    const leader = { pid: this.ref.pid, before };
    for (let look = 0; ; look += 1) {
      if (isNothingLeftOf(leader, others())) return true;
      if (depth === undefined || look === wrapperLooks) return false;
      await within(1, undefined);
    }
  }

  async #leftRunning(): Promise<readonly number[]> {
    // Scan only if a process of the group is alive or holds a pipe open.
    if (this.#openStreams === 0 && !this.#tree.hasGroup()) return [];
    return this.#tree.left(await freshScan());
  }

  /**
   * Prevents a full pipe without a reader from blocking a descendant, and the pipes from keeping this process alive.
   */
  #letGo(isHeld: boolean): void {
    this.#child.stdin?.destroy();
    this.#isAbandoned = isHeld;
    if (!isHeld) {
      this.close();
      return;
    }
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.resume();
      if ("unref" in stream && typeof stream.unref === "function") stream.unref();
    }
  }

  async #endTree(): Promise<void> {
    if (this.#tree.signal("SIGTERM", await freshScan())) {
      const isGone = await this.#isQuiet(
        (processes) => this.#tree.others(processes).length,
        performance.now() + this.#options.patience.terminate,
      );
      if (isGone) return;
    }
    await this.#killTree();
  }

  /** Resolves when the tree is gone, or when KILL does not end it. */
  async #killTree(): Promise<void> {
    const kill = new OrderedKill();
    const look: Look = (processes) => kill.next(this.#tree.members(processes));
    const end = performance.now() + this.#options.patience.kill;
    while (!kill.isSent) look(await freshScan());
    if (!(await this.#isQuiet(look, end))) this.#giveUp();
  }

  /**
   * Whether the program has ended and several consecutive scans found no process of its tree. This includes the
   * confining process, which may be about to start the program. A single scan misses a process whose parent ends during
   * the scan.
   */
  async #isQuiet(look: Look, end: number): Promise<boolean> {
    for (let quiet = 0; ;) {
      quiet = look(await freshScan()) === 0 && this.#exit !== undefined ? quiet + 1 : 0;
      if (quiet === quietLooks) return true;
      const left = end - performance.now();
      // A series of empty scans is completed even after the time limit.
      if (left <= 0 && quiet === 0) return false;
      const pause = quiet > 0 ? 1 : Math.min(lookMs, left);
      await within(pause, this.#exit === undefined ? this.#exited : undefined);
    }
  }
}

/** Returns the number of processes of the tree in a scan. */
type Look = (processes: readonly ProcessEntry[]) => number;

function startOf({ pid, startTicks }: Child): Pick<Child, "pid" | "startTicks"> {
  return { pid, startTicks };
}

async function turn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits for `event`, at most `ms` milliseconds, and clears its timer. */
async function within(ms: number, event: Promise<void> | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const arrived = (): void => {
      clearTimeout(timer);
      resolve();
    };
    void event?.then(arrived);
  });
}
