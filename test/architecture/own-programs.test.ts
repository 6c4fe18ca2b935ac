import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { expect, test } from "vitest";

/** Files that start processes, and where the program comes from. Any other file asks the host. */
const starters: Readonly<Record<string, string>> = {
  "src/host/processes/crash/watchdog.ts": "the system's shell",
  "src/host/processes/launch/direct-launcher.ts": "programs of calls",
  "src/host/files/write/flush-files.ts": "the system's sync",
  "src/host/processes/helper/helper-process.ts": "the Node that runs haft",
  "src/host/processes/launch/local-launcher.ts": "what the pipe pool names: the system's mkfifo",
  "src/host/processes/helper/spawn-helper.ts":
    "programs of calls, and those that the launcher names",
  "src/host/processes/launch/spawn.ts": "the ripgrep that haft was installed with",
  "src/sandbox/drivers/bwrap.ts": "the system's bwrap",
  "src/sandbox/probe/canary-program.ts": "programs of the system that the trial names",
  "src/sandbox/overlay/mount/mount-process.ts": "the system's unshare",
  "src/sandbox/relay.ts": "programs of calls, inside of a sandbox",
  "src/sandbox/run-confined.ts": "what a driver wrapped",
};

const files = globSync("src/**/*.ts", { ignore: ["**/*.test.ts"] });

/** A program given as a name without a slash, as the first argument or the first of a list. */
const bareName =
  /\b(?:exec|execFile|execFileSync|execSync|fork|runs?|spawn|spawnSync|startOwn|wrap)\(\s*\[?\s*["'`]([\w.+-]+)["'`]\s*[,\])]/gu;

test("no other file starts processes", () => {
  const found = files.filter((file) => readFileSync(file, "utf8").includes("node:child_process"));

  expect(found.toSorted()).toEqual(Object.keys(starters).toSorted());
});

test("no program that haft runs for itself is named without its directory", () => {
  const own = files.filter((file) =>
    /^src\/(?:artifacts|background|changes|cli|host|kit|programs|sandbox)\//u.test(file),
  );
  const named = own.flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(bareName), ([, name]) => `${file}: ${name}`),
  );

  expect(named).toEqual([]);
});

test("what starts them passes on none of the environment that a project may set", () => {
  const passing = Object.keys(starters).filter((file) =>
    /\.\.\.process\.env\b|\benv: process\.env\b|process\.env\["PATH"\]/u.test(
      readFileSync(file, "utf8"),
    ),
  );

  expect(passing).toEqual([]);
});
