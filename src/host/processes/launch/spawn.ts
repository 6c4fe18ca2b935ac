import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import type { Confinement } from "../../../core/index.ts";
import { errnoOf } from "../../files/file-error.ts";
import type { Child } from "./launcher.ts";
import type { HeldNode } from "../../files/open-path.ts";
import { checkedProgram, launchError, NotBegun } from "./launch-error.ts";

/** A program of the host itself: without input, and with no environment except its tag. */
export interface OwnProgram extends Pick<Child, "stdout" | "stderr" | "onExit"> {
  /** Kills the program; must not be called after it has ended. */
  kill(): void;
}

/** Working directory and file of such a program. */
export interface OwnPlace {
  readonly directory: HeldNode;
  /** Canonical path of the directory. */
  readonly path: string;
  /** Appended to the arguments as a path by which the program reaches exactly this file. */
  readonly file?: { readonly node: HeldNode; readonly path: string } | undefined;
  readonly confinement?: Pick<Confinement, "helper"> | undefined;
}

/**
 * Starts a program of the host itself; throws NOT_FOUND if it is missing, and NotBegun if it cannot be confined as
 * requested.
 */
export type StartOwn = (argv: readonly string[], place: OwnPlace) => Promise<OwnProgram>;

/** The arguments for a program that can open the descriptors of this process. */
export function ownArgv(argv: readonly string[], { file }: OwnPlace): readonly string[] {
  return file === undefined ? argv : [...argv, file.node.outsidePath];
}

/**
 * Starts a program of the host itself with only this environment. It starts no other programs, so it needs no group to
 * be ended by; in its own session the scheduler would let it wait longer while other sessions are busy.
 */
export async function spawnProgram(
  words: readonly string[],
  place: OwnPlace,
  env: Readonly<Record<string, string>> = {},
): Promise<OwnProgram> {
  if (place.confinement !== undefined) throw new NotBegun("Nothing here starts it confined.");
  const argv = ownArgv(words, place);
  const cwd = place.directory.outsidePath;
  const program = checkedProgram(argv);
  // Loaded on first use: the module is heavy, and many hosts start no programs.
  const { spawn } = await import("node:child_process");
  let child: ChildProcessByStdio<null, Readable, Readable>;
  try {
    const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
    child = spawn(program, argv.slice(1), { cwd, env, stdio, windowsHide: true });
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
  return {
    stdout,
    stderr,
    onExit: (callback) => void child.once("exit", callback),
    kill: () => void child.kill("SIGKILL"),
  };
}
