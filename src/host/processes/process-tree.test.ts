import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { byStart, processEntry, scanProcesses, startTicksOf } from "./process-scan.ts";
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

test.skipIf(process.platform !== "linux")(
  "a signal reaches a child that a confined program forked after the scan",
  async () => {
    const program = "trap : TERM; echo ready; read -r _; sleep 30 & echo $!; wait";
    const confining = `setsid sh -c '${program}'; exit`;
    const leader = spawn("sh", ["-c", confining], {
      detached: true,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const tree = new ProcessTree(
      { pid: leader.pid ?? -1, startTicks: undefined, depth: 1 },
      "none",
    );
    await once(leader.stdout, "data");
    const scan = scanProcesses().toSorted(byStart);
    leader.stdin.write("\n");
    const [printed] = await once(leader.stdout, "data");
    const child = Number(String(printed));
    // Until it executes its program, a forked shell still has its parent's trap, and the signal would be lost there.
    await expect.poll(() => readFileSync(`/proc/${child}/comm`, "utf8")).toBe("sleep\n");

    tree.signal("SIGTERM", scan);

    await expect.poll(() => processEntry(child), { timeout: 5000 }).toBeUndefined();
  },
);
