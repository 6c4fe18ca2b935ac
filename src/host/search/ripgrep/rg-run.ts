import { throwIfAborted } from "../../aborted.ts";
import { chunksOf } from "../../processes/pipes/read-chunks.ts";
import {
  spawnProgram,
  type OwnPlace,
  type OwnProgram,
  type StartOwn,
} from "../../processes/launch/spawn.ts";

/** Maximum line length in bytes; a longer line is skipped, because it would have to be in memory completely. */
const maxLineBytes = 16_777_216;
const maxErrorBytes = 65_536;

export interface RgEnd {
  readonly code: number | null;
  /** The beginning of its error output. */
  readonly errors: string;
  /** Total number of error lines: one for each file or directory it could not read. */
  readonly errorLines: number;
}

export interface RgRunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Starts ripgrep. Default: directly from this process. */
  readonly start?: StartOwn | undefined;
}

/** One run of ripgrep in an open directory. Ending the loop over its lines stops it. */
export class RgRun {
  /** Number of lines skipped because of their length. */
  skippedLines = 0;
  readonly #argv: readonly string[];
  readonly #place: OwnPlace;
  readonly #signal: AbortSignal | undefined;
  readonly #startProgram: StartOwn;
  #child: OwnProgram | undefined;
  #exit: Promise<number | null> = Promise.resolve(null);
  /** Resolves at the end of the error output, which may arrive after the exit. */
  #toldAll: Promise<void> = Promise.resolve();
  #hasEnded = false;
  #errors = "";
  #errorLines = 0;

  constructor(argv: readonly string[], place: OwnPlace, { signal, start }: RgRunOptions = {}) {
    this.#argv = argv;
    this.#place = place;
    this.#signal = signal;
    this.#startProgram = start ?? spawnProgram;
  }

  /** The output, split at `separator`, which is removed; yields the lines of each chunk together. */
  async *lines(separator: "\n" | "\0"): AsyncGenerator<readonly string[]> {
    const { child, chunks } = await this.#start();
    const stop = (): void => this.stop();
    this.#signal?.addEventListener("abort", stop, { once: true });
    try {
      throwIfAborted(this.#signal);
      yield* this.#split(chunks, separator);
      await Promise.all([this.#exit, this.#toldAll]);
      throwIfAborted(this.#signal);
    } finally {
      this.#signal?.removeEventListener("abort", stop);
      this.stop();
      child.stdout.destroy();
      child.stderr.destroy();
    }
  }

  /** The exit code and the error output; call after all lines are read. */
  async end(): Promise<RgEnd> {
    return { code: await this.#exit, errors: this.#errors, errorLines: this.#errorLines };
  }

  stop(): void {
    // After the exit the pid may be reused.
    if (!this.#hasEnded) this.#child?.kill();
  }

  async #start(): Promise<{ child: OwnProgram; chunks: AsyncIterable<Buffer> }> {
    const child = await this.#startProgram(this.#argv, this.#place);
    const chunks = chunksOf(child.stdout);
    this.#child = child;
    this.#exit = new Promise((resolve) => {
      child.onExit((code) => {
        this.#hasEnded = true;
        resolve(code);
      });
    });
    this.#toldAll = new Promise((resolve) => {
      child.stderr.once("close", resolve);
    });
    child.stderr.on("data", (bytes: Buffer) => {
      if (this.#errors.length < maxErrorBytes) this.#errors += bytes.toString();
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
        this.#errorLines += 1;
      }
    });
    child.stderr.on("error", () => undefined);
    return { child, chunks };
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
        // The chunk ends at a separator, which never splits a character, so all lines are decoded at once.
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
    // Text without a separator after it was cut off when the run was stopped.
  }
}

function textOf(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString();
}
