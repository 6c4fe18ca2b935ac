import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { processEntry, startTicksOf } from "./process-scan.ts";
import { ProcessTree } from "./process-tree.ts";

test("a signal goes to the program that was started, not to another that has its pid now", async () => {
  const child = spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
  const pid = child.pid ?? -1;
  const startTicks = startTicksOf(pid) ?? -1;
  const another = new ProcessTree({ pid, startTicks: startTicks + 1 }, "none");
  another.signalLeader("SIGKILL");
  another.signal("SIGTERM");
  another.kill();
  expect(processEntry(pid)).toBeDefined();

  new ProcessTree({ pid, startTicks }, "none").signalLeader("SIGTERM");
  expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
});

test("where its start is not known, the pid has to do", async () => {
  const child = spawn("sleep", ["30"], { detached: true, stdio: "ignore" });
  new ProcessTree({ pid: child.pid ?? -1, startTicks: undefined }, "none").signal("SIGTERM");

  expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
});
