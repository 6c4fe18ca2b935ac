import { closeSync } from "node:fs";
import type { Socket } from "node:net";
import type { Child } from "../launch/launcher.ts";
import { outputSocket } from "./output-socket.ts";
import { openOwnEnd, type PipePool } from "./pipe-pool.ts";

/**
 * The streams of one program over pipes: this process's ends are open; the process that starts the program opens the
 * others.
 */
export class ProgramPipes {
  /** Descriptors open at both ends: stdout, stderr and, if there is input, stdin. */
  readonly #held: number[];
  readonly #own: number[] = [];

  readonly #pool: PipePool;

  private constructor(pool: PipePool, held: readonly number[]) {
    this.#pool = pool;
    this.#held = [...held];
  }

  /** Undefined if no pipes can be created. */
  static async take(pool: PipePool, hasInput: boolean): Promise<ProgramPipes | undefined> {
    const held = await pool.take(hasInput ? 3 : 2);
    if (held === undefined) return undefined;
    const pipes = new ProgramPipes(pool, held);
    try {
      for (const [index, descriptor] of held.entries()) {
        pipes.#own.push(openOwnEnd(descriptor, index === 2 ? "write" : "read"));
      }
      return pipes;
    } catch (error) {
      pipes.discard();
      throw error;
    }
  }

  /** Paths at which stdin, stdout and stderr can be opened, also by another process; null for a missing one. */
  get paths(): readonly (string | null)[] {
    const [output, error, input] = this.#held.map((descriptor) => this.#pool.pathOf(descriptor));
    return [input ?? null, output ?? null, error ?? null];
  }

  /**
   * This process's ends. Call it only after the program has its own: before that, a read would find the end at once.
   */
  streams(): Pick<Child, "stdin" | "stdout" | "stderr"> {
    const net = process.getBuiltinModule("node:net");
    const [stdout, stderr, stdin] = this.#own
      .splice(0)
      .map((fd, index) =>
        index < 2 ? outputSocket(net, fd) : new net.Socket({ fd, readable: false, writable: true }),
      );
    this.#pool.giveBack(this.#held.splice(0));
    if (stdout === undefined || stderr === undefined) throw new TypeError("These were taken.");
    ignoreErrors(stdin);
    return { stdout, stderr, stdin };
  }

  /** Releases the pipes if nothing was started. */
  discard(): void {
    for (const descriptor of this.#own.splice(0)) closeSync(descriptor);
    this.#pool.giveBack(this.#held.splice(0));
  }
}

/** A program that ends without reading its input breaks the pipe, which is not an error of the host. */
function ignoreErrors(stdin: Socket | undefined): void {
  stdin?.on("error", () => undefined);
}
