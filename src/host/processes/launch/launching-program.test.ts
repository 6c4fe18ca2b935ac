import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { LocalLauncherOptions } from "./local-launcher.ts";
import { processEntry } from "../process-scan.ts";
import { moduleFlags } from "../../../../test/support/from-source.ts";

// Effects of a start on the starting process: each test starts one.

const patience = { terminate: 300, kill: 2000, drain: 250 };

const isAlive = (pid: number): boolean => processEntry(pid) !== undefined;

/** Waits for the effect of another process. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

/** Script of a process with `run`, `proc` and `launcher`. */
const script = (end: string, options: LocalLauncherOptions): string => `
  const { LocalLauncher } = await import(${JSON.stringify(path.join(import.meta.dirname, "local-launcher.ts"))});
  const { LocalProc } = await import(${JSON.stringify(path.join(import.meta.dirname, "../local-proc.ts"))});
  const launcher = new LocalLauncher(${JSON.stringify(options)});
  const patience = ${JSON.stringify(patience)};
  const proc = new LocalProc({ environment: process.env, patience, launcher });
  const run = async (id, text) => {
    const { pid } = await proc.start({ id, argv: ["/bin/sh", "-c", text], cwd: "/" });
    for await (const { bytes } of proc.output(id, 0)) {
      if (bytes !== undefined) return [pid, Buffer.from(bytes).toString().trim()].join();
    }
  };
  ${end}
`;
const wordsOf = (end: string, options: LocalLauncherOptions = { helper: "always" }) => [
  ...moduleFlags,
  script(end, options),
];
const startOurs = (end: string, options?: LocalLauncherOptions) =>
  spawn(process.execPath, wordsOf(end, options), { stdio: ["ignore", "pipe", "inherit"] });

describe("a program of ours", () => {
  test("that is killed leaves neither programs nor the helper", async () => {
    const child = startOurs(`
      const pids = await run("a", "setsid sleep 30 >/dev/null 2>&1 & echo $!; exec sleep 30");
      console.log([pids, launcher.report.helperPid].join());
      setInterval(() => {}, 1000);
    `);
    const [bytes] = await once(child.stdout, "data");
    const pids = String(bytes).trim().split(",").map(Number);
    expect(pids).toHaveLength(3);
    expect(pids.every(isAlive)).toBe(true);
    child.kill("SIGKILL");

    await until(() => !pids.some(isAlive));
  });

  test("is not kept alive by what watches for its end", async () => {
    const child = startOurs(`console.log(await run("a", "echo hi"));`, { helper: "never" });
    const [code] = await once(child, "close");

    expect(code).toBe(0);
  });

  test("is kept alive by a program that runs, not by the helper", async () => {
    const child = startOurs(`
      await proc.start({ id: "a", argv: ["/bin/sh", "-c", "exec >/dev/null 2>&1; sleep 0.3; exit 3"], cwd: "/" });
      console.log(launcher.report.helperPid);
      void (async () => {
        for await (const { exit } of proc.output("a", 0)) if (exit) console.log(exit.code);
      })();
    `);
    let text = "";
    child.stdout.on("data", (bytes) => {
      text += String(bytes);
    });
    const [code] = await once(child, "close");
    const [helper, exit] = text.trim().split("\n").map(Number);

    expect({ code, exit }).toEqual({ code: 0, exit: 3 });
    await until(() => !isAlive(helper ?? 0));
  });
});

test("what it was given open is given to no program of its helper, also once it has closed it", () => {
  const folder = openSync(import.meta.dirname, "r");
  const program = `
    const { closeSync, readlinkSync } = await import("node:fs");
    const own = readlinkSync("/proc/self/fd/40");
    await run("a", "echo started");
    closeSync(40);
    const told = await run("b", "readlink /proc/self/fd/40 || echo nothing");
    console.log(own, launcher.report.by, told);
    await proc.dispose();
    await launcher.dispose();`;
  try {
    const told = execFileSync(process.execPath, wordsOf(program), {
      encoding: "utf8",
      // Node itself closes the lowest of the descriptors.
      stdio: ["ignore", "pipe", "inherit", ...Array<"ignore">(37).fill("ignore"), folder],
    });

    expect(told.replace(/\d+,/u, "")).toBe(`${import.meta.dirname} helper nothing\n`);
  } finally {
    closeSync(folder);
  }
});

test("a helper that does not answer keeps no program of ours alive", async () => {
  const stuck = ["/bin/sh", "-c", "exec cat >/dev/null"];
  const child = startOurs('console.log(await run("a", "echo $PPID"));', {
    bigBytes: 0,
    helperCommand: stuck,
  });
  const [bytes] = await once(child.stdout, "data");

  expect(String(bytes)).toMatch(new RegExp(`,${child.pid}\n$`, "u"));
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("closing it while its helper is starting comes to an end where nothing else keeps the program alive", async () => {
  const files = ["../helper/helper-launcher.ts", "../pipes/pipe-pool.ts"].map((name) =>
    JSON.stringify(path.join(import.meta.dirname, name)),
  );
  const program = `
    const [{ HelperLauncher }, { PipePool }] = await Promise.all([${files.map((file) => `import(${file})`).join(", ")}]);
    const launcher = new HelperLauncher(new PipePool(async () => false));
    void launcher.open();
    await launcher.dispose();
  `;

  const child = spawn(process.execPath, [...moduleFlags, program], {
    stdio: "inherit",
  });

  expect(await once(child, "exit")).toEqual([0, null]);
});
