import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isStopped, processEntry, scanProcesses } from "./process-scan.ts";
import { watchdogName } from "./process-tag.ts";
import { sendSignal } from "./kill/ordered-kill.ts";
import { moduleFlags, typeScriptFlags } from "../../../test/support/from-source.ts";

// A killed process ends nothing itself: each test starts one, which writes the pids of its programs to files.

const moduleOf = (name: string): string => JSON.stringify(path.join(import.meta.dirname, name));
const isAlive = (pid: number): boolean => processEntry(pid) !== undefined;

let root = "";
/** Start times by pid: a pid may be reused before the test ends. */
const started = new Map<number, number | undefined>();

beforeEach(() => {
  root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-killed-"));
});

afterEach(() => {
  for (const [pid, ticks] of started) {
    if (ticks !== undefined && processEntry(pid)?.startTicks === ticks) sendSignal(pid, "SIGKILL");
  }
  started.clear();
  rmSync(root, { recursive: true, force: true });
});

function remember(pid: number): void {
  started.set(pid, processEntry(pid)?.startTicks);
}

interface Started {
  readonly text: string;
  readonly outlives?: boolean;
  /** Whether it is a program of the host itself, as in a search. */
  readonly isOwn?: boolean;
  /** Number of pids that it writes. */
  readonly count: number;
}

/** Script of a process that starts these programs one after the other. */
const scriptOf = (helper: "always" | "never", programs: readonly Started[]): string => `
    const { LocalLauncher } = await import(${moduleOf("launch/local-launcher.ts")});
    const { LocalProc } = await import(${moduleOf("local-proc.ts")});
    const { holdDirectory } = await import(${moduleOf("../files/open-path.ts")});
    const { existsSync, readFileSync } = await import("node:fs");
    const launcher = new LocalLauncher({ helper: "${helper}" });
    const proc = new LocalProc({ environment: process.env, patience: {}, launcher });
    for (const [index, { text, outlives, isOwn, count }] of ${JSON.stringify(programs)}.entries()) {
      const file = process.env.PIDS ?? ${JSON.stringify(root)} + "/pids" + index;
      const argv = ["/bin/sh", "-c", "PIDS=" + file + "; export PIDS; " + text];
      if (isOwn) await launcher.startOwn(argv, { directory: holdDirectory("/"), path: "/" });
      else await proc.start({ id: file, argv, cwd: "/", ...(outlives && { outlives }) });
      const told = () => existsSync(file) && readFileSync(file, "utf8").split("\\n").length > count;
      while (!told()) await new Promise((done) => setTimeout(done, 5));
    }
    console.log(launcher.report.helperPid ?? 0);
    setInterval(() => 0, 1e6);
  `;

async function startOurs(
  helper: "always" | "never",
  programs: readonly Started[],
): Promise<{
  readonly kill: (options?: {
    readonly withHelper?: boolean;
    /** Time for which the helper outlives the process, in milliseconds. */
    readonly betweenMs?: number;
  }) => Promise<void>;
  readonly pids: readonly (readonly number[])[];
}> {
  const child = spawn(process.execPath, [...moduleFlags, scriptOf(helper, programs)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  remember(child.pid ?? 0);
  const [helperPid] = await once(child.stdout, "data");
  const pids = programs.map((_, index) =>
    readFileSync(path.join(root, `pids${index}`), "utf8")
      .trim()
      .split("\n")
      .map(Number),
  );
  for (const pid of pids.flat()) remember(pid);
  const lasting = pids.flatMap((each, index) => (programs[index]?.outlives === true ? each : []));
  return {
    pids,
    kill: async ({ withHelper = false, betweenMs = 0 } = {}) => {
      const others = childrenOf(child.pid).filter((pid) => !lasting.includes(pid));
      // Kills the process before its helper: otherwise it would replace the helper.
      for (const pid of withHelper ? [child.pid, Number(helperPid)] : [child.pid]) {
        if (pid) sendSignal(pid, "SIGKILL");
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, betweenMs);
      }
      await once(child, "close");
      // The watchdog ends too, once it finds no process to watch.
      await expect.poll(() => others.filter(isAlive)).toEqual([]);
    },
  };
}

function childrenOf(pid: number | undefined): readonly number[] {
  return scanProcesses()
    .filter(({ parent, session, pid: own }) => parent === pid && session === own)
    .map((entry) => entry.pid);
}

const own = 'echo $$ >> "$PIDS"; exec sleep 1000';

/** Each of these programs ends with the process that started it, whatever it does to detach itself. */
const ending: readonly (Started & { readonly because: string })[] = [
  { text: own, count: 1, because: "the program itself" },
  {
    text: `setsid sh -c '${own}' & wait`,
    count: 1,
    because: "a session of its own is known by its mark",
  },
  {
    text: `env -i PIDS="$PIDS" sh -c '${own}' & wait`,
    count: 1,
    because: "who has no mark is in the group of one that has",
  },
  {
    text: `setsid env -i PIDS="$PIDS" sh -c '${own}' & wait`,
    count: 1,
    because: "who has no mark, and a group of its own, has a parent",
  },
  {
    text: `setsid sh -c '${own}' > /dev/null 2>&1 & exit 0`,
    count: 1,
    because: "the program that has left it running has ended",
  },
  { text: own, count: 1, isOwn: true, because: "a search" },
];

test.skipIf(process.platform !== "linux").each(["always", "never"] as const)(
  "a program that is killed leaves nothing that runs, with a helper: %s",
  async (helper) => {
    const ours = await startOurs(helper, ending);
    expect(ours.pids.flat().filter(isAlive)).toHaveLength(ending.length);

    await ours.kill();

    const left = ending.filter((_, index) => ours.pids[index]?.some(isAlive));
    expect(left.map(({ because }) => because)).toEqual([]);
  },
  60_000,
);

// Between the two signals the helper notices the end of the process and begins to kill.
test.skipIf(process.platform !== "linux").each([0, 2, 4, 8, 16, 32])(
  "nor where the helper is killed together with it, %s ms later",
  async (betweenMs) => {
    const ours = await startOurs("always", ending);

    await ours.kill({ withHelper: true, betweenMs });

    await expect.poll(() => ours.pids.flat().filter(isAlive)).toEqual([]);
  },
  60_000,
);

test.skipIf(process.platform !== "linux").each(["always", "never"] as const)(
  "nor what its programs were just starting, with a helper: %s",
  async (helper) => {
    const forking = `setsid env -i PIDS="$PIDS" sh -c '${own}' & sleep 0.02`;
    const text = `for _ in $(seq 400); do ${forking}; done; wait`;
    const ours = await startOurs(helper, [{ text, count: 1 }]);

    await ours.kill();

    const all = readFileSync(path.join(root, "pids0"), "utf8").trim().split("\n").map(Number);
    for (const pid of all) remember(pid);
    await expect.poll(() => all.filter(isAlive)).toEqual([]);
  },
  60_000,
);

test.skipIf(process.platform !== "linux")(
  "nor what another one has left running that ran inside of it",
  async () => {
    const left = { text: `setsid sh -c '${own}' > /dev/null 2>&1 & exit 0`, count: 1 };
    const inner = path.join(root, "inner.mjs");
    writeFileSync(inner, scriptOf("never", [left]));
    const flags = typeScriptFlags.join(" ");
    const ours = await startOurs("never", [
      { text: `exec '${process.execPath}' ${flags} '${inner}'`, count: 1 },
    ]);

    await ours.kill();

    await expect.poll(() => ours.pids.flat().filter(isAlive)).toEqual([]);
  },
  60_000,
);

test.skipIf(process.platform !== "linux").each(["always", "never"] as const)(
  "what was asked to go on does, with all it started, with a helper: %s",
  async (helper) => {
    const text = `setsid sh -c '${own}' & echo $$ >> "$PIDS"; wait`;
    const ours = await startOurs(helper, [
      { text, count: 2, outlives: true },
      { text, count: 2 },
    ]);

    await ours.kill();

    expect(ours.pids.map((pids) => pids.filter(isAlive).length)).toEqual([2, 0]);
  },
  60_000,
);

test.skipIf(process.platform !== "linux")(
  "the watchdog of another haft keeps what it has started, which may be its sleep",
  async () => {
    const script = "sleep 1000 & echo $!; wait";
    const other = spawn("/bin/sh", ["-c", script, watchdogName], {
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    remember(other.pid ?? 0);
    const [printed] = await once(other.stdout, "data");
    const sleeping = Number(printed);
    remember(sleeping);
    const ours = await startOurs("never", [{ text: own, count: 1 }]);

    await ours.kill();

    expect(isAlive(sleeping)).toBe(true);
    expect(isStopped(sleeping)).toBe(false);
  },
  60_000,
);
