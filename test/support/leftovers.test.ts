import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchLeftovers } from "./leftovers.ts";

let own = "";
beforeEach(() => {
  own = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-left-")));
});
afterEach(() => rmSync(own, { recursive: true, force: true }));

test("nothing is left where nothing was done", async () => {
  expect(await watchLeftovers(own)(0)).toEqual([]);
});

test("a file that was there is none, and a new one is", async () => {
  writeFileSync(path.join(own, "old"), "");
  const left = watchLeftovers(own);
  writeFileSync(path.join(own, "new"), "");

  expect(await left(0)).toEqual(["file new"]);
});

test.skipIf(process.platform !== "linux").for([
  { name: "a child", options: () => ({}) },
  { name: "one that works there", options: () => ({ cwd: own }), isOrphan: true },
  {
    name: "one that has it in its environment",
    options: () => ({ env: { TMPDIR: own } }),
    isOrphan: true,
  },
])("a process is left: $name", async ({ options, isOrphan = false }) => {
  const left = watchLeftovers(own);
  const words = isOrphan
    ? ["-c", "sleep 60 > /dev/null & echo $!"]
    : ["-c", "echo $$; exec sleep 60"];
  const child = spawn("/bin/sh", words, { ...options(), stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [said] = await once(child.stdout, "data");
  const pid = Number(String(said));
  if (isOrphan) await exited;

  // While it becomes another program its environment cannot be seen.
  await expect
    .poll(async () => await left(0))
    .toEqual([expect.stringContaining(`process ${pid} `)]);
  process.kill(pid, "SIGKILL");
  expect(await left()).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)("a mount is left", async ({ skip }) => {
  const left = watchLeftovers(own);
  if (spawnSync("mount", ["-t", "tmpfs", "haft", own]).status !== 0) skip("nothing can be mounted");
  const found = await left(0);
  spawnSync("umount", [own]);

  expect(found).toEqual([expect.stringMatching(/^mount .* haft /u)]);
  expect(await left(0)).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)("a mount of another test is not", async ({ skip }) => {
  const other = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-left-")));
  const left = watchLeftovers(own);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "haft", other]);
  const found = await left(0);
  if (status === 0) spawnSync("umount", [other]);
  rmSync(other, { recursive: true });
  if (status !== 0) skip("nothing can be mounted");

  expect(found).toEqual([]);
});
