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
  async *lines(separator: number): AsyncGenerator<readonly Buffer[]> {
    const child = await this.#start();
    const stop = (): void => this.stop();
    this.#signal?.addEventListener("abort", stop, { once: true });
    try {
      throwIfAborted(this.#signal);
      yield* this.#split(child.stdout, separator);
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
    separator: number,
  ): AsyncGenerator<readonly Buffer[]> {
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    let isSkipping = false;
    for await (const chunk of chunks) {
      throwIfAborted(this.#signal);
      const lines: Buffer[] = [];
      let from = 0;
      for (let to = chunk.indexOf(separator); to !== -1; to = chunk.indexOf(separator, from)) {
        const rest = chunk.subarray(from, to);
        if (!isSkipping)
          lines.push(pending.length === 0 ? rest : Buffer.concat([...pending, rest]));
        pending = [];
        pendingBytes = 0;
        isSkipping = false;
        from = to + 1;
      }
      if (lines.length > 0) yield lines;
      if (isSkipping || from === chunk.length) continue;
      pending.push(chunk.subarray(from));
      pendingBytes += chunk.length - from;
      if (pendingBytes <= maxLineBytes) continue;
      pending = [];
      isSkipping = true;
      this.skippedLines += 1;
    }
    // What has no separator behind it was cut off when the run was stopped.
  }
}
