import {
  ToolError,
  type HostFile,
  type WriteTransaction,
  type WrittenByCall,
  type WrittenFile,
} from "../../core/index.ts";
import { isWithin } from "../../text/index.ts";

/** Maximum size of a captured file that is buffered until the call ends; a larger one is read again on demand. */
const maxCapturedBytes = 65_536;
const maxCapturedFiles = 32;
/** Maximum number of written files that are recorded; the others are read again when the call ends. */
const maxWrittenFiles = 32;

/** Write transaction of a call: what was captured before it, and what it wrote since. */
export class CapturedWrites implements WriteTransaction {
  readonly #flush: () => Promise<unknown>;
  readonly #files = new Map<string, HostFile>();
  /** Hashes of all captured files, also of those too large to buffer. */
  readonly #hashes = new Map<string, string>();
  /** Paths of all changes; undefined before the first one. */
  #changed: string[] | undefined;
  readonly #written = new Map<string, WrittenFile | "untouched">();

  /** `flush` makes the before-images durable; it may be called often. */
  constructor(files: readonly HostFile[], flush: () => Promise<unknown>) {
    this.#flush = flush;
    for (const file of files) {
      this.#hashes.set(file.stat.path, file.hash);
      const isSmall = file.bytes.length <= maxCapturedBytes;
      if (isSmall && this.#files.size < maxCapturedFiles) this.#files.set(file.stat.path, file);
    }
  }

  /**
   * States of the files that the call changed. Until its first change that is "nothing": changes by other processes are
   * not the call's own.
   */
  get written(): WrittenByCall {
    return this.#changed === undefined ? "nothing" : this.#written;
  }

  captured(path: string, maxBytes = Number.POSITIVE_INFINITY): HostFile | undefined {
    const file = this.#changed === undefined ? this.#files.get(path) : undefined;
    return file !== undefined && file.bytes.length <= maxBytes ? file : undefined;
  }

  requireCaptured(path: string, hash: string): void {
    const captured = this.#hashes.get(path);
    if (captured === undefined || captured === hash) return;
    if (this.#changed?.some((at) => isWithin(at, path)) === true) return;
    throw new ToolError("STALE_READ", `${path} changed when the call began.`, {
      hint: "Read it again, then repeat the change.",
      data: { path, expected: captured, found: hash },
    });
  }

  changing(paths: readonly string[]): void {
    (this.#changed ??= []).push(...paths);
    for (const known of this.#written.keys()) {
      if (paths.some((at) => isWithin(at, known))) this.#written.delete(known);
    }
  }

  async durable(): Promise<unknown> {
    return await this.#flush();
  }

  /** With several changes at the path its state is uncertain, so none is recorded. */
  wrote(path: string, file: WrittenFile | "untouched"): void {
    if (this.#written.size === maxWrittenFiles) return;
    const changes = this.#changed?.filter((at) => isWithin(at, path)).length;
    if (changes === 1) this.#written.set(path, file);
  }
}
