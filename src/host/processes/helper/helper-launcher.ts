import { ToolError, type Descriptor } from "../../../core/index.ts";
import { systemEnvironment } from "../../../programs/index.ts";
import type { Child, HelperStart, Launcher, LaunchSpec } from "../launch/launcher.ts";
import { HelperProcess, type HelperOptions } from "./helper-process.ts";
import { checkedProgram, NotBegun, openingError } from "../launch/launch-error.ts";
import type { PipePool } from "../pipes/pipe-pool.ts";
import { ProgramPipes } from "../pipes/program-pipes.ts";
import type { StartedProgram } from "../launch/running-program.ts";

/** Milliseconds after which a helper that is not ready is given up. */
const startingMs = 10_000;
/** Number of lost helpers after which no further one is started. */
const maxLosses = 3;

/**
 * Starts programs through a resident helper process, which is small and therefore fast whatever the size of this
 * process, and does not block it. Programs write directly to pipes of this process.
 */
export class HelperLauncher implements Launcher {
  readonly #pool: PipePool;
  readonly #options: HelperOptions;
  #opening: Promise<HelperProcess | undefined> | undefined;
  #unready: HelperProcess | undefined;
  #helper: HelperProcess | undefined;
  #losses = 0;
  #failure: string | undefined;
  #isClosed = false;

  constructor(pool: PipePool, options: HelperOptions = {}) {
    this.#pool = pool;
    this.#options = options;
  }

  /** Reason why the launcher cannot start programs; undefined while it can. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Whether one of its programs is running or being started. */
  get isBusy(): boolean {
    return this.#helper?.isBusy === true;
  }

  /** Pid of the helper process, if one is running. */
  get helperPid(): number | undefined {
    return this.#helper?.pid;
  }

  /** Starts the helper if none is running; false if it cannot be used. */
  async open(): Promise<boolean> {
    return (await this.#opened()) !== undefined;
  }

  async start(
    spec: LaunchSpec & Pick<HelperStart, "at" | "file">,
  ): Promise<Child & Pick<StartedProgram, "kill">> {
    checkedProgram(spec.argv);
    const helper = await this.#opened();
    if (helper === undefined) throw this.#unavailable();
    let pipes: ProgramPipes | undefined;
    try {
      pipes = await ProgramPipes.take(this.#pool, spec.hasInput);
      if (pipes === undefined) throw this.#unavailable();
      const { argv, cwd, env, descriptors, at, file } = spec;
      const started = await helper.start({
        argv,
        cwd,
        env,
        stdio: pipes.paths,
        ...(at && { at }),
        ...(file && { file }),
        ...(descriptors === undefined ? {} : { files: filesAmong(descriptors) }),
      });
      return { ...started, ...pipes.streams() };
    } catch (error) {
      pipes?.discard();
      throw openingError(spec.argv, error);
    }
  }

  /** Runs a program of the host itself, without input and output; false if it failed. */
  async run(argv: readonly string[]): Promise<boolean> {
    const helper = await this.#opened();
    if (helper === undefined) return false;
    const env = systemEnvironment();
    const program = await helper.start({ argv, cwd: "/", env, stdio: [null, null, null] });
    return await new Promise((resolve) => {
      program.onExit((code) => resolve(code === 0));
    });
  }

  /** Ends a confined helper that is not needed; what its programs left running continues. */
  async leave(): Promise<void> {
    this.#isClosed = true;
    this.#unready?.kill();
    await this.#opening;
    await this.#helper?.leave();
  }

  async dispose(): Promise<void> {
    this.#isClosed = true;
    this.#unready?.kill();
    await this.#opening;
    await this.#helper?.stop();
  }

  async #opened(): Promise<HelperProcess | undefined> {
    if (this.#helper !== undefined) return this.#helper;
    if (this.#failure !== undefined || this.#isClosed) return undefined;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<HelperProcess | undefined> {
    let helper: HelperProcess;
    try {
      helper = await HelperProcess.open(this.#options);
    } catch (error) {
      this.#failure = `it could not be started (${String(error)})`;
      return undefined;
    }
    this.#unready = helper;
    if (this.#isClosed) helper.kill();
    // A caller that waits for the helper keeps this process alive.
    const timer = setTimeout(() => {
      // If this process itself was suspended, the reply has arrived and only has to be read.
      setImmediate(() => {
        if (this.#unready === helper) helper.kill();
      });
    }, startingMs).unref();
    const isReady = await helper.ready;
    clearTimeout(timer);
    this.#unready = undefined;
    if (!isReady) {
      this.#failure = "it ended before it could be used, or did not answer";
      return undefined;
    }
    this.#helper = helper;
    void helper.lost.then(() => this.#lost(helper));
    return helper;
  }

  #lost(helper: HelperProcess): void {
    if (this.#helper === helper) this.#helper = undefined;
    this.#losses += 1;
    if (!this.#isClosed && this.#losses >= maxLosses) {
      this.#failure = `it ended ${this.#losses} times by itself`;
    }
  }

  #unavailable(): Error {
    const why = this.#failure ?? "no pipes can be made";
    if (this.#options.confined !== undefined) return new NotBegun(why);
    return new ToolError("UNAVAILABLE", `The process that starts programs cannot be used: ${why}.`);
  }
}

/** The helper receives only paths, so an open socket cannot be passed to it. */
function filesAmong(descriptors: readonly Descriptor[]): readonly Descriptor[] {
  if (descriptors.every(({ kind }) => kind === "file")) return descriptors;
  throw new TypeError("The helper process hands on files alone; start this program directly.");
}
