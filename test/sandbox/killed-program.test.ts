import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drivers, probeDriver, probeOverlay } from "../../src/sandbox/index.ts";

// A program that is killed outright ends nothing itself. What its commands run on an overlay is of no use to anybody then.

const source = new URL("../../src/index.ts", import.meta.url).href;
const hasOverlay = (await probeOverlay({ directory: realpathSync(tmpdir()) })) === undefined;
const working = await Promise.all(
  drivers.map(async (driver) => ((await probeDriver(driver)).works ? driver.name : undefined)),
);

let base = "";
let mark = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-killed-program-")));
  for (const name of ["work", "temporary"]) mkdirSync(path.join(base, name));
  // In no argument of the program that is killed, but in those of its command.
  mark = `m${process.pid}${Math.trunc(performance.now())}`;
});
afterEach(() => {
  for (const pid of processesWith(mark)) endQuietly(pid);
  rmSync(base, { recursive: true, force: true });
});

/** Processes of this machine whose arguments hold a text, but for those that have ended. */
function processesWith(text: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const isOne =
        /^\d+$/u.test(name) && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(text);
      const isOver = /\) [ZX] /u.test(readFileSync(`/proc/${name}/stat`, "latin1"));
      return isOne && !isOver ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function endQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

test.skipIf(!hasOverlay).each([
  { driver: "bwrap", sandbox: { driver: "bwrap" } },
  { driver: "landlock", sandbox: { driver: "landlock" } },
  { driver: "none", sandbox: { require: "off" } },
])(
  "what a command runs on an overlay, held by $driver, ends with the program that is killed",
  async ({ driver, sandbox }) => {
    if (driver !== "none" && !working.some((name) => name === driver)) return;
    const command = `node -e 'setInterval(() => 0, 1e6)' ${mark}; echo over`;
    const program = `
      const { createToolkit } = await import(${JSON.stringify(source)});
      const kit = await createToolkit({ workspace: ${JSON.stringify(path.join(base, "work"))},
        dataDirectory: ${JSON.stringify(path.join(base, "data"))}, mode: "bypassPermissions", sandbox: ${JSON.stringify(sandbox)} });
      process.stdin.on("data", (command) =>
        void kit.call({ name: "Bash", input: { command: String(command) } }));
      process.stdout.write("ready");`;
    const child = spawn(
      process.execPath,
      ["--no-warnings", "--experimental-strip-types", "--input-type=module", "-e", program],
      {
        // What it leaves behind is nobody else's to see.
        env: { ...process.env, TMPDIR: path.join(base, "temporary") },
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    await once(child.stdout, "data");
    child.stdin.write(command);
    await expect.poll(() => processesWith(mark).length).toBeGreaterThan(1);

    child.kill("SIGKILL");
    await once(child, "close");

    await expect.poll(() => processesWith(mark)).toEqual([]);
  },
);
