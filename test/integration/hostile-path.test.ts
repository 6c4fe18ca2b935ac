import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { haftFile, notBuilt } from "../support/built.ts";
import { areLawsFull } from "../support/law-runs.ts";

/** An ordinary user that no machine has. */
const ordinary = 54_321;
/** npm and `env` start these by PATH before haft runs at all. */
const startersOfHaft = ["sh", "node", "env", "npm", "npx", "haft"];
const isRoot = process.getuid?.() === 0;

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-hostile-path-"));
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Names of every program of this system: whatever haft starts by name is among them. */
function systemNames(): readonly string[] {
  const directories = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"];
  const names = directories.filter((each) => existsSync(each)).flatMap((each) => readdirSync(each));
  return [...new Set([...names, "bwrap", "git", "mkfifo", "rg", "socat", "srt", "unshare"])];
}

interface Hostile {
  readonly workspace: string;
  readonly bin: string;
  /** Each run of a shim: its name and its arguments. */
  ran(): readonly string[];
  haft(words: readonly string[], options?: { readonly isHostile?: boolean }): Ran;
  npm(words: readonly string[]): Ran;
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A workspace whose `node_modules/.bin` has a shim of every program of the system that says it was run and succeeds. */
function hostile(name: string, user: number, spared: readonly string[] = []): Hostile {
  const base = path.join(folder, name);
  const workspace = path.join(base, "workspace");
  const bin = path.join(workspace, "node_modules/.bin");
  const marker = path.join(base, "ran");
  mkdirSync(bin, { recursive: true });
  mkdirSync(path.join(base, "home"));
  mkdirSync(path.join(base, "tmp"));
  const shim = path.join(workspace, "shim");
  writeFileSync(shim, `#!/bin/sh\necho "\${0##*/} $*" >> ${marker}\nexit 0\n`, { mode: 0o755 });
  for (const each of systemNames()) {
    if (!spared.includes(each)) symlinkSync(shim, path.join(bin, each));
  }
  writeFileSync(path.join(workspace, "a.txt"), "needle\n");
  for (const each of [base, workspace, `${base}/home`, `${base}/tmp`]) chownSync(each, user, user);
  const run = (argv: readonly string[], search: string): Ran => {
    const [program = "", ...words] = argv;
    const { status, stdout, stderr } = spawnSync(program, words, {
      cwd: workspace,
      encoding: "utf8",
      env: { PATH: search, HOME: `${base}/home`, TMPDIR: `${base}/tmp`, npm_config_offline: "1" },
      ...(user === process.getuid?.() ? {} : { uid: user, gid: user }),
    });
    return { status, stdout, stderr };
  };
  const clean = `${path.dirname(process.execPath)}:/usr/bin:/bin`;
  return {
    workspace,
    bin,
    ran: () => (existsSync(marker) ? readFileSync(marker, "utf8").trim().split("\n") : []),
    haft: (words, { isHostile = true } = {}) =>
      run(
        [
          process.execPath,
          haftFile,
          ...words,
          ...(isHostile ? [] : ["--data-dir", `${base}/clean`]),
        ],
        isHostile ? `${bin}:${clean}` : clean,
      ),
    npm: (words) => run(["npm", ...words], `${bin}:${clean}`),
  };
}

function bash(command: string): readonly string[] {
  return ["call", "Bash", `command=${command}`, "-m", "bypassPermissions"];
}

function driverIn({ stdout }: Ran): string {
  const report: { confinement: { provider: string } } = JSON.parse(stdout);
  return report.confinement.provider;
}

const users = isRoot ? (areLawsFull ? [0, ordinary] : [ordinary]) : [process.getuid?.() ?? 0];

/** Each test runs the command a dozen times. */
const patienceMs = 300_000;

describe.skipIf(notBuilt !== undefined || process.platform !== "linux").each(users)(
  "user %i",
  (user) => {
    test(
      "no program of the workspace runs for haft itself, and the driver is the same",
      { timeout: patienceMs },
      () => {
        const world = hostile(`plain-${user}`, user);

        const runs = [
          world.haft(["call", "Grep", "pattern=needle"]),
          world.haft(bash("echo made > made.txt; echo done")),
          world.haft(["undo", "--yes", "--json"]),
          world.haft(["sandbox", "--", "/bin/echo", "confined"]),
          world.haft(["call", "Glob", "pattern=*.txt"]),
          world.haft(["explain", "git status && npm test"]),
          world.haft(["call", "Gitignore", "action=check", 'paths:=["a.txt"]', "-y"]),
        ];
        const doctor = world.haft(["doctor", "--json"]);
        const driver = driverIn(world.haft(["doctor", "--json"], { isHostile: false }));

        expect(world.ran()).toEqual([]);
        expect(driverIn(doctor)).toBe(driver);
        expect(runs.map(({ stdout }) => stdout !== "")).toEqual(runs.map(() => true));
        expect(runs[0]?.stdout).toContain("a.txt");
        expect(readdirSync(world.workspace)).not.toContain("made.txt");
      },
    );

    test(
      "nor through npx and npm scripts, which put it first in PATH",
      { timeout: patienceMs },
      ({ skip }) => {
        const world = hostile(`npm-${user}`, user, startersOfHaft);
        skip(world.npm(["--version"]).status !== 0, "npm is not installed");
        symlinkSync(haftFile, path.join(world.bin, "haft"));
        const manifest = {
          name: "hostile",
          scripts: { doctor: "haft doctor --json", grep: "haft call Grep pattern=needle" },
        };
        writeFileSync(path.join(world.workspace, "package.json"), JSON.stringify(manifest));
        chownSync(path.join(world.workspace, "package.json"), user, user);

        const doctors = [
          world.npm(["run", "--silent", "doctor"]),
          world.npm(["exec", "--offline", "--no", "--", "haft", "doctor", "--json"]),
        ];
        const grep = world.npm(["run", "--silent", "grep"]);
        const driver = driverIn(world.haft(["doctor", "--json"], { isHostile: false }));

        expect(world.ran()).toEqual([]);
        expect(doctors.map(driverIn)).toEqual([driver, driver]);
        expect(grep.stdout).toContain("a.txt");
        expect(lstatSync(path.join(world.bin, "mount")).isSymbolicLink()).toBe(true);
      },
    );
  },
);
