import type { ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { ToolError } from "../../core/index.ts";
import type { Child } from "../launcher.ts";
import { encodeLine, lineReader, type HelperReply, type HelperRequest } from "./helper-wire.ts";
import { launchError } from "./launch-error.ts";
import { processEntry } from "./process-scan.ts";
import { markedProcesses, markerName, sendSignal } from "./process-tree.ts";

/** Small, because starting a program takes as long as its parent has memory to copy. */
const smallNode = [
  process.execPath,
  "--max-semi-space-size=1",
  "--max-old-space-size=64",
  "--v8-pool-size=1",
];
const fromSource = ["--no-warnings", "--experimental-strip-types"];
/** How long one that was told to end may take, in milliseconds. */
const endingMs = 3000;
/** How long what it told before its end may take to arrive, in milliseconds. */
const lastWordsMs = 100;
/** Between two looks at whether a killed program is gone. */
const lookMs = 10;

type HelperChild = ChildProcessByStdio<Writable, Readable, null>;
type Started = Pick<Child, "pid" | "startTicks" | "onExit">;
type Order = Omit<HelperRequest, "id">;

interface Waiting {
  readonly order: Order;
  readonly resolve: (started: Started) => void;
  readonly reject: (error: unknown) => void;
}

/** One helper process, from its start until it ends or is lost. It keeps this program alive only while a program runs. */
export class HelperProcess {
  /** Resolves to whether it can be asked now. */
  readonly ready: Promise<boolean>;
  /** Resolves when it has ended, for whatever reason. */
  readonly lost: Promise<void>;
  readonly pid: number | undefined;
  readonly #child: HelperChild;
  readonly #waiting = new Map<number, Waiting>();
  readonly #running = new Map<number, RunningProgram>();
  #count = 0;
  #becomeReady: (isReady: boolean) => void = () => undefined;
  #isLost = false;

  private constructor(child: HelperChild) {
    this.#child = child;
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
      // What it told last may still be on its way, but nobody who holds its output is waited for.
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

  /** `command` runs a file of JavaScript. */
  static async open(command: readonly string[] = smallNode): Promise<HelperProcess> {
    const { spawn } = await import("node:child_process");
    const file = helperFile();
    const [program = "", ...words] = command;
    words.push(...(file.endsWith(".ts") ? fromSource : []), file);
    const outer = process.env[markerName];
    const child = spawn(program, words, {
      cwd: "/",
      // Nothing of this program's own options, which may load or watch things.
      env: {
        ...(outer === undefined ? {} : { [markerName]: outer }),
        ...(process.versions["electron"] === undefined ? {} : { ELECTRON_RUN_AS_NODE: "1" }),
      },
      // Out of reach of a terminal's Ctrl-C, which is this program's to answer.
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    return new HelperProcess(child);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  async start(order: Order): Promise<Started> {
    if (this.#isLost) throw lostWhileStarting(order.argv[0]);
    this.#count += 1;
    const id = this.#count;
    const started = new Promise<Started>((resolve, reject) => {
      this.#waiting.set(id, { order, resolve, reject });
    });
    this.#hold();
    this.#child.stdin.write(encodeLine({ id, ...order }));
    return started;
  }

  /** Tells it to end, and waits until it has. */
  async stop(): Promise<void> {
    if (this.#isLost) return;
    this.#child.ref();
    ref(this.#child.stdout);
    this.#child.stdin.end();
    const timer = setTimeout(() => this.kill(), endingMs);
    await this.lost;
    clearTimeout(timer);
  }

  /** Ends it at once. Whoever waits for that may have nothing else that keeps this program alive. */
  kill(): void {
    if (!this.#isLost) this.#child.ref();
    if (this.pid !== undefined) sendSignal(-this.pid, "SIGKILL");
  }

  #take(line: string): void {
    const reply: HelperReply = JSON.parse(line);
    switch (reply.kind) {
      case "ready":
        this.#becomeReady(true);
        return;
      case "started": {
        const program = new RunningProgram(reply.pid, reply.ticks);
        this.#running.set(reply.id, program);
        this.#settle(reply.id)?.resolve(program);
        return;
      }
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

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  /** While a program runs, its end is something to wait for. */
  #hold(): void {
    const isBusy = this.#waiting.size + this.#running.size > 0;
    if (isBusy) ref(this.#child.stdout);
    else unref(this.#child.stdout);
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#becomeReady(false);
    for (const { order, reject } of this.#waiting.values()) {
      // It may have been started all the same, and nobody would ever know its pid.
      const mark = order.env[markerName];
      if (mark !== undefined) {
        for (const pid of markedProcesses(`${mark}\0`)) sendSignal(pid, "SIGKILL");
      }
      reject(lostWhileStarting(order.argv[0]));
    }
    for (const program of this.#running.values()) program.end();
    this.#waiting.clear();
    this.#running.clear();
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
  }
}

/** A program the helper started, until the helper says how it ended. */
class RunningProgram implements Started {
  readonly pid: number;
  readonly startTicks: number | undefined;
  #exit: { readonly code: number | null; readonly signal: string | null } | undefined;
  #onExit: ((code: number | null, signal: string | null) => void) | undefined;

  constructor(pid: number, startTicks: number | undefined) {
    this.pid = pid;
    this.startTicks = startTicks;
  }

  readonly onExit = (callback: (code: number | null, signal: string | null) => void): void => {
    this.#onExit = callback;
    const exit = this.#exit;
    if (exit !== undefined) callback(exit.code, exit.signal);
  };

  ended(code: number | null, signal: string | null): void {
    if (this.#exit !== undefined) return;
    this.#exit = { code, signal };
    this.#onExit?.(code, signal);
  }

  /** Nobody will tell how it ends any more, so it is ended. */
  end(): void {
    const entry = processEntry(this.pid);
    if (entry === undefined || entry.startTicks !== this.startTicks) {
      this.ended(null, "SIGKILL");
      return;
    }
    sendSignal(-this.pid, "SIGKILL");
    setTimeout(() => this.end(), lookMs);
  }
}

function lostWhileStarting(program = ""): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    `The process that starts programs ended while it was starting ${program}.`,
    { hint: "Try again; another one takes its place.", retryable: true },
  );
}

/** Beside this module, from source as in the bundle. */
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
