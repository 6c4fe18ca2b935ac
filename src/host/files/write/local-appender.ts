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
  /** Bytes it had. */
  readonly size: number;
  /** Nothing is to be waited for. */
  readonly inMemory: boolean;
}

/** A file held open for appending, and one flush at a time for all who wait for one. */
export class LocalAppender implements HostAppender {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #inMemory: boolean;
  readonly #onClose: () => void;
  /** It only grows. */
  #leastSize: number;
  #isClosed = false;
  /** The flush under way, and the one that begins after it and covers everything written until then. */
  #flushing: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  private constructor(path: string, { descriptor, size, inMemory }: Opened, onClose: () => void) {
    this.#path = path;
    this.#leastSize = size;
    this.#descriptor = descriptor;
    this.#inMemory = inMemory;
    this.#onClose = onClose;
  }

  /** `onClose` is called once. */
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
        // Once, so that no later flush has to wait for the name.
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
      // In one step, which is what keeps programs that add to one file apart. Nothing to add is asked for to flush alone.
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
    // While a flush needs the descriptor, no other file may get its number.
    await (this.#next ?? this.#flushing)?.catch(() => undefined);
    closeSync(this.#descriptor);
  }

  /** A flush that began before the last write says nothing about it. */
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

/** A system that cannot flush a directory is left alone. */
function flushName(directory: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
    fsyncSync(descriptor);
  } catch {
    // The file is there; whether its name outlives a crash is then up to the system.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
