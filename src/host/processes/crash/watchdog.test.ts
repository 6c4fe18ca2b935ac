import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { CrashWatch } from "./watchdog.ts";
import { scanProcesses } from "../process-scan.ts";
import { moduleFlags } from "../../../../test/support/from-source.ts";

const children = (): readonly number[] =>
  scanProcesses().flatMap(({ pid, parent }) => (parent === process.pid ? [pid] : []));

test.skipIf(process.platform !== "linux")("once closed, nothing watches any more", async () => {
  const before = children();
  const watch = new CrashWatch();
  watch.open();
  watch.open();
  expect(children()).toHaveLength(before.length + 1);

  await watch.close();
  watch.open();

  expect(children()).toEqual(before);
});

test.skipIf(process.platform !== "linux")(
  "a program that has no descriptor left runs without the watchdog",
  () => {
    const program = `
      const { CrashWatch } = await import(${JSON.stringify(path.join(import.meta.dirname, "watchdog.ts"))});
      const { openSync } = await import("node:fs");
      const watch = new CrashWatch();
      const held = [];
      try { for (;;) held.push(openSync("/dev/null")); } catch {}
      watch.open();
      await watch.close();
      console.log("closed");`;
    const limited = [
      "-c",
      'ulimit -n 200 && exec "$@"',
      "sh",
      process.execPath,
      ...moduleFlags,
      program,
    ];

    expect(execFileSync("/bin/sh", limited, { encoding: "utf8" })).toBe("closed\n");
  },
);
