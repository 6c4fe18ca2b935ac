import { baseName } from "../../text/index.ts";
import {
  type HostClock,
  type HostFs,
  type HostOptions,
  type HostProc,
  type ProcessChunk,
  type ProcessExit,
  type ProcessRef,
  type ProcessSpec,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { FinishedProcesses } from "../processes/finished-processes.ts";
import { outlivingEnvironment } from "../processes/outliving-environment.ts";
import { openedLater } from "../../text/index.ts";
import {
  closedHost,
  endedProcess,
  missingProcess,
  missingProgram,
  noInput,
  unconfinable,
} from "../processes/process-error.ts";
import { ProcessOutput } from "../processes/process-output.ts";

/** Data written to the stdin of a scripted program; undefined marks the end. */
class MemoryInput implements AsyncIterable<Uint8Array> {
  readonly #waiting: (Uint8Array | undefined)[];
  #wake: (() => void) | undefined;

  constructor(waiting: readonly (Uint8Array | undefined)[] = []) {
    this.#waiting = [...waiting];
  }

  push(bytes: Uint8Array | undefined): void {
    this.#waiting.push(bytes);
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#waiting.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const bytes = this.#waiting.shift();
      if (bytes === undefined) return;
      yield bytes;
    }
  }
}

/** Environment and streams of a scripted program. */
export interface MemoryProgramIo {
  /** Directory in which it was started. */
  readonly cwd: string;
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Files of the host. */
  readonly fs: HostFs;
  /** Its standard input. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Aborted when the process is asked to end; output after that is discarded. */
  readonly signal: AbortSignal;
  /** Writes to its standard output. */
  stdout(data: string | Uint8Array): void;
  /** Writes to its standard error. */
  stderr(data: string | Uint8Array): void;
}

/** Exit of a program: its code, or code, signal and duration. */
export type MemoryExit =
  | number
  | {
      readonly code: number | null;
      readonly signal?: string;
      readonly leftRunning?: readonly number[];
    };

/** A scripted program: receives its argv and streams, returns its exit. */
export type MemoryProgram = (
  argv: readonly string[],
  io: MemoryProgramIo,
) => MemoryExit | Promise<MemoryExit>;

interface MemoryProcess {
  readonly ref: ProcessRef;
  readonly output: ProcessOutput;
  readonly input: MemoryInput | undefined;
  end(exit: ProcessExit): void;
}

interface MemoryProcOptions {
  readonly programs: Readonly<Record<string, MemoryProgram>>;
  readonly env: Readonly<Record<string, string>>;
  readonly fs: HostFs;
  readonly clock: HostClock;
}

const encoder = new TextEncoder();

/** Processes that are functions in this process. */
export class MemoryProc implements HostProc {
  readonly #programs: ReadonlyMap<string, MemoryProgram>;
  readonly #options: MemoryProcOptions;
  readonly #running = new Map<string, MemoryProcess>();
  readonly #finished = new FinishedProcesses<MemoryProcess>();
  #lastPid = 100;
  #isClosed = false;

  constructor(options: MemoryProcOptions) {
    this.#options = options;
    this.#programs = new Map(Object.entries(options.programs));
  }

  async start(spec: ProcessSpec, options?: HostOptions): Promise<ProcessRef> {
    if (this.#isClosed) throw closedHost();
    throwIfAborted(options?.signal);
    const running = this.#running.get(spec.id);
    if (running !== undefined) return running.ref;
    if (spec.confinement !== undefined) throw unconfinable();
    const name = spec.argv[0] ?? "";
    const program = this.#programs.get(name) ?? this.#programs.get(baseName(name));
    if (program === undefined) throw missingProgram(name);
    const stat = await this.#options.fs.stat(spec.cwd, options);
    if (stat.kind !== "directory")
      await this.#options.fs.list(spec.cwd)[Symbol.asyncIterator]().next();
    // Another start with the same id may have been first in the meantime.
    return this.#running.get(spec.id)?.ref ?? this.#launch(spec, program, options?.signal);
  }

  output(
    id: string,
    afterSeq: number,
    options?: HostOptions & { readonly reuse?: boolean },
  ): AsyncIterable<ProcessChunk> {
    return openedLater(async () => {
      const process = this.#running.get(id) ?? this.#finished.get(id);
      if (process === undefined) throw missingProcess(id);
      return process.output.read(afterSeq, options);
    });
  }

  async write(id: string, bytes: Uint8Array | "eof"): Promise<void> {
    const process = this.#alive(id);
    if (process.input === undefined) throw noInput(id);
    process.input.push(bytes === "eof" ? undefined : bytes.slice());
  }

  async signal(id: string, name: "INT" | "TERM" | "KILL"): Promise<void> {
    this.#alive(id).end({ code: null, signal: `SIG${name}`, leftRunning: [] });
  }

  async list(): Promise<readonly ProcessRef[]> {
    return Array.from(this.#running.values(), (process) => process.ref);
  }

  dispose(): void {
    this.#isClosed = true;
    for (const process of Array.from(this.#running.values())) {
      process.end({ code: null, signal: "SIGTERM", endedBy: "dispose", leftRunning: [] });
    }
  }

  #alive(id: string): MemoryProcess {
    const process = this.#running.get(id);
    if (process !== undefined) return process;
    throw this.#finished.get(id) === undefined ? missingProcess(id) : endedProcess(id);
  }

  #launch(spec: ProcessSpec, program: MemoryProgram, signal: AbortSignal | undefined): ProcessRef {
    this.#lastPid += 1;
    const ref = { id: spec.id, pid: this.#lastPid, startedAtMs: this.#options.clock.now() };
    const output = new ProcessOutput();
    const stop = new AbortController();
    const input = spec.stdin === "pipe" ? new MemoryInput() : undefined;
    const killed = (endedBy: NonNullable<ProcessExit["endedBy"]>): void => {
      process.end({ code: null, signal: "SIGTERM", endedBy, leftRunning: [] });
    };
    const onAbort = (): void => killed("abort");
    const cancelTimeout =
      spec.limits?.timeoutMs === undefined
        ? undefined
        : this.#options.clock.timer(spec.limits.timeoutMs, () => killed("timeout"));
    const process: MemoryProcess = {
      ref,
      output,
      input,
      end: (exit) => {
        if (this.#running.get(spec.id) !== process) return;
        this.#running.delete(spec.id);
        cancelTimeout?.();
        signal?.removeEventListener("abort", onAbort);
        input?.push(undefined);
        output.end(exit);
        this.#finished.add(spec.id, process);
        stop.abort();
      },
    };
    const print = (stream: "stdout" | "stderr", data: string | Uint8Array): void => {
      output.push(stream, typeof data === "string" ? encoder.encode(data) : data.slice());
      if (output.printed > (spec.limits?.maxOutputBytes ?? Number.POSITIVE_INFINITY)) {
        killed("output-limit");
      }
    };
    this.#finished.delete(spec.id);
    this.#running.set(spec.id, process);
    signal?.addEventListener("abort", onAbort, { once: true });
    void run(program, spec.argv, {
      cwd: spec.cwd,
      env: { ...outlivingEnvironment(this.#options.env, spec.keepEnv), ...spec.env },
      fs: this.#options.fs,
      stdin: input ?? new MemoryInput([undefined]),
      signal: stop.signal,
      stdout: (data) => print("stdout", data),
      stderr: (data) => print("stderr", data),
    }).then((exit) => process.end(exit));
    return ref;
  }
}

/** A program that throws ends like one that crashes: a message on stderr and exit code 1. */
async function run(
  program: MemoryProgram,
  argv: readonly string[],
  io: MemoryProgramIo,
): Promise<ProcessExit> {
  try {
    // A program never has output before `start` has returned.
    await Promise.resolve();
    const exit = await program(argv, io);
    if (typeof exit === "number") return { code: exit, signal: null, leftRunning: [] };
    return { code: exit.code, signal: exit.signal ?? null, leftRunning: exit.leftRunning ?? [] };
  } catch (error) {
    io.stderr(`${error instanceof Error ? error.message : String(error)}\n`);
    return { code: 1, signal: null, leftRunning: [] };
  }
}
