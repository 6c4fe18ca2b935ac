import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { errnoOf } from "../file-error.ts";
import type { Child } from "../launcher.ts";
import { checkedProgram, launchError } from "./launch-error.ts";

/** A program of the host's own: without input, and with an empty environment. */
export type OwnProgram = Pick<Child, "pid" | "stdout" | "stderr" | "onExit">;

/** Starts one; a missing program is NOT_FOUND. */
export type StartOwn = (argv: readonly string[], cwd: string) => Promise<OwnProgram>;

/**
 * Starts a program of the host's own, with an empty environment. It starts none itself, so it needs no group
 * to be ended by; in a session of its own the system would let it wait longer beside busy ones.
 */
export async function spawnProgram(argv: readonly string[], cwd: string): Promise<OwnProgram> {
  const program = checkedProgram(argv);
  // Loaded with the first program: it is heavy, and many hosts start none.
  const { spawn } = await import("node:child_process");
  let child: ChildProcessByStdio<null, Readable, Readable>;
  try {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    child = spawn(program, argv.slice(1), { cwd, env: {}, stdio, windowsHide: true });
  } catch (cause) {
    throw launchError(program, errnoOf(cause), cause);
  }
  const { pid, stdout, stderr } = child;
  if (pid === undefined) {
    const cause = await new Promise<unknown>((resolve) => {
      child.once("error", resolve);
    });
    throw launchError(program, errnoOf(cause), cause);
  }
  child.on("error", () => undefined);
  return { pid, stdout, stderr, onExit: (callback) => void child.once("exit", callback) };
}
