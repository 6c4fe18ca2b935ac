import { ByteRing } from "../text/index.ts";
import type { EndedProgram } from "../core/index.ts";
import type { GrantGuard } from "./guard.ts";
import type { HostProc, ProcessChunk, ProcessRef, ProcessSpec } from "../core/index.ts";
import type { HostOptions } from "../core/index.ts";
import { quietly } from "../text/index.ts";

/** Processes, for calls that declared to start one. */
export class NarrowedProc implements HostProc {
  readonly #guard: GrantGuard;
  /** Directories in which programs of this call were started, by program id. */
  readonly #folders = new Map<string, string>();

  /** Ids of programs that must end with the call. */
  readonly #waited = new Set<string>();

  constructor(guard: GrantGuard) {
    this.#guard = guard;
  }

  async start(spec: ProcessSpec, options?: HostOptions): Promise<ProcessRef> {
    this.#guard.require({ kind: "execute", program: spec.argv[0] ?? "a program" });
    const cwd = await this.#guard.resolve(spec.cwd, options);
    const confinement = await this.#guard.confinement(spec);
    const { confinement: _own, ...asked } = spec;
    const confined = confinement === undefined ? asked : { ...asked, confinement };
    this.#folders.set(spec.id, cwd);
    if (spec.outlives !== true) this.#waited.add(spec.id);
    try {
      return await this.#guard.host.proc.start({ ...confined, cwd }, this.#guard.options(options));
    } catch (error) {
      // The program did not start, so release what was prepared for it.
      await confinement?.ended?.();
      throw error;
    }
  }

  /** Whether a program of this call that must end with it is still running, whether or not the tool knows of it. */
  async isBusy(): Promise<boolean> {
    if (this.#waited.size === 0) return false;
    const running = await this.#guard.host.proc.list();
    return running.some(({ id }) => this.#waited.has(id));
  }

  output(
    id: string,
    afterSeq: number,
    options?: HostOptions & { readonly reuse?: boolean },
  ): AsyncIterable<ProcessChunk> {
    const { onProgramEnd } = this.#guard;
    const tail = onProgramEnd === undefined ? undefined : new ByteRing(tailBytes);
    const open = (): AsyncIterable<ProcessChunk> => {
      this.#requireProcess(id);
      return this.#guard.host.proc.output(id, afterSeq, this.#guard.options(options));
    };
    return watched(open, (chunk) => {
      this.#guard.assertOpen();
      if (tail === undefined) return;
      if ("exit" in chunk) onProgramEnd?.(this.#ended(id, chunk.exit, tail));
      else if (chunk.stream === "stderr") tail.add(chunk.bytes);
    });
  }

  async write(id: string, bytes: Uint8Array | "eof"): Promise<void> {
    this.#requireProcess(id);
    await this.#guard.host.proc.write(id, bytes);
  }

  async signal(
    id: string,
    name: "INT" | "TERM" | "KILL",
    options?: { readonly tree?: boolean },
  ): Promise<void> {
    this.#requireProcess(id);
    await this.#guard.host.proc.signal(id, name, options);
  }

  async list(): Promise<readonly ProcessRef[]> {
    this.#requireProcess("the list of processes");
    return this.#guard.host.proc.list();
  }

  #requireProcess(program: string): void {
    this.#guard.require({ kind: "execute", program });
  }

  #ended(
    id: string,
    { code, signal }: { readonly code: number | null; readonly signal: string | null },
    tail: ByteRing,
  ): EndedProgram {
    return { code, signal, stderr: textOf(tail), cwd: this.#folders.get(id) ?? "/" };
  }
}

/**
 * Passes each item to `look` before yielding it; an exception from `look` ends the iteration. Not a generator, because
 * a generator creates several promises per item, and a program that prints fast yields many items.
 */
function watched<T>(open: () => AsyncIterable<T>, look: (item: T) => void): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      let items: AsyncIterator<T> | undefined;
      let isOver = false;
      const lookAt = (result: IteratorResult<T>): IteratorResult<T> => {
        if (result.done === true) return result;
        try {
          look(result.value);
        } catch (error) {
          quietly(() => items?.return?.());
          throw error;
        }
        return result;
      };
      return {
        next: () => {
          if (isOver) return Promise.resolve({ done: true, value: undefined });
          try {
            items ??= open()[Symbol.asyncIterator]();
          } catch (error) {
            return Promise.reject(error);
          }
          return items.next().then(lookAt);
        },
        return: async () => {
          isOver = true;
          await items?.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** Size of the kept tail, enough for the error message that a program ends with. */
const tailBytes = 16_384;

function textOf(tail: ByteRing): string {
  return new TextDecoder().decode(tail.slice(tail.start, tail.end));
}
