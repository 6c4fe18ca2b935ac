import { throwIfAborted } from "../aborted.ts";
import type { HeldNode } from "./held-path.ts";
import { spawnProgram, type OwnProgram } from "./spawn.ts";

/** A longer line is left out: it would have to be held in memory whole. */
const maxLineBytes = 16_777_216;
const maxErrorBytes = 65_536;

export interface RgEnd {
  readonly code: number | null;
  /** The beginning of what it said of problems. */
  readonly errors: string;
  /** How many lines that was in all: one for each file or folder it could not read. */
  readonly errorLines: number;
}

/** One run of ripgrep in a held directory. Ending the loop over its lines stops it. */
export class RgRun {
  /** Lines that were too long to be taken. */
  skippedLines = 0;
  readonly #argv: readonly string[];
  readonly #directory: HeldNode;
  readonly #signal: AbortSignal | undefined;
  #child: OwnProgram | undefined;
  #exit: Promise<number | null> = Promise.resolve(null);
  #errors = "";
  #errorLines = 0;

  constructor(argv: readonly string[], directory: HeldNode, signal: AbortSignal | undefined) {
    this.#argv = argv;
    this.#directory = directory;
    this.#signal = signal;
  }

  /** What it printed, cut at `separator`, which is taken away; as many as came together. */
  async *lines(separator: "\n" | "\0"): AsyncGenerator<readonly string[]> {
    const child = await this.#start();
    const stop = (): void => this.stop();
    this.#signal?.addEventListener("abort", stop, { once: true });
    try {
      throwIfAborted(this.#signal);
      // Destroyed below, where leaving early is no error that somebody wants to see.
      yield* this.#split(child.stdout.iterator({ destroyOnReturn: false }), separator);
      await this.#exit;
      throwIfAborted(this.#signal);
    } finally {
      this.#signal?.removeEventListener("abort", stop);
      this.stop();
      child.stdout.destroy();
      child.stderr.destroy();
    }
  }

  /** Its exit code and what it said of problems, once its lines are read. */
  async end(): Promise<RgEnd> {
    return { code: await this.#exit, errors: this.#errors, errorLines: this.#errorLines };
  }

  stop(): void {
    // Does nothing once it has ended.
    this.#child?.kill("SIGKILL");
  }

  async #start(): Promise<OwnProgram> {
    const child = await spawnProgram(this.#argv, this.#directory.outsidePath);
    this.#child = child;
    this.#exit = new Promise((resolve) => {
      child.once("exit", resolve);
    });
    child.stderr.on("data", (bytes: Buffer) => {
      if (this.#errors.length < maxErrorBytes) this.#errors += bytes.toString();
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
        this.#errorLines += 1;
      }
    });
    child.stderr.on("error", () => undefined);
    return child;
  }

  async *#split(
    chunks: AsyncIterable<Buffer>,
    separator: "\n" | "\0",
  ): AsyncGenerator<readonly string[]> {
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    let isSkipping = false;
    for await (const chunk of chunks) {
      throwIfAborted(this.#signal);
      const end = chunk.lastIndexOf(separator);
      if (end !== -1) {
        // Cut at a separator no character is torn, so that all lines are decoded at once.
        const whole = [...pending, chunk.subarray(0, end)];
        const lines = (whole.length === 1 ? chunk.toString("utf8", 0, end) : textOf(whole)).split(
          separator,
        );
        if (isSkipping) lines.shift();
        if (lines.length > 0) yield lines;
        pending = [];
        pendingBytes = 0;
        isSkipping = false;
      }
      if (isSkipping || end + 1 === chunk.length) continue;
      pending.push(chunk.subarray(end + 1));
      pendingBytes += chunk.length - end - 1;
      if (pendingBytes <= maxLineBytes) continue;
      pending = [];
      isSkipping = true;
      this.skippedLines += 1;
    }
    // What has no separator behind it was cut off when the run was stopped.
  }
}

function textOf(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString();
}
