/**
 * Cost of confining a program, as a multiple of a plain spawn of `true` started in the same round:
 *
 *   node bench/sandbox.ts [--rounds 41]
 *
 * Rounds are interleaved, so that whatever else the machine does falls on all alike; a ratio is the median of its
 * rounds. Drivers that do not work here are left out and said to be. Goals: landlock through its helper at most 1.5,
 * bwrap at most 3.5, a start on a prepared overlay at most 2.5, with bwrap on it at most 4.5; what an overlay costs
 * before and after is printed next to it. The published library of sandbox-runtime, installed into .cache on first use, is
 * printed next to them, or the reason why it could not run.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import type { Confined, ConfinedHelper } from "../src/core/index.ts";
import { LocalLauncher, type Launcher } from "../src/host/index.ts";
import {
  drivers,
  prepareOverlay,
  probeDriver,
  probeOverlay,
  sandboxPolicy,
  spawnConfined,
  type Overlay,
  type Sandbox,
} from "../src/sandbox/index.ts";
import { openRuntimeLibrary, runtimeLibrary } from "./sandbox/runtime-library.ts";

interface Subject {
  readonly name: string;
  readonly goal?: number;
  /** Not timed. */
  before?(): Promise<unknown>;
  run(): Promise<unknown>;
  /** Not timed. */
  after?(): Promise<unknown>;
  end?(): Promise<unknown>;
}

const program = "/bin/true";
const smallScript = ["/bin/sh", "-c", "echo > made; rm -f gone"];
const roundsAt = process.argv.indexOf("--rounds");
const rounds = roundsAt === -1 ? 41 : Number(process.argv[roundsAt + 1]);
const base = await mkdtemp(path.join(await realpath(tmpdir()), "haft-bench-"));
const staging = path.join(base, "staging");
let overlay: Overlay | undefined;
for (const name of [
  "staging",
  "home/.ssh",
  "temporary",
  "workspace/.git/hooks",
  "workspace/.claude",
]) {
  await mkdir(path.join(base, name), { recursive: true });
}
const policy = await sandboxPolicy({
  workspace: path.join(base, "workspace"),
  home: path.join(base, "home"),
  temporary: path.join(base, "temporary"),
  variables: { PATH: process.env["PATH"] },
});
const limitedPolicy = { ...policy, limits: { processes: 1000, fileBytes: 1_000_000_000 } };

const subjects: Subject[] = [
  { name: "plain spawn", run: () => ended(spawn(program, [], { stdio: "pipe", env: {} })) },
];
// The library has a row of its own.
for (const driver of drivers.filter(({ name }) => !["none", "srt"].includes(name))) {
  const { works, missing, probes } = await probeDriver(driver);
  if (works) subjects.push(...(await subjectsOf(driver)));
  else say(`${driver.name} is left out: ${missing?.reason ?? JSON.stringify(probes)}`);
}

const library = await openRuntimeLibrary(policy);
if ("reason" in library) say(`${runtimeLibrary.name} is left out: ${library.reason}`);
else {
  subjects.push({
    name: `${runtimeLibrary.name} ${runtimeLibrary.version}`,
    run: async () => {
      const child = await library.start(program);
      await ended(child);
      library.cleanUp();
      if (child.exitCode !== 0) throw new Error(`It ended with ${child.exitCode}.`);
    },
    end: () => library.end(),
  });
}

const noOverlay = await probeOverlay({ directory: base });
if (noOverlay === undefined) {
  const bwrap = drivers.find(({ name }) => name === "bwrap");
  const sandbox = await bwrap?.prepare(policy);
  subjects.push(...overlaySubjects());
  if (sandbox !== undefined) subjects.push(...overlaySubjects(sandbox));
} else say(`overlay is left out: ${noOverlay.reason}`);

const times = subjects.map((): number[] => []);
for (let round = -3; round < rounds; round += 1) {
  for (const [index, subject] of subjects.entries()) {
    await subject.before?.();
    const begin = performance.now();
    await subject.run();
    if (round >= 0) times[index]?.push(performance.now() - begin);
    await subject.after?.();
  }
}
for (const subject of subjects) await subject.end?.();
await rm(base, { recursive: true });

const [floor = []] = times;
say(`${rounds} rounds, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
for (const [index, { name, goal }] of subjects.entries()) {
  const own = times[index] ?? [];
  const ratio = median(own.map((time, round) => time / (floor[round] ?? Number.NaN)));
  const wanted = goal === undefined ? "" : `  (goal ${goal}${ratio <= goal ? "" : ", missed"})`;
  say(
    `${name.padEnd(38)} ${median(own).toFixed(1).padStart(7)} ms ${ratio.toFixed(2).padStart(6)}x${wanted}`,
  );
}

async function subjectsOf(driver: (typeof drivers)[number]): Promise<readonly Subject[]> {
  const sandbox = await driver.prepare(policy);
  const wrapped: Subject = {
    name: sandbox.helper === undefined ? driver.name : `${driver.name}, one process each`,
    ...(driver.name === "bwrap" ? { goal: 3.5 } : {}),
    run: () => start(sandbox.wrap([program])),
    end: () => sandbox.dispose(),
  };
  if (driver.name === "bwrap") {
    const limited = await driver.prepare(limitedPolicy);
    return [
      wrapped,
      {
        name: "bwrap with limits",
        run: () => start(limited.wrap([program])),
        end: () => limited.dispose(),
      },
    ];
  }
  const { helper } = sandbox;
  if (helper === undefined) return [wrapped];
  const launcher = new LocalLauncher();
  return [
    {
      name: `${driver.name}, resident helper`,
      goal: 1.5,
      run: () => startHelped(launcher, helper),
      end: () => launcher.dispose(),
    },
    wrapped,
  ];
}

/** A start alone, from a prepared overlay; the steps around it; and all of it, with a file written and one removed. */
function overlaySubjects(sandbox?: Sandbox): readonly Subject[] {
  const name = sandbox === undefined ? "overlay" : "bwrap with overlay";
  const inside = sandbox === undefined ? {} : { sandbox };
  const prepare = async () => {
    overlay = await prepareOverlay({ roots: [policy.workspace], staging, ...inside });
  };
  return [
    {
      name,
      goal: sandbox === undefined ? 2.5 : 4.5,
      before: prepare,
      run: () => startStaged([program]),
      after: dropped,
    },
    { name: `${name}: prepare`, run: prepare, after: dropped },
    {
      name: `${name}: changes, drop`,
      before: async () => {
        await prepare();
        await startStaged(smallScript);
      },
      run: dropped,
    },
    {
      name: `${name}: all, for a script`,
      run: async () => {
        await prepare();
        await startStaged(smallScript);
        await dropped();
      },
    },
    {
      name: sandbox === undefined ? "plain: the script" : "bwrap: the script",
      run: () =>
        sandbox === undefined
          ? ended(spawn("/bin/sh", smallScript.slice(1), { cwd: staging, stdio: "pipe", env: {} }))
          : start(sandbox.wrap(smallScript)),
      ...(sandbox === undefined ? {} : { end: () => sandbox.dispose() }),
    },
  ];
}

/** As a host starts what a toolkit confines. */
async function startHelped(launcher: Launcher, helper: ConfinedHelper): Promise<void> {
  const { argv, cwd, env } = helper.plain([program], { cwd: policy.workspace, env: {} });
  // Where the helper cannot be used this is started, and its ratio tells.
  const wrapped = ["/bin/sh", "-c", "sleep 1"];
  const helped = { helper, argv, cwd, env };
  const child = await launcher.start({ argv: wrapped, cwd, env, hasInput: false, helped });
  const closed = [child.stdout, child.stderr].map(
    async (stream) => await new Promise((resolve) => stream.resume().on("close", resolve)),
  );
  await Promise.all([...closed, new Promise((resolve) => child.onExit(resolve))]);
}

async function startStaged(argv: readonly string[]): Promise<void> {
  const confined = await overlay?.confinement.wrap(argv, { cwd: policy.workspace, env: {} });
  if (confined !== undefined) await start(confined);
}

async function dropped(): Promise<void> {
  await overlay?.changes();
  await overlay?.drop();
}

async function start(confined: Confined): Promise<void> {
  await ended(await spawnConfined(confined));
}

async function ended(child: ReturnType<typeof spawn>): Promise<void> {
  child.stdout?.resume();
  child.stderr?.resume();
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
