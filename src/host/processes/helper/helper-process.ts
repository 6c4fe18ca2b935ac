import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { ToolError, type Confined, type ConfinedHelper } from "../../../core/index.ts";
import { handDescriptors } from "../pipes/inherited-descriptors.ts";
import {
  confinedFlag,
  encodeLine,
  lineReader,
  type HelperReply,
  type HelperRequest,
} from "./protocol.ts";
import { launchError, NotBegun } from "../launch/launch-error.ts";
import { markerName } from "../process-tag.ts";
import { isStopped, startTicksOf } from "../process-scan.ts";
import { killPrograms } from "../kill/kill-programs.ts";
import { sendSignal } from "../kill/ordered-kill.ts";
import { RunningProgram, type StartedProgram } from "../launch/running-program.ts";

/** Small heaps, because the time to start a program grows with the memory of its parent. */
const smallNode = [
  process.execPath,
  "--max-semi-space-size=1",
  "--max-old-space-size=64",
  "--v8-pool-size=1",
];
const fromSource = ["--no-warnings", "--experimental-strip-types"];
/** Maximum time for a helper to end after it was asked to, in milliseconds. */
const endingMs = 3000;
/** Maximum time for the last replies of a helper to arrive after its exit, in milliseconds. */
const lastWordsMs = 100;
/** Maximum time for a confined helper to start a program, in milliseconds; its programs can stop it. */
const stoppedMs = 5000;
/** Interval between checks that the helper reports ended programs, in milliseconds. */
const watchMs = 1000;
/** Number of checks after which a helper that is not stopped counts as lost. */
const patientLooks = 15;

type HelperChild = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };
type Order = Omit<HelperRequest, "id">;

export interface HelperOptions {
  /** Command that runs a JavaScript file. */
  readonly command?: readonly string[] | undefined;
  /** Confinement of the helper and all it starts. */
  readonly confined?: ConfinedHelper | undefined;
  /** Called whenever the last running program has ended. */
  readonly onIdle?: (() => void) | undefined;
}

interface Waiting {
  readonly order: Order;
  /** Whether a confined helper has reported that it begins the start. */
  hasBegun: boolean;
  readonly resolve: (started: StartedProgram) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One helper process, from its start until it ends or is lost. It keeps this process alive only while a program runs.
 */
export class HelperProcess {
  /** Resolves to whether the helper accepts requests. */
  readonly ready: Promise<boolean>;
  /** Resolves when the helper has ended, for whatever reason. */
  readonly lost: Promise<void>;
  readonly pid: number | undefined;
  readonly #child: HelperChild;
  readonly #waiting = new Map<number, Waiting>();
  readonly #running = new Map<number, RunningProgram>();
  #count = 0;
  #becomeReady: (isReady: boolean) => void = () => undefined;
  #isLost = false;
  #watching: NodeJS.Timeout | undefined;
  readonly #options: HelperOptions;

  private constructor(child: HelperChild, options: HelperOptions) {
    this.#child = child;
    this.#options = options;
    this.pid = child.pid;
    this.ready = new Promise((resolve) => {
      this.#becomeReady = resolve;
    });
    this.lost = new Promise((resolve) => {
      const lose = (): void => {
        this.#lose();
        resolve();
      };
      child.once("error", lose);
      let timer: NodeJS.Timeout | undefined;
      // The last replies may still be in the pipe, but do not wait for other processes that hold the pipe open.
      child.once("exit", () => {
        timer = setTimeout(lose, lastWordsMs);
      });
      child.once("close", () => {
        clearTimeout(timer);
        lose();
      });
    });
    child.stdin.on("error", () => undefined);
    child.stdout.setEncoding("utf8").on(
      "data",
      lineReader((line) => this.#take(line)),
    );
    child.stdout.on("error", () => undefined);
    child.unref();
    unref(child.stdin);
    unref(child.stdout);
  }

  static async open(options: HelperOptions = {}): Promise<HelperProcess> {
    const { spawn } = await import("node:child_process");
    const { command = smallNode, confined } = options;
    const file = helperFile();
    const argv = [...command, ...(file.endsWith(".ts") ? fromSource : []), file];
    const {
      argv: [program = "", ...words],
      cwd,
      env,
      descriptors,
    } = confined === undefined ? plainly(argv) : confined.launch([...argv, confinedFlag]);
    const outer = process.env[markerName];
    const handed = await handDescriptors(descriptors);
    let child: ChildProcess;
    try {
      child = spawn(program, words, {
        cwd,
        env: {
          ...plainly(argv).env,
          ...env,
          ...(file.endsWith(".ts") ? compiledOnce() : {}),
          ...(outer === undefined ? {} : { [markerName]: outer }),
        },
        // In its own process group, so that Ctrl-C in a terminal reaches only this process.
        detached: true,
        stdio: ["pipe", "pipe", "ignore", ...handed.stdio],
      });
    } finally {
      handed.close();
    }
    if (!hasPipes(child)) throw new TypeError("The helper has no pipes.");
    const helper = new HelperProcess(child, options);
    if (confined !== undefined) {
      child.stdin.write(encodeLine({ confine: confined.itself ?? null }));
    }
    return helper;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  async start(order: Order): Promise<StartedProgram> {
    if (this.#isLost) throw this.#lostWhileStarting(order, false);
    this.#count += 1;
    const id = this.#count;
    const started = new Promise<StartedProgram>((resolve, reject) => {
      this.#waiting.set(id, { order, hasBegun: false, resolve, reject });
    });
    this.#hold();
    this.#child.stdin.write(encodeLine({ id, ...order }));
    if (this.#options.confined === undefined) return started;
    const timer = setTimeout(() => {
      // If this process itself was suspended, the reply has arrived and only has to be read.
      setImmediate(() => {
        if (this.#waiting.has(id)) this.kill();
      });
    }, stoppedMs);
    return started.finally(() => clearTimeout(timer));
  }

  /** Ends the helper with all it started, and waits for that. */
  async stop(): Promise<void> {
    if (this.#isLost) return;
    this.#child.ref();
    ref(this.#child.stdout);
    this.#child.stdin.end();
    await this.#ended();
  }

  /** Ends a confined helper without ending what its programs left running. */
  async leave(): Promise<void> {
    if (this.#isLost) return;
    this.#child.stdin.write(encodeLine({ leave: true }));
    await this.#ended();
  }

  /** Whether a program of this helper is running or being started. */
  get isBusy(): boolean {
    return this.#waiting.size + this.#running.size > 0;
  }

  async #ended(): Promise<void> {
    const timer = setTimeout(() => this.kill(), endingMs);
    await this.lost;
    clearTimeout(timer);
  }

  /**
   * Ends the helper at once. Also keeps this process alive for it, because a waiting caller may have nothing else that
   * does.
   */
  kill(): void {
    // The pid may have been reused.
    if (this.#isLost) return;
    this.#child.ref();
    if (this.pid !== undefined) sendSignal(-this.pid, "SIGKILL");
  }

  #take(line: string): void {
    const reply: HelperReply = JSON.parse(line);
    switch (reply.kind) {
      case "ready":
        this.#becomeReady(true);
        return;
      case "begun": {
        const waiting = this.#waiting.get(reply.id);
        if (waiting !== undefined) waiting.hasBegun = true;
        return;
      }
      case "started":
        this.#started(reply.id, reply);
        return;
      case "unable":
        this.#settle(reply.id)?.reject(new NotBegun("It cannot open the program's pipes."));
        break;
      case "refused": {
        const waiting = this.#settle(reply.id);
        waiting?.reject(launchError(waiting.order.argv[0] ?? "", reply.errno));
        break;
      }
      case "ended":
        this.#running.get(reply.id)?.ended(reply.code, reply.signal);
        this.#running.delete(reply.id);
    }
    this.#hold();
  }

  #started(id: number, { pid, ticks }: { readonly pid: number; readonly ticks?: number }): void {
    const { confined } = this.#options;
    // Confinement can hide from the helper when its programs were started.
    const startTicks = confined?.shared !== undefined ? undefined : (ticks ?? startTicksOf(pid));
    const program = new RunningProgram({
      pid,
      startTicks,
      isOurs: confined?.shared === undefined,
      mark: this.#waiting.get(id)?.order.env[markerName],
    });
    this.#running.set(id, program);
    this.#watch();
    this.#settle(id)?.resolve({
      pid,
      startTicks,
      onExit: program.onExit,
      kill: () => {
        if (confined === undefined) sendSignal(pid, "SIGKILL");
        else if (!this.#isLost) this.#child.stdin.write(encodeLine({ kill: id }));
      },
    });
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** Keeps this process alive while a program runs. */
  #hold(): void {
    this.#watch();
    if (this.isBusy) ref(this.#child.stdout);
    else {
      unref(this.#child.stdout);
      this.#options.onIdle?.();
    }
  }

  /** A confined helper can be stopped by its programs and then never reports their end: it is killed in that case. */
  #watch(): void {
    if (this.#options.confined === undefined) return;
    if (this.#running.size === 0) {
      clearInterval(this.#watching);
      this.#watching = undefined;
      return;
    }
    this.#watching ??= setInterval(() => {
      for (const program of this.#running.values()) program.look();
      // A stopped helper reports nothing more; any other helper may just be slow on a busy machine.
      const looks = this.pid !== undefined && isStopped(this.pid) ? 2 : patientLooks;
      // The reply may have arrived and only has to be read.
      setImmediate(() => {
        if (Array.from(this.#running.values()).some(({ untold }) => untold >= looks)) this.kill();
      });
    }, watchMs).unref();
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#becomeReady(false);
    // Programs may have been started anyway, and their pids would never be known.
    const marks = Array.from(this.#waiting.values(), ({ order }) => order.env[markerName]);
    killPrograms({
      leaders: [],
      marks: new Set(marks.flatMap((mark) => (mark === undefined ? [] : [`${mark}\0`]))),
    });
    for (const { order, hasBegun, reject } of this.#waiting.values()) {
      reject(this.#lostWhileStarting(order, hasBegun));
    }
    RunningProgram.endAll([...this.#running.values()]);
    this.#waiting.clear();
    this.#running.clear();
    clearInterval(this.#watching);
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
  }

  /**
   * A start that a confined helper had not begun can be repeated in another way; for other starts it is unknown how far
   * they came.
   */
  #lostWhileStarting({ argv: [program = ""] }: Order, hasBegun: boolean): Error {
    if (this.#options.confined !== undefined && !hasBegun) {
      return new NotBegun("The confined helper process ended.");
    }
    return new ToolError(
      "UNAVAILABLE",
      `The process that starts programs ended while it was starting ${program}.`,
      { hint: "Try again; another one takes its place.", retryable: true },
    );
  }
}

/** Omits the Node options of this process, which may load or watch modules. */
function plainly(argv: readonly string[]): Confined {
  const isElectron = process.versions["electron"] !== undefined;
  return { argv, cwd: "/", env: isElectron ? { ELECTRON_RUN_AS_NODE: "1" } : {}, descriptors: [] };
}

/** Shares the compile cache of the development environment, so that sources are compiled only once. */
function compiledOnce(): Readonly<Record<string, string>> {
  const { NODE_COMPILE_CACHE: folder } = process.env;
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}

function hasPipes(child: ChildProcess): child is HelperChild {
  return child.stdin !== null && child.stdout !== null;
}

/** Path of the helper's main module, next to this one in the sources and in the bundle. */
function helperFile(): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`./spawn-helper.${extension}`, import.meta.url));
}

function ref(stream: Readable | Writable): void {
  if ("ref" in stream && typeof stream.ref === "function") stream.ref();
}

function unref(stream: Readable | Writable): void {
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
}
