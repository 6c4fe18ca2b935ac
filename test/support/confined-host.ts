import type { Confinement, ProcessSpec } from "../../src/core/index.ts";
import { localHost, type LocalHost, type LocalLauncherOptions } from "../../src/host/index.ts";
import type { RunResult } from "../../src/sandbox/index.ts";

/** Parts with which a toolkit starts programs, for a sandbox made by hand. */
export interface ConfinedHost {
  readonly host: LocalHost;
  /** The pids of the helpers it has. */
  helpers(): readonly number[];
  run(argv: readonly string[], options: RunOnHost): Promise<RunResult>;
  dispose(): Promise<void>;
}

export interface RunOnHost extends Pick<ProcessSpec, "cwd" | "env" | "limits"> {
  readonly confinement: Confinement;
  readonly input?: string;
}

export async function confinedHost(launching: LocalLauncherOptions = {}): Promise<ConfinedHost> {
  const environment = { PATH: process.env["PATH"] };
  const patience = { terminate: 300, kill: 2000, drain: 250 };
  const host = await localHost({ environment, patience, launching });
  let count = 0;
  return {
    host,
    helpers: () => host.launching.confinedPids ?? [],
    dispose: async () => await host[Symbol.asyncDispose](),
    async run(argv, { input, ...spec }) {
      count += 1;
      const id = `run-${count}`;
      await host.proc.start({
        id,
        argv,
        ...spec,
        ...(input === undefined ? {} : { stdin: "pipe" }),
      });
      if (input !== undefined) {
        await host.proc.write(id, Buffer.from(input));
        await host.proc.write(id, "eof");
      }
      const printed = { stdout: "", stderr: "" };
      for await (const chunk of host.proc.output(id, 0)) {
        if ("exit" in chunk)
          return { ...printed, code: chunk.exit.code, signal: chunk.exit.signal };
        printed[chunk.stream] += Buffer.from(chunk.bytes).toString();
      }
      throw new Error("There was no exit.");
    },
  };
}
