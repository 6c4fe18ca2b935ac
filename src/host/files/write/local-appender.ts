import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  writeSync,
} from "node:fs";
import type { HostAppender } from "../../../core/index.ts";
import { fileError, rethrowFileError } from "../file-error.ts";
import { assertFile, holdParent, statsAt } from "../open-path.ts";
import { isInMemory } from "./is-memory-backed.ts";

interface Opened {
  readonly descriptor: number;
  /** Size in bytes when it was opened. */
  readonly size: number;
  /** Whether the file system is in memory, so that a flush has nothing to wait for. */
  readonly inMemory: boolean;
}

/** A file opened for appending; at most one flush runs at a time, shared by all callers that wait. */
export class LocalAppender implements HostAppender {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #inMemory: boolean;
  readonly #onClose: () => void;
  /** Minimum size in bytes; the file only grows. */
  #leastSize: number;
  #isClosed = false;
  /** The flush in progress, and the next one, which covers everything written before it starts. */
  #flushing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(path: string, { descriptor, size, inMemory }: Opened, onClose: () => void) {
    this.#path = path;
    this.#leastSize = size;
    this.#descriptor = descriptor;
    this.#inMemory = inMemory;
    this.#onClose = onClose;
  }

  /** Opens a file for appending. `onClose` is called once. */
  static open(path: string, onClose: (appender: LocalAppender) => void): LocalAppender {
    const { parent, at } = holdParent(path);
    try {
      const existing = statsAt(at);
      if (existing !== undefined) assertFile(path, existing);
      const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
      const descriptor = openSync(at, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
      let inMemory: boolean;
      let size: number;
      try {
        const stats = fstatSync(descriptor, { bigint: true });
        size = Number(stats.size);
        assertFile(path, stats);
        inMemory = isInMemory(stats.dev, parent.path);
        // Flush the directory once, so that no later flush has to cover the name.
        if (existing === undefined) flushName(parent.path);
      } catch (error) {
        closeSync(descriptor);
        throw error;
      }
      const appender: LocalAppender = new LocalAppender(path, { descriptor, size, inMemory }, () =>
        onClose(appender),
      );
      return appender;
    } catch (error) {
      return rethrowFileError(error, path);
    } finally {
      parent.close();
    }
  }

  async append(data: Uint8Array, options: { readonly durable?: boolean } = {}): Promise<void> {
    if (this.#isClosed) throw new TypeError(`${this.#path} was closed.`);
    try {
      // A single write call keeps concurrent appends of several processes apart. Empty data only requests a flush.
      if (data.length > 0 && writeSync(this.#descriptor, data) < data.length)
        throw fileError("ENOSPC", this.#path);
      this.#leastSize += data.length;
      if (options.durable !== true) return;
      if (this.#inMemory) fdatasyncSync(this.#descriptor);
      else await this.#flush();
    } catch (error) {
      rethrowFileError(error, this.#path);
    }
  }

  isInPlace(): boolean {
    if (this.#isClosed) return false;
    try {
      const held = fstatSync(this.#descriptor, { bigint: true });
      const there = lstatSync(this.#path, { bigint: true });
      return (
        there.ino === held.ino && there.dev === held.dev && held.size >= BigInt(this.#leastSize)
      );
    } catch {
      return false;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    // Until pending flushes end, the descriptor number must not be reused for another file.
    await (this.#next ?? this.#flushing)?.catch(() => undefined);
    closeSync(this.#descriptor);
  }

  /** Starts or joins a flush that covers the last write; a flush that began earlier does not. */
  #flush(): Promise<void> {
    if (this.#flushing === undefined) return (this.#flushing = this.#start());
    this.#next ??= this.#flushing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return (this.#flushing = this.#start());
      });
    return this.#next;
  }

  async #start(): Promise<void> {
    try {
      await new Promise<void>((resolve, reject) => {
        fdatasync(this.#descriptor, (error) => (error === null ? resolve() : reject(error)));
      });
    } finally {
      this.#flushing = undefined;
    }
  }
}

/** Flushes a directory; a system that does not support this is tolerated. */
function flushName(directory: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
    fsyncSync(descriptor);
  } catch {
    // The file exists; whether its name survives a crash is up to the system.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
