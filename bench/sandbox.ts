/**
 * What confining costs, as a multiple of a plain spawn of `true` started in the same round:
 *
 *   node bench/sandbox.ts [--rounds 41]
 *
 * Rounds are interleaved, so that whatever else the machine does falls on all alike; a ratio is the median of its
 * rounds. Drivers that do not work here are left out and said to be. Goals: landlock through its helper at most 1.5,
 * bwrap at most 3.5. The library of sandbox-runtime stands beside them where it is installed.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import type { Confined } from "../src/core/index.ts";
import {
  confinedLauncher,
  drivers,
  probeDriver,
  sandboxPolicy,
  spawnConfined,
} from "../src/sandbox/index.ts";

interface Subject {
  readonly name: string;
  readonly goal?: number;
  run(): Promise<unknown>;
  end?(): Promise<unknown>;
}

const program = "/bin/true";
const roundsAt = process.argv.indexOf("--rounds");
const rounds = roundsAt === -1 ? 41 : Number(process.argv[roundsAt + 1]);
const base = await mkdtemp(path.join(await realpath(tmpdir()), "haft-bench-"));
for (const name of ["home/.ssh", "temporary", "workspace/.git/hooks", "workspace/.claude"]) {
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
for (const driver of drivers.filter(({ name }) => name !== "none")) {
  const { works, missing, probes } = await probeDriver(driver);
  if (works) subjects.push(...(await subjectsOf(driver)));
  else say(`${driver.name} is left out: ${missing?.reason ?? JSON.stringify(probes)}`);
}

const times = subjects.map((): number[] => []);
for (let round = -3; round < rounds; round += 1) {
  for (const [index, subject] of subjects.entries()) {
    const begin = performance.now();
    await subject.run();
    if (round >= 0) times[index]?.push(performance.now() - begin);
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
    `${name.padEnd(28)} ${median(own).toFixed(1).padStart(7)} ms ${ratio.toFixed(2).padStart(6)}x${wanted}`,
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
  const launcher = await confinedLauncher(sandbox);
  return [
    {
      name: `${driver.name}, resident helper`,
      goal: 1.5,
      run: () => launcher.run(helper.plain([program])),
      end: () => launcher.dispose(),
    },
    wrapped,
  ];
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
