import type { Child, Launcher, LaunchSpec } from "../launcher.ts";
import { DirectLauncher } from "./direct-launcher.ts";
import type { HelperLauncher } from "./helper-launcher.ts";
import { PipePool } from "./pipe-pool.ts";

/** From this much resident memory on, starting a program directly takes longer than through the helper. */
const bigBytes = 134_217_728;
/** How long a program waits for a helper that is just being started, in milliseconds. */
const patienceMs = 500;

/** Through a helper process: when this program has grown big, always, or never. */
export type SpawnHelper = "auto" | "always" | "never";

/** How programs are started now. */
export interface LaunchReport {
  readonly by: "direct" | "helper";
  /** The helper process, where one runs. */
  readonly helperPid?: number;
  /** Why there is no helper although one is wanted. */
  readonly failure?: string;
}

/** Starts programs of this machine: directly while this program is small, else through a helper process. */
export class LocalLauncher implements Launcher {
  readonly #mode: SpawnHelper;
  readonly #pool = new PipePool(async (argv) => this.#run(argv));
  readonly #direct = new DirectLauncher(this.#pool);
  #helper: Promise<HelperLauncher> | undefined;
  #loadedHelper: HelperLauncher | undefined;

  constructor(mode: SpawnHelper = "auto") {
    // Where pipes cannot be shared through /proc; macOS starts programs without copying memory.
    this.#mode = process.platform === "linux" ? mode : "never";
  }

  get report(): LaunchReport {
    const { failure, helperPid } = this.#loadedHelper ?? {};
    if (failure !== undefined) return { by: "direct", failure };
    return helperPid === undefined ? { by: "direct" } : { by: "helper", helperPid };
  }

  async start(spec: LaunchSpec): Promise<Child> {
    const helper = await this.#wanted();
    return (helper ?? this.#direct).start(spec);
  }

  async dispose(): Promise<void> {
    await this.#pool.dispose();
    const helper = await this.#helper;
    await helper?.dispose();
  }

  /** The helper, where it is wanted and can be used soon. */
  async #wanted(): Promise<HelperLauncher | undefined> {
    if (this.#mode === "never" || this.#pool.isBroken) return undefined;
    // Once there, it is used: the program has been big, and will be again.
    if (this.#helper === undefined && this.#mode === "auto") {
      if (process.memoryUsage.rss() < bigBytes) return undefined;
    }
    this.#helper ??= this.#load();
    const helper = await this.#helper;
    if (helper.failure !== undefined) return undefined;
    if (helper.helperPid !== undefined) return helper;
    const opening = helper.open();
    const isReady = await (this.#mode === "always" ? opening : within(patienceMs, opening));
    return isReady ? helper : undefined;
  }

  async #load(): Promise<HelperLauncher> {
    const { HelperLauncher } = await import("./helper-launcher.ts");
    this.#loadedHelper = new HelperLauncher(this.#pool);
    return this.#loadedHelper;
  }

  async #run(argv: readonly string[]): Promise<boolean> {
    const helper = this.#loadedHelper;
    if (helper?.helperPid !== undefined) {
      if (await helper.run(argv).catch(() => false)) return true;
    }
    return runDirectly(argv);
  }
}

async function runDirectly([program = "", ...parameters]: readonly string[]): Promise<boolean> {
  const { spawn } = await import("node:child_process");
  return await new Promise((resolve) => {
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
    const child = spawn(program, parameters, { cwd: "/", env, stdio: "ignore" });
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
  });
}

/** What it resolves to, or false after `ms`; leaves no timer behind. */
async function within(ms: number, event: Promise<boolean>): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms);
    event.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
