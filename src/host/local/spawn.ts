import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { ToolError } from "../../core/index.ts";
import { errnoOf } from "../file-error.ts";
import { missingProgram, programRefused } from "../process-error.ts";

export interface SpawnOptions {
  readonly argv: readonly string[];
  /** A path that leads to the directory while this call runs; it may be one of a descriptor. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasInput: boolean;
}

/** A program that was started, as the leader of its own session and group. */
export interface Child {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdin: Writable | undefined;
  /** Calls back once when the program itself has ended, whoever still holds its output. */
  onExit(callback: (code: number | null, signal: string | null) => void): void;
}

/** Starts a program; the only place of this host that does. */
export async function spawnProgram(options: SpawnOptions): Promise<Child> {
  const [program = "", ...parameters] = options.argv;
  if (program === "") throw missingProgram('""');
  if (options.argv.some((part) => part.includes("\0"))) {
    throw new ToolError("INVALID_INPUT", "An argument of the program holds a NUL character.", {
      hint: "Pass such bytes through a file or through its input.",
    });
  }
  const child = await start(program, parameters, options);
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) {
    const cause = await new Promise<unknown>((resolve) => {
      child.once("error", resolve);
    });
    throw spawnError(program, cause);
  }
  // A program that ends without reading its input breaks the pipe; that is its own affair.
  stdin?.on("error", () => undefined);
  child.on("error", () => undefined);
  return {
    pid,
    stdout,
    stderr,
    stdin: stdin ?? undefined,
    onExit: (callback) => {
      child.once("exit", callback);
    },
  };
}

async function start(
  program: string,
  parameters: readonly string[],
  { cwd, env, hasInput }: SpawnOptions,
): Promise<ChildProcess> {
  // Loaded with the first program: it is heavy, and many hosts start none.
  const { spawn } = await import("node:child_process");
  try {
    return spawn(program, parameters, {
      cwd,
      env,
      detached: true,
      stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe"],
      windowsHide: true,
    });
  } catch (cause) {
    throw spawnError(program, cause);
  }
}

function spawnError(program: string, cause: unknown): ToolError {
  const errno = errnoOf(cause);
  if (errno === "ENOENT") return missingProgram(program, cause);
  if (errno === "EACCES" || errno === "EPERM" || errno === "ENOEXEC") {
    return programRefused(program, cause);
  }
  if (errno === "E2BIG") {
    return new ToolError("TOO_LARGE", `The arguments of ${program} are too long to start it.`, {
      hint: "Pass long text through a file or through its input.",
      cause,
    });
  }
  return new ToolError("UNAVAILABLE", `${program} could not be started (${errno ?? "unknown"}).`, {
    hint: "The system may be short of processes or memory. Try again in a moment.",
    cause,
  });
}
