import { closeSync } from "node:fs";
import type { Socket } from "node:net";
import type { Child } from "../launch/launcher.ts";
import { outputSocket } from "./output-socket.ts";
import { openOwnEnd, type PipePool } from "./pipe-pool.ts";

/** The streams of one program, over pipes: our ends are ready, the program's are opened by who starts it. */
export class ProgramPipes {
  /** Both ends of stdout, stderr and, where there is input, stdin. */
  readonly #held: number[];
  readonly #own: number[] = [];

  readonly #pool: PipePool;

  private constructor(pool: PipePool, held: readonly number[]) {
    this.#pool = pool;
    this.#held = [...held];
  }

  /** Undefined where pipes cannot be made. */
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

  /** Where stdin, stdout and stderr can be opened, also by another process; null where there is none. */
  get paths(): readonly (string | null)[] {
    const [output, error, input] = this.#held.map((descriptor) => this.#pool.pathOf(descriptor));
    return [input ?? null, output ?? null, error ?? null];
  }

  /** Our ends, once the program holds its own: before that, reading would find the end at once. */
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

  /** When nothing was started. */
  discard(): void {
    for (const descriptor of this.#own.splice(0)) closeSync(descriptor);
    this.#pool.giveBack(this.#held.splice(0));
  }
}

/** A program that ends without reading its input breaks the pipe; that is its own affair. */
function ignoreErrors(stdin: Socket | undefined): void {
  stdin?.on("error", () => undefined);
}
