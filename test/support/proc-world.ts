import { afterEach, beforeEach } from "vitest";
import type { ProcessExit, ProcessSpec } from "../../src/core/index.ts";
import { LocalLauncher, type SpawnHelper } from "../../src/host/processes/launch/local-launcher.ts";
import { LocalProc } from "../../src/host/processes/local-proc.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Short enough that a test of the whole ladder takes a moment, long enough for a busy machine. */
export const patience = { terminate: 300, kill: 2000, drain: 250 };
export const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };

export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly lost: number;
  readonly exit: ProcessExit;
}

/** The processes of a local host, new for each test, in a folder that is gone after it. */
export interface ProcWorld {
  /** How the next ones start programs. */
  helper: SpawnHelper;
  proc: LocalProc;
  readonly launcher: LocalLauncher;
  /** The folder, canonical. */
  readonly root: string;
  readonly finish: (id: string) => Promise<Finished>;
  readonly sh: (
    text: string,
    more?: Partial<ProcessSpec>,
    signal?: AbortSignal,
  ) => Promise<Finished>;
  readonly disposeAll: () => Promise<void>;
}

export function procWorld(): ProcWorld {
  const at = temporaryFolder("local-proc");
  let launcher: LocalLauncher;
  let proc: LocalProc;
  const world: ProcWorld = {
    helper: "never",
    get proc() {
      return proc;
    },
    set proc(next) {
      proc = next;
    },
    get launcher() {
      return launcher;
    },
    get root() {
      return at("");
    },
    async finish(id) {
      const printed = { stdout: "", stderr: "" };
      let lost = 0;
      for await (const chunk of proc.output(id, 0)) {
        lost += chunk.lostBefore ?? 0;
        if ("exit" in chunk) return { ...printed, lost, exit: chunk.exit };
        printed[chunk.stream] += Buffer.from(chunk.bytes).toString();
      }
      throw new Error("There was no exit.");
    },
    async sh(text, more = {}, signal) {
      const id = more.id ?? text;
      const spec = { id, argv: ["/bin/sh", "-c", text], cwd: world.root, ...more };
      await proc.start(spec, signal === undefined ? {} : { signal });
      return await world.finish(id);
    },
    async disposeAll() {
      await proc.dispose();
      await launcher.dispose();
    },
  };
  beforeEach(() => {
    launcher = new LocalLauncher({ helper: world.helper });
    proc = new LocalProc({ environment, patience, launcher });
  });
  afterEach(async () => await world.disposeAll());
  return world;
}
