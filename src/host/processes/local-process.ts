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
import { ProcessOutput } from "./process-output.ts";
import { freshScan, type ProcessEntry } from "./process-scan.ts";
import { ProcessTree } from "./process-tree.ts";

/** How long the parts of an end may take, in milliseconds. */
export interface ProcessPatience {
  /** From TERM to KILL. */
  readonly terminate: number;
  /** From KILL to giving up on what even that does not end. */
  readonly kill: number;
  /** From the program's exit to the end of its output, whoever still holds it. */
  readonly drain: number;
}

export const defaultPatience: ProcessPatience = {
  terminate: defaultLimits.bash.terminateMs,
  kill: defaultLimits.bash.killMs,
  drain: 250,
};

/** With this much silence after the exit, nothing more of the program itself is to come. */
const quietMs = 25;
/** Looks at the pipes after the drain is over, while they still bring something; each takes up to 64 KiB. */
const maxLateRounds = 8;
/** Between two looks at whether everything has ended. */
const lookMs = 20;

/** Looks in a row that find nothing of a tree, before it is taken for ended. */
const quietLooks = 3;

/** Looks, a millisecond apart, at whether what confined a program has ended with it. */
const wrapperLooks = 5;

interface ProcessOptions {
  readonly spec: ProcessSpec;
  readonly ref: ProcessRef;
  readonly mark: string;
  /** Processes between what was started and the program. */
  readonly depth?: number | undefined;
  readonly patience: ProcessPatience;
  readonly signal: AbortSignal | undefined;
  readonly onSettled: (process: LocalProcess) => void;
}

/** One program, from its start until it is settled: ended, drained, and its exit told. */
export class LocalProcess {
  readonly ref: ProcessRef;
  readonly output = new ProcessOutput();
  readonly settled: Promise<void>;
  readonly #child: Child;
  readonly #options: ProcessOptions;
  readonly #tree: ProcessTree;
  /** Resolves when the program has ended, or when nothing more can be done about it. */
  readonly #exited: Promise<void>;
  readonly #streamsClosed: Promise<void>;
  #giveUp: () => void = () => undefined;
  #streamClosed: () => void = () => undefined;
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
      this.#giveUp = resolve;
      child.onExit((code, signal) => {
        this.#exit = { code, signal };
        this.#tree.leaderEnded();
        resolve();
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

  /** Ends the program and all it started: TERM, then KILL. Resolves when it is settled. */
  async end(reason: NonNullable<ProcessExit["endedBy"]>): Promise<void> {
    // What ended by itself a moment ago was not ended by us.
    if (this.#exit === undefined) this.#endedBy ??= reason;
    this.#ending ??= this.#endTree();
    await this.#ending;
    await this.settled;
  }

  /** Whether something it started still held its output when it was settled. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Input the program has not taken yet is waited for, until it ends. */
  async write(bytes: Uint8Array | "eof"): Promise<void> {
    const { stdin } = this.#child;
    if (stdin === undefined) throw noInput(this.ref.id);
    if (bytes === "eof") {
      stdin.end();
      return;
    }
    await Promise.race([
      this.#exited,
      new Promise<void>((resolve) => {
        stdin.write(bytes, () => resolve());
      }),
    ]);
  }

  /** What is killed with all it started is gone when this resolves, unless even that does not end it. */
  async signal(name: "INT" | "TERM" | "KILL", isTree: boolean): Promise<void> {
    if (!isTree) {
      this.#tree.signalLeader(`SIG${name}`);
      return;
    }
    if (name !== "KILL" && this.#tree.signal(`SIG${name}`, await freshScan())) return;
    if (this.#isSettled) {
      await this.#killTree();
      return;
    }
    this.#ending ??= this.#killTree();
    // One that is being ended already may still wait for an answer to TERM.
    this.#tree.kill(await freshScan());
    await this.#ending;
  }

  /** At once and without waiting: for the moment this program itself ends. */
  killNow(): void {
    this.#tree.kill();
  }

  /** Lets go of pipes that what it left running still holds. */
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
    // What was ended on purpose is settled when all of it is gone.
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

  /** Takes what is still in the pipes; the program wrote it before it ended. */
  async #drain(): Promise<void> {
    this.#isDraining = true;
    this.#resume();
    const start = performance.now();
    const end = start + this.#options.patience.drain;
    this.#lastDataAt = start;
    let lateRounds = 0;
    for (;;) {
      // Pipes are read between two of these; so however late this program is, they were looked at.
      const seen = this.#lastDataAt;
      await turn();
      await turn();
      const now = performance.now();
      if (this.#openStreams === 0) return;
      if (now >= end) {
        // A busy program comes late to the pipes: what they held at the exit is taken all the same.
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

  /** What stands around a program ends a moment after it; looking for who is left takes longer than waiting for that. */
  async #wrapperGone(): Promise<void> {
    if (this.#options.depth === undefined || this.#openStreams > 0) return;
    for (let look = 0; look < wrapperLooks && this.#tree.hasGroup(); look += 1) {
      await within(1, undefined);
    }
  }

  async #leftRunning(): Promise<readonly number[]> {
    // The scan is needed only where a process of the group lives or holds a pipe.
    if (this.#openStreams === 0 && !this.#tree.hasGroup()) return [];
    return this.#tree.left(await freshScan());
  }

  /** A child that still prints must not be stopped by a pipe nobody reads, nor keep this program alive. */
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

  /** Resolves when nothing of the tree is left, or when even KILL does not end it. */
  async #killTree(): Promise<void> {
    // A child forked during the kill misses the signal, so it is sent at each look.
    const kill: Look = (processes) => this.#tree.kill(processes);
    const end = performance.now() + this.#options.patience.kill;
    if (!(await this.#isQuiet(kill, end))) this.#giveUp();
  }

  /**
   * Whether the program has ended and several looks in a row found none of its tree, what confines it included: that
   * may be just about to start it. One look misses a process whose parent ends during the look.
   */
  async #isQuiet(look: Look, end: number): Promise<boolean> {
    for (let quiet = 0; ;) {
      quiet = look(await freshScan()) === 0 && this.#exit !== undefined ? quiet + 1 : 0;
      if (quiet === quietLooks) return true;
      const left = end - performance.now();
      // Looks that have begun to find nothing are completed.
      if (left <= 0 && quiet === 0) return false;
      const pause = quiet > 0 ? 1 : Math.min(lookMs, left);
      await within(pause, this.#exit === undefined ? this.#exited : undefined);
    }
  }
}

/** Answers how many processes of the tree a scan shows. */
type Look = (processes: readonly ProcessEntry[]) => number;

function startOf({ pid, startTicks }: Child): Pick<Child, "pid" | "startTicks"> {
  return { pid, startTicks };
}

async function turn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

/** Waits for `event`, or `ms` at most, and leaves no timer behind. */
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
