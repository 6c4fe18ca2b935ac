import type {
  Confined,
  HostOptions,
  HostProc,
  ProcessChunk,
  ProcessRef,
  ProcessSpec,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { rethrowFileError } from "../files/file-error.ts";
import { FinishedProcesses } from "./finished-processes.ts";
import { outlivingEnvironment } from "./outliving-environment.ts";
import type { Child, Launcher } from "./launch/launcher.ts";
import { openedLater } from "../../text/index.ts";
import { closedHost, endedProcess, missingProcess } from "./process-error.ts";
import { confinedStart } from "./launch/confined-start.ts";
import { killPrograms, processesOf, type Programs } from "./kill/kill-programs.ts";
import { recentMoment } from "./kill/nothing-left.ts";
import { holdDirectory } from "../files/open-path.ts";
import { endTree, treeName } from "./crash/end-orphans.ts";
import { sendSignal } from "./kill/ordered-kill.ts";
import { defaultPatience, LocalProcess, type ProcessPatience } from "./local-process.ts";
import { markerName, markOf, newHostMark } from "./process-tag.ts";
import { startToken } from "./process-scan.ts";

const callbacks = new Set<() => void>();

/**
 * Calls back when this process exits, until the returned function is called. All hosts share one listener, because
 * Node.js warns of a leak from the eleventh listener on.
 */
function atExit(callback: () => void): () => void {
  if (callbacks.size === 0) process.on("exit", callAll);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) process.off("exit", callAll);
  };
}

function callAll(): void {
  for (const callback of callbacks) {
    try {
      callback();
    } catch {
      // The other hosts have processes to end as well.
    }
  }
}

interface LocalProcOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** Defaults: `defaultPatience`. */
  readonly patience: Partial<ProcessPatience>;
  /** Starts the programs; its creator disposes it after this object. */
  readonly launcher: Launcher;
}

/**
 * Real processes. Whatever is started here ends with the host, including processes that left their group or session.
 */
export class LocalProc implements HostProc {
  readonly #options: LocalProcOptions;
  readonly #patience: ProcessPatience;
  readonly #starting = new Map<string, Promise<LocalProcess>>();
  readonly #running = new Map<string, LocalProcess>();
  readonly #finished = new FinishedProcesses<LocalProcess>();
  /** Complete, but with descendants that hold their pipes open. */
  readonly #abandoned = new Set<LocalProcess>();
  /** Prefix of the tag of every process of this host. */
  #mark = "";
  #marking: Promise<string> | undefined;
  #count = 0;
  #noExit: () => void = () => undefined;
  #closing: Promise<void> | undefined;

  constructor(options: LocalProcOptions) {
    this.#options = options;
    this.#patience = { ...defaultPatience, ...options.patience };
  }

  async start(spec: ProcessSpec, options?: HostOptions): Promise<ProcessRef> {
    if (this.#closing !== undefined) throw closedHost();
    throwIfAborted(options?.signal);
    const running = this.#running.get(spec.id);
    if (running !== undefined) return running.ref;
    const underway = this.#starting.get(spec.id);
    if (underway !== undefined) return (await underway).ref;
    const starting = this.#launch(spec, options?.signal);
    this.#starting.set(spec.id, starting);
    try {
      return (await starting).ref;
    } finally {
      this.#starting.delete(spec.id);
    }
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
    await this.#alive(id).write(bytes);
  }

  async signal(
    id: string,
    name: "INT" | "TERM" | "KILL",
    options?: { readonly tree?: boolean },
  ): Promise<void> {
    const isTree = options?.tree === true;
    // Processes that a program left running can still be signalled by its id.
    const process = isTree ? this.#finished.get(id) : undefined;
    await (this.#running.get(id) ?? process ?? this.#alive(id)).signal(name, isTree);
  }

  async list(): Promise<readonly ProcessRef[]> {
    return Array.from(this.#running.values(), (process) => process.ref);
  }

  readonly endTree = endTree;

  /** Ends everything that was ever started here and waits until it is gone. */
  async dispose(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  #alive(id: string): LocalProcess {
    const process = this.#running.get(id);
    if (process !== undefined) return process;
    throw this.#finished.get(id) === undefined ? missingProcess(id) : endedProcess(id);
  }

  async #launch(spec: ProcessSpec, signal: AbortSignal | undefined): Promise<LocalProcess> {
    this.#mark = await (this.#marking ??= this.#newMark());
    if (this.#count === 0) this.#noExit = atExit(this.#onExit);
    this.#count += 1;
    const mark = markOf(this.#mark, this.#count, spec.outlives === true);
    const before = recentMoment();
    const { child, depth } = await this.#spawn(spec, mark);
    const launched: LocalProcess = new LocalProcess(child, {
      spec,
      before,
      others: () => this.#othersThan(launched),
      ref: refOf(spec.id, { child, depth, mark }),
      mark,
      depth,
      patience: this.#patienceFor(spec),
      signal,
      onSettled: (settled) => this.#settled(settled),
    });
    this.#finished.delete(spec.id);
    this.#running.set(spec.id, launched);
    // Both may have happened while the program was starting.
    if (this.#closing !== undefined) void launched.end("dispose");
    else if (signal?.aborted === true) void launched.end("abort");
    return launched;
  }

  #othersThan(process: LocalProcess): ReadonlySet<number> {
    const others = Array.from(this.#running.values()).filter((each) => each !== process);
    return new Set(others.flatMap(({ leaders }) => leaders));
  }

  async #newMark(): Promise<string> {
    return (await this.#options.launcher.mark?.()) ?? newHostMark();
  }

  #patienceFor({ limits = {} }: ProcessSpec): ProcessPatience {
    const { terminate, kill, drain } = this.#patience;
    const { terminateMs = terminate, killMs = kill } = limits;
    return { terminate: terminateMs, kill: killMs, drain };
  }

  async #spawn(spec: ProcessSpec, mark: string): Promise<Started> {
    const kept = outlivingEnvironment(this.#options.environment, spec.keepEnv);
    const env = { ...kept, ...spec.env, PWD: spec.cwd, [markerName]: mark };
    let directory;
    try {
      directory = holdDirectory(spec.cwd);
    } catch (error) {
      return rethrowFileError(error, spec.cwd);
    }
    try {
      const { launcher } = this.#options;
      const hasInput = spec.stdin === "pipe";
      const cwd = directory.outsidePath;
      if (spec.confinement === undefined) {
        return { child: await launcher.start({ argv: spec.argv, cwd, env, hasInput }) };
      }
      const { wrapped, helped } = await confinedStart(spec, env);
      // The confining command changes to the directory itself, in its own view of the file system.
      const placed = (confined: Confined) => ({
        argv: confined.argv,
        cwd: confined.cwd === spec.cwd ? cwd : confined.cwd,
        env: { ...confined.env, [markerName]: mark },
      });
      const child = await launcher.start({
        ...placed(wrapped),
        hasInput,
        descriptors: wrapped.descriptors,
        ...(helped && { helped: { helper: helped.helper, ...placed(helped.plain) } }),
      });
      return { child, depth: wrapped.depth };
    } finally {
      directory.close();
    }
  }

  #settled(process: LocalProcess): void {
    this.#running.delete(process.ref.id);
    this.#finished.add(process.ref.id, process);
    if (process.isAbandoned) this.#abandoned.add(process);
  }

  readonly #onExit = (): void => {
    const leaders = Array.from(this.#running.values()).flatMap((running) => running.leaders);
    killPrograms({ leaders, marks: new Set([this.#mark]) });
  };

  async #close(): Promise<void> {
    await Promise.allSettled(this.#starting.values());
    await Promise.all(Array.from(this.#running.values(), (running) => running.end("dispose")));
    if (this.#count > 0) await this.#endMarked();
    for (const abandoned of this.#abandoned) abandoned.close();
    this.#abandoned.clear();
    this.#noExit();
  }

  /** Ends processes that outlived their program or created their own session. */
  async #endMarked(): Promise<void> {
    const { terminate, kill } = this.#patience;
    const left: Programs = { leaders: [], marks: new Set([this.#mark]), known: new Map() };
    const start = performance.now();
    for (;;) {
      const waited = performance.now() - start;
      const count = waited < terminate ? terminateAll(left) : killPrograms(left);
      if (count === 0 || waited > terminate + kill) return;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
}

function terminateAll(programs: Programs): number {
  const pids = processesOf(programs);
  for (const pid of pids) sendSignal(pid, "SIGTERM");
  return pids.length;
}

interface Started {
  readonly child: Child;
  readonly depth?: number | undefined;
}

function refOf(
  id: string,
  { child, depth, mark }: Started & { readonly mark: string },
): ProcessRef {
  const { pid, startTicks } = child;
  const ref = { id, pid, startedAtMs: Date.now() };
  if (startTicks === undefined) return ref;
  const tree = treeName({ pid, startTicks, depth, mark });
  return { ...ref, startToken: startToken(startTicks), tree };
}
