import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { hasVariable, processEntry, scanProcesses } from "./process-scan.ts";

test("a process is known by its environment also while it becomes another program", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "haft-scan-"));
  const program = path.join(folder, "program");
  // Executes itself repeatedly, so about one in a hundred scans meets it in between.
  writeFileSync(program, '[ "$1" -gt 200 ] && exit; exec /bin/sh "$0" $(($1 + 1))\n');
  const child = spawn("/bin/sh", [program, "0"], { env: { MARK: "of-this-test" } });
  const exited = once(child, "exit");
  const unknown: unknown[] = [];
  let looks = 0;
  for (let isOver = false; !isOver;) {
    for (let look = 0; look < 100; look += 1) {
      const entry = processEntry(child.pid ?? 0);
      if (entry === undefined || hasVariable(entry, "MARK=of-this-test")) looks += 1;
      // It may have ended, or be about to, between the two reads.
      else if (processEntry(entry.pid)?.hasMemory === true) unknown.push(entry);
    }
    isOver = await Promise.race([
      exited.then(() => true),
      new Promise<false>((done) => setImmediate(done, false)),
    ]);
  }
  rmSync(folder, { recursive: true });

  expect(unknown).toEqual([]);
  expect(looks).toBeGreaterThan(100);
});

test("what has no environment is not waited for", async () => {
  const child = spawn("/bin/sleep", ["300"], { env: {} });
  const exited = once(child, "exit");
  const entry = processEntry(child.pid ?? 0);

  expect(entry !== undefined && hasVariable(entry, "MARK=")).toBe(false);
  child.kill("SIGKILL");
  await exited;
  // Kernel threads run no program.
  const kernel = scanProcesses().filter(({ hasMemory }) => !hasMemory);
  expect(kernel.filter((one) => hasVariable(one, ""))).toEqual([]);
});
