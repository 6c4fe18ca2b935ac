import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Confined, Descriptor } from "../core/index.ts";

export interface RunOptions {
  readonly stdio?: "pipe" | "inherit";
  /** Milliseconds after which the wrapper is killed. */
  readonly timeoutMs?: number;
  readonly input?: string;
}

export interface RunResult {
  /** Exit code; null if a signal ended it, or it could not be started. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a wrapped command from this process: the launcher of probes, `haft sandbox` and tests. */
export type RunConfined = (confined: Confined, options?: RunOptions) => Promise<RunResult>;

export const runConfined: RunConfined = async (confined, options = {}) => {
  const child = await spawnConfined(confined, options);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(options.input ?? "");
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => child.kill("SIGKILL"), options.timeoutMs);
  return await new Promise((resolve) => {
    const finish = (code: number | null, signal: string | null) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: textOf(stdout), stderr: textOf(stderr) });
    };
    child.once("error", (error) => {
      stderr.push(Buffer.from(error.message));
      finish(null, null);
    });
    child.once("exit", (code, signal) => {
      // Remaining child processes may keep the pipes open for a long time.
      const drained = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, 250);
      child.once("close", () => {
        clearTimeout(drained);
        finish(code, signal);
      });
    });
  });
};

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}

/** Opens the descriptors for one start, and closes the parent's copies. */
export async function spawnConfined(
  { argv: [program = "", ...parameters], cwd, env, descriptors }: Confined,
  { stdio = "pipe" }: RunOptions = {},
): Promise<ChildProcess> {
  const opened: (number | Socket)[] = [];
  try {
    const extra: (number | Socket | "ignore")[] = [];
    for (const descriptor of descriptors) {
      const one = await openDescriptor(descriptor);
      opened.push(one);
      // A gap is ignored: descriptors that a program would inherit are in the list.
      while (extra.length < descriptor.number - 3) extra.push("ignore");
      extra[descriptor.number - 3] = one;
    }
    return spawn(program, parameters, {
      cwd,
      env,
      stdio: [stdio, stdio, stdio, ...extra],
      windowsHide: true,
    });
  } finally {
    for (const one of opened) {
      if (typeof one === "number") closeSync(one);
      else one.destroy();
    }
  }
}

async function openDescriptor(descriptor: Descriptor): Promise<number | Socket> {
  if (descriptor.kind === "file") return openSync(descriptor.path, "r");
  const socket = connect(descriptor.path);
  await new Promise<void>((done, fail) => {
    socket.once("connect", done);
    socket.once("error", fail);
  });
  return socket;
}
