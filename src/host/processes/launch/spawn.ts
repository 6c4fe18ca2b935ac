import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import type { Confinement } from "../../../core/index.ts";
import { errnoOf } from "../../files/file-error.ts";
import type { Child } from "./launcher.ts";
import type { HeldNode } from "../../files/open-path.ts";
import { checkedProgram, launchError, NotBegun } from "./launch-error.ts";

/** A program of the host's own: without input, and with no environment but its mark. */
export interface OwnProgram extends Pick<Child, "stdout" | "stderr" | "onExit"> {
  /** Ends it at once; not to be called when it has ended. */
  kill(): void;
}

/** Where such a program works. */
export interface OwnPlace {
  readonly directory: HeldNode;
  /** Where that is, canonical. */
  readonly path: string;
  /** Named behind its other arguments, at the path by which the program reaches exactly this file. */
  readonly file?: { readonly node: HeldNode; readonly path: string } | undefined;
  readonly confinement?: Pick<Confinement, "helper"> | undefined;
}

/** Starts one; a missing program is NOT_FOUND, and NotBegun says that it could not be confined as it should. */
export type StartOwn = (argv: readonly string[], place: OwnPlace) => Promise<OwnProgram>;

/** Its arguments where it sees the descriptors of this program. */
export function ownArgv(argv: readonly string[], { file }: OwnPlace): readonly string[] {
  return file === undefined ? argv : [...argv, file.node.outsidePath];
}

/**
 * Starts a program of the host's own, with no environment but this. It starts none itself, so it needs no group
 * to be ended by; in a session of its own the system would let it wait longer beside busy ones.
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
  // Loaded with the first program: it is heavy, and many hosts start none.
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
