import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { moduleFlags } from "../../../../test/support/from-source.ts";
import { patience, procWorld } from "../../../../test/support/proc-world.ts";
import type { SpawnHelper } from "../launch/local-launcher.ts";
import { sendSignal } from "./ordered-kill.ts";
import { processEntry } from "../process-scan.ts";

// The children of these programs have no tag and a session of their own: only their parents lead to them.

const world = procWorld();
const isAlive = (pid: number): boolean => processEntry(pid) !== undefined;
const moduleOf = (name: string): string => JSON.stringify(path.join(import.meta.dirname, name));
const fileOf = (name: string): string => path.join(world.root, name);

/** Starts another one every moment, as long as it runs, and cannot be asked to end. */
function forking(): string {
  const one = `setsid env -i sh -c 'echo $$ >>${fileOf("pids")}; exec sleep 1000'`;
  const loop = `for _ in $(seq 200); do ${one} & done; wait`;
  const several = Array.from({ length: 4 }, () => `(trap '' TERM; ${loop}) &`);
  return `trap '' TERM; ${several.join(" ")} wait`;
}

function started(): readonly number[] {
  if (!existsSync(fileOf("pids"))) return [];
  return readFileSync(fileOf("pids"), "utf8").split("\n").filter(Boolean).map(Number);
}

afterEach(() => {
  for (const pid of started()) sendSignal(pid, "SIGKILL");
});

async function startForking(text: string): Promise<void> {
  const argv = ["/bin/sh", "-c", text];
  await world.proc.start({ id: "forking", argv, cwd: world.root });
  await expect.poll(() => started().length, { interval: 1 }).toBeGreaterThan(20);
}

const left = (): readonly number[] => started().filter(isAlive);

describe.skipIf(process.platform !== "linux").each<SpawnHelper>(["never", "always"])(
  "what a program is just starting ends with it, with a helper: %s",
  (chosen) => {
    beforeAll(() => {
      world.helper = chosen;
    });
    test("where the program is killed", async () => {
      await startForking(forking());

      await world.proc.signal("forking", "KILL", { tree: true });

      expect(left()).toEqual([]);
    });

    test("where the host is disposed of after the program has ended", async () => {
      await startForking(`setsid sh -c "$(cat <<'end'\n${forking()}\nend\n)" >/dev/null 2>&1 &`);
      await world.finish("forking");

      await world.proc.dispose();

      expect(left()).toEqual([]);
    });

    test("where this process exits", async () => {
      const script = `
        const { LocalProc } = await import(${moduleOf("../local-proc.ts")});
        const { LocalLauncher } = await import(${moduleOf("../launch/local-launcher.ts")});
        const { readFileSync } = await import("node:fs");
        const launcher = new LocalLauncher({ helper: ${JSON.stringify(chosen)} });
        const patience = ${JSON.stringify(patience)};
        const proc = new LocalProc({ environment: process.env, patience, launcher });
        await proc.start({ id: "a", argv: ["/bin/sh", "-c", ${JSON.stringify(forking())}], cwd: "/" });
        for (;;) {
          await new Promise((done) => setTimeout(done, 5));
          try {
            if (readFileSync(${JSON.stringify(fileOf("pids"))}, "utf8").length > 100) process.exit(0);
          } catch {}
        }`;

      execFileSync(process.execPath, [...moduleFlags, script]);

      // A process that was killed may still be exiting.
      await expect.poll(left).toEqual([]);
    });

    test("a child that ignores TERM ends with a program that obeys it", async () => {
      const child = `trap '' TERM; echo $$ >${fileOf("pids")}; while :; do sleep 0.1; done`;
      const argv = [
        "/bin/sh",
        "-c",
        `setsid env -i sh -c "${child.replace("$$", "\\$\\$")}" & wait`,
      ];
      const stop = new AbortController();
      await world.proc.start({ id: "a", argv, cwd: world.root }, { signal: stop.signal });
      await expect.poll(() => started().length).toBe(1);

      stop.abort();
      const { exit } = await world.finish("a");

      expect(exit).toMatchObject({ signal: "SIGTERM", endedBy: "abort", leftRunning: [] });
      expect(left()).toEqual([]);
    });
  },
);

describe.skipIf(process.platform !== "linux")("a helper that is lost", () => {
  beforeAll(() => {
    world.helper = "always";
  });

  test("takes with it what its programs are just starting", async () => {
    await startForking(forking());

    sendSignal(world.launcher.report.helperPid ?? 0, "SIGKILL");
    const { exit } = await world.finish("forking");

    expect(exit).toMatchObject({ code: null, signal: "SIGKILL" });
    await expect.poll(left).toEqual([]);
  });
});
