import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { procWorld } from "../../../test/support/proc-world.ts";
import type { Confinement } from "../../core/index.ts";
import { processEntry } from "./process-scan.ts";

const world = procWorld();

/** Confinement by a shell script; `depth` is the number of processes between the started one and the program. */
function around(script: string, depth: number): Confinement {
  return {
    wrap: (argv, { cwd, env }) => ({
      argv: ["/bin/sh", "-c", script, "around", ...argv],
      cwd,
      env,
      descriptors: [],
      depth,
    }),
  };
}

/** Ignores TERM, tells its number, and starts the program when there is a file `go`. */
const waiting = `trap '' TERM; exec sh -c 'echo $$ > ready; until [ -e go ]; do sleep 0.02; done; exec "$@"' sh "$@"`;

/** The process that waits; 0 where there is none yet. */
function waitingPid(): number {
  const file = `${world.root}/ready`;
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)(
  "what confines a program that does not run yet is killed, not asked to end",
  async () => {
    const stop = new AbortController();
    // If it received the signal, it would leave a child that starts the program anyway.
    const script = `
      trap 'touch asked; exit' TERM
      (${waiting}) & wait`;
    const ended = world.sh("touch late", { confinement: around(script, 5) }, stop.signal);
    await expect.poll(waitingPid).toBeGreaterThan(0);
    stop.abort();

    expect((await ended).exit).toMatchObject({
      signal: "SIGKILL",
      endedBy: "abort",
      leftRunning: [],
    });
    expect(existsSync(`${world.root}/asked`)).toBe(false);
    expect(processEntry(waitingPid())).toBeUndefined();
    expect(existsSync(`${world.root}/late`)).toBe(false);
  },
);

test.skipIf(!isLinux)(
  "TERM sent to such a tree ends all of it as well, from any sender",
  async () => {
    const script = `(${waiting}) & wait`;
    const ended = world.sh("touch late", { id: "stopped", confinement: around(script, 5) });
    await expect.poll(waitingPid).toBeGreaterThan(0);
    await world.proc.signal("stopped", "TERM", { tree: true });

    expect((await ended).exit).toMatchObject({ signal: "SIGKILL", leftRunning: [] });
    expect(processEntry(waitingPid())).toBeUndefined();
    expect(existsSync(`${world.root}/late`)).toBe(false);
  },
);

test.skipIf(!isLinux)(
  "a child in a session of its own without our pipes that ignores TERM is gone, too",
  async () => {
    const stop = new AbortController();
    const child = "trap '' TERM; echo $$ > child; while :; do sleep 0.02; done";
    const ended = world.sh(
      `setsid sh -c "${child.replaceAll("$", String.raw`\$`)}" > /dev/null 2>&1 & exec sleep 30`,
      {},
      stop.signal,
    );
    const pid = (): number =>
      existsSync(`${world.root}/child`) ? Number(readFileSync(`${world.root}/child`, "utf8")) : 0;
    await expect.poll(pid).toBeGreaterThan(0);
    stop.abort();
    await ended;

    expect(processEntry(pid())).toBeUndefined();
  },
);
