import type { ChildProcess } from "node:child_process";
import { errnoOf } from "../../files/file-error.ts";
import type { Child, Launcher, LaunchSpec } from "./launcher.ts";
import { checkedProgram, launchError, openingError } from "./launch-error.ts";
import type { PipePool } from "../pipes/pipe-pool.ts";
import { startTicksOf } from "../process-scan.ts";
import { handDescriptors } from "../pipes/inherited-descriptors.ts";
import { closeProgramEnds, openProgramEnds } from "../pipes/stdio-ends.ts";
import { ProgramPipes } from "../pipes/program-pipes.ts";

/**
 * Starts programs directly from this process. A start blocks the process while its memory is copied: 2 ms for 50 MB, 50
 * ms for 1 GB.
 */
export class DirectLauncher implements Launcher {
  readonly #pool: PipePool;

  constructor(pool: PipePool) {
    this.#pool = pool;
  }

  async start(spec: LaunchSpec): Promise<Child> {
    checkedProgram(spec.argv);
    let pipes: ProgramPipes | undefined;
    try {
      pipes = await ProgramPipes.take(this.#pool, spec.hasInput);
      if (pipes === undefined) return await withSockets(spec);
      const ends = openProgramEnds(pipes.paths);
      let child;
      try {
        child = await spawned(spec, ends);
      } finally {
        closeProgramEnds(ends);
      }
      return { ...child, ...pipes.streams() };
    } catch (error) {
      pipes?.discard();
      throw openingError(spec.argv, error);
    }
  }

  async dispose(): Promise<void> {
    // It has no resources to release.
  }
}

/** If no pipes can be created, a program gets the sockets that Node creates. */
export async function withSockets(spec: LaunchSpec): Promise<Child> {
  const child = await spawned(spec, [spec.hasInput ? "pipe" : "ignore", "pipe", "pipe"]);
  const { stdin, stdout, stderr } = child.process;
  if (stdout === null || stderr === null) throw new TypeError("The program has no output.");
  // A program that ends without reading its input breaks the pipe, which is not an error of the host.
  stdin?.on("error", () => undefined);
  return { ...child, stdin: stdin ?? undefined, stdout, stderr };
}

interface Spawned extends Pick<Child, "pid" | "startTicks" | "onExit"> {
  readonly process: ChildProcess;
}

type Ends = readonly (number | "pipe" | "ignore")[];

async function spawned(spec: LaunchSpec, stdio: Ends): Promise<Spawned> {
  // Loaded with the first program, because many hosts start none; an import on every start would take as long as
  // reading a file.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const [program = "", ...parameters] = spec.argv;
  const { cwd, env } = spec;
  const handed = await handDescriptors(spec.descriptors);
  let child: ChildProcess;
  try {
    child = spawn(program, parameters, {
      cwd,
      env,
      detached: true,
      stdio: [...stdio, ...handed.stdio],
      windowsHide: true,
    });
  } catch (cause) {
    throw launchError(program, errnoOf(cause), cause);
  } finally {
    handed.close();
  }
  const { pid } = child;
  if (pid === undefined) {
    const cause = await new Promise<unknown>((resolve) => {
      child.once("error", resolve);
    });
    throw launchError(program, errnoOf(cause), cause);
  }
  child.on("error", () => undefined);
  return {
    process: child,
    pid,
    startTicks: startTicksOf(pid),
    onExit: (callback) => {
      child.once("exit", callback);
    },
  };
}
