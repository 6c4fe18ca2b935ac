import { systemEnvironment } from "../../../programs/index.ts";
import type { Child, Launcher, LaunchSpec } from "./launcher.ts";
import type { ConfinedHelpers, ConfinedHelpersOptions } from "../helper/confined-helpers.ts";
import type { DirectLauncher } from "./direct-launcher.ts";
import type { CrashWatch } from "../crash/watchdog.ts";
import type { HelperLauncher } from "../helper/helper-launcher.ts";
import { NotBegun } from "./launch-error.ts";
import type { PipePool } from "../pipes/pipe-pool.ts";
import type { OwnPlace, OwnProgram } from "./spawn.ts";

/** Resident memory in bytes from which a direct start takes longer than a start through the helper. */
const bigBytes = 134_217_728;
/** Number of direct starts before a helper is worth its own start and its 50 MB. */
const fewStarts = 3;
/** Multiple of that size from which the helper is worth it for a single program. */
const hugeFactor = 4;
/** Milliseconds for which a measured size is reused: measuring costs a tenth of a start. */
const knownMs = 500;
/** Maximum time that a program waits for a helper that is starting, in milliseconds. */
const patienceMs = { auto: 500, always: 10_000 };

/** Use of a helper process: once this process has grown large, always, or never. */
export type SpawnHelper = "auto" | "always" | "never";

/** How programs are started on this machine. */
export interface LocalLauncherOptions {
  /** When to use the helper. Default "auto". */
  readonly helper?: SpawnHelper;
  /**
   * Resident memory in bytes from which "auto" uses the helper for the fourth program; from four times as much it uses
   * the helper for the first program. Default: 128 MiB.
   */
  readonly bigBytes?: number;
  /**
   * Command that runs the helper, without its file. Default: the Node of this process, with small heaps.
   *
   * @internal
   */
  readonly helperCommand?: readonly string[];
  /**
   * Number and idle time of helpers for confined programs. With helper "never" there are none.
   *
   * @internal
   */
  readonly confined?: ConfinedHelpersOptions;
}

/** Current way of starting programs. */
export interface LaunchReport {
  /** Process that starts programs: this one or a helper. */
  readonly by: "direct" | "helper";
  /** Pid of the helper process, if one is running. */
  readonly helperPid?: number;
  /** Reason why a requested helper is missing. */
  readonly failure?: string;
  /** Pids of the helpers that start confined programs; absent if none is running. */
  readonly confinedPids?: readonly number[];
}

/** Starts programs on this machine: directly while this process is small, otherwise through a helper process. */
export class LocalLauncher implements Launcher {
  readonly #options: LocalLauncherOptions;
  readonly #mode: SpawnHelper;
  /** Loaded with the first start. */
  #pool: PipePool | undefined;
  #direct: Promise<DirectLauncher> | undefined;
  #isDisposed = false;
  /** Whether a program of the host itself was ever run. */
  #hasRun = false;
  /** Number of direct starts although this process was large. */
  #starts = 0;
  #resident = 0;
  #residentAt = Number.NEGATIVE_INFINITY;
  #helper: Promise<HelperLauncher> | undefined;
  #loadedHelper: HelperLauncher | undefined;
  #confined: Promise<ConfinedHelpers> | undefined;
  #loadedConfined: ConfinedHelpers | undefined;
  #watch: Promise<CrashWatch> | undefined;

  constructor(options: LocalLauncherOptions = {}) {
    this.#options = options;
    // Other systems cannot share pipes through /proc; macOS starts programs without copying memory.
    this.#mode = process.platform === "linux" ? (options.helper ?? "auto") : "never";
  }

  get report(): LaunchReport {
    const { failure, helperPid } = this.#loadedHelper ?? {};
    const pids = this.#loadedConfined?.pids ?? [];
    const confined = pids.length === 0 ? {} : { confinedPids: pids };
    if (failure !== undefined) return { by: "direct", failure, ...confined };
    const by = helperPid === undefined ? "direct" : "helper";
    return { by, ...(helperPid === undefined ? {} : { helperPid }), ...confined };
  }

  async mark(): Promise<string> {
    return (await (this.#watch ??= this.#loadWatch())).mark;
  }

  async start(spec: LaunchSpec): Promise<Child> {
    const { helped, hasInput } = spec;
    await this.#watched();
    if (helped !== undefined) {
      const child = await (await this.#confinedHelpers())?.start(helped, hasInput);
      if (child !== undefined) return child;
    }
    const hasSocket = spec.descriptors?.some(({ kind }) => kind === "socket") === true;
    const helper = hasSocket ? undefined : await this.#wanted();
    return (helper ?? (await (this.#direct ??= this.#loadDirect()))).start(spec);
  }

  /** Starts a program of the host itself; through the helper if a direct start would block this large process. */
  async startOwn(argv: readonly string[], place: OwnPlace): Promise<OwnProgram> {
    if (place.confinement !== undefined) {
      const child = await (await this.#confinedHelpers())?.startOwn(argv, place);
      if (child === undefined) throw new NotBegun("No helper starts it confined.");
      return child;
    }
    const helper = await this.#wanted();
    const { ownArgv, spawnProgram } = await import("./spawn.ts");
    const { ownEnvironment: env } = await this.#watched();
    if (helper === undefined) return spawnProgram(argv, place, env);
    const cwd = place.directory.outsidePath;
    return helper.start({ argv: ownArgv(argv, place), cwd, env, hasInput: false });
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#pool?.dispose();
    const helper = await this.#helper;
    const confined = await this.#confined;
    const watch = await this.#watch;
    if ((helper ?? confined ?? watch) === undefined && !this.#hasRun) return;
    await helper?.dispose();
    await confined?.dispose();
    await watch?.close();
    // Node closes handles of ended processes at the end of a turn.
    await turn();
    await turn();
  }

  /**
   * Makes programs end with this process if it is killed outright. A helper does this too, but may be killed together
   * with this process.
   */
  async #watched(): Promise<CrashWatch> {
    const watch = await (this.#watch ??= this.#loadWatch());
    watch.open();
    return watch;
  }

  async #loadWatch(): Promise<CrashWatch> {
    const { CrashWatch } = await import("../crash/watchdog.ts");
    return new CrashWatch();
  }

  async #confinedHelpers(): Promise<ConfinedHelpers | undefined> {
    if (this.#mode === "never" || this.#pool?.isBroken === true) return undefined;
    return await (this.#confined ??= this.#loadConfined());
  }

  async #loadConfined(): Promise<ConfinedHelpers> {
    const { ConfinedHelpers } = await import("../helper/confined-helpers.ts");
    this.#loadedConfined = new ConfinedHelpers(await this.#openPool(), this.#options.confined);
    return this.#loadedConfined;
  }

  /** The helper, if one should be used and is ready soon. */
  async #wanted(): Promise<HelperLauncher | undefined> {
    const mode = this.#mode;
    if (mode === "never" || this.#pool?.isBroken === true) return undefined;
    // An existing helper is used: this process has been large and will be again.
    if (mode === "auto" && this.#helper === undefined && !this.#isWorthIt()) return undefined;
    this.#helper ??= this.#load();
    const helper = await this.#helper;
    if (helper.helperPid !== undefined) return helper;
    const isReady = await within(patienceMs[mode], helper.open());
    return isReady ? helper : undefined;
  }

  #isWorthIt(): boolean {
    const big = this.#options.bigBytes ?? bigBytes;
    const now = performance.now();
    if (now - this.#residentAt > knownMs) {
      this.#residentAt = now;
      this.#resident = process.memoryUsage.rss();
    }
    const resident = this.#resident;
    if (resident < big) return false;
    this.#starts += 1;
    return this.#starts > fewStarts || resident >= big * hugeFactor;
  }

  async #loadDirect(): Promise<DirectLauncher> {
    const { DirectLauncher } = await import("./direct-launcher.ts");
    return new DirectLauncher(await this.#openPool());
  }

  async #openPool(): Promise<PipePool> {
    const { PipePool } = await import("../pipes/pipe-pool.ts");
    const pool = (this.#pool ??= new PipePool(async (argv) => this.#run(argv)));
    if (this.#isDisposed) await pool.dispose();
    return pool;
  }

  async #load(): Promise<HelperLauncher> {
    const { HelperLauncher } = await import("../helper/helper-launcher.ts");
    this.#loadedHelper = new HelperLauncher(await this.#openPool(), {
      command: this.#options.helperCommand,
    });
    return this.#loadedHelper;
  }

  async #run(argv: readonly string[]): Promise<boolean> {
    this.#hasRun = true;
    const helper = this.#loadedHelper;
    if (helper?.helperPid !== undefined) {
      if (await helper.run(argv).catch(() => false)) return true;
    }
    return runDirectly(argv);
  }
}

/** Runs a program without input and output; false if it failed. */
export async function runDirectly([
  program = "",
  ...parameters
]: readonly string[]): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  return await new Promise((resolve) => {
    const env = systemEnvironment();
    const child = spawn(program, parameters, { cwd: "/", env, stdio: "ignore" });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

async function turn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}

/** The result of `event`, or false after `ms` milliseconds; clears its timer. */
async function within(ms: number, event: Promise<boolean>): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms);
    event.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
