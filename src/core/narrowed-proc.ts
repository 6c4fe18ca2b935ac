import type { GrantGuard } from "./grant-guard.ts";
import type { HostOptions, HostProc, ProcessChunk, ProcessRef, ProcessSpec } from "./host.ts";

/** Processes, for calls that declared to start one. */
export class NarrowedProc implements HostProc {
  readonly #guard: GrantGuard;

  constructor(guard: GrantGuard) {
    this.#guard = guard;
  }

  async start(spec: ProcessSpec, options?: HostOptions): Promise<ProcessRef> {
    this.#guard.require({ kind: "execute", program: spec.argv[0] ?? "a program" });
    const cwd = await this.#guard.resolve(spec.cwd, options);
    return this.#guard.host.proc.start({ ...spec, cwd }, this.#guard.options(options));
  }

  async *output(
    id: string,
    afterSeq: number,
    options?: HostOptions & { readonly reuse?: boolean },
  ): AsyncGenerator<ProcessChunk> {
    this.#requireProcess(id);
    const { proc } = this.#guard.host;
    for await (const chunk of proc.output(id, afterSeq, this.#guard.options(options))) {
      this.#guard.assertOpen();
      yield chunk;
    }
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
}
