import { execFileSync, spawnSync } from "node:child_process";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createToolkit, type Call, type Kit, type ToolkitOptions } from "../../src/index.ts";
import { complaint } from "./complaint.ts";
import { moduleFlags } from "../support/from-source.ts";

let folder = "";
let kit: Kit | undefined;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-bad-")));
  await mkdir(path.join(folder, "work"));
  await writeFile(path.join(folder, "work", "a.txt"), "one\n");
});
afterEach(async () => {
  await kit?.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function open(options: ToolkitOptions = {}): Promise<Kit> {
  kit = await createToolkit({
    workspace: path.join(folder, "work"),
    dataDirectory: path.join(folder, "data"),
    mode: "bypassPermissions",
    ...options,
  });
  return kit;
}

test("a FIFO is reported and never waited for", async () => {
  execFileSync("mkfifo", [path.join(folder, "work", "pipe")]);
  const opened = await open();

  expect(
    complaint(await opened.call({ name: "Read", input: { file_path: "pipe" } }), "NOT_A_FILE"),
  ).toBeUndefined();
  expect(
    complaint(
      await opened.call({ name: "Write", input: { file_path: "pipe", content: "x" } }),
      "NOT_A_FILE",
    ),
  ).toBeUndefined();
  const found = await opened.call({ name: "Grep", input: { pattern: "one" } });
  expect(found.status).toBe("ok");
  expect(found.text).toContain("a.txt");
  const listed = await opened.call({ name: "ListDir", input: {} });
  expect(listed.text).toContain("pipe");
});

test.skipIf(process.platform === "win32")("a device is reported and never read", async () => {
  const opened = await open({ additionalDirectories: ["/dev"] });
  await symlink("/dev/zero", path.join(folder, "work", "zeros"));

  for (const file_path of ["/dev/zero", "/dev/null", "/dev/stdin", "zeros"]) {
    const outcome = await opened.call({ name: "Read", input: { file_path } });
    expect(complaint(outcome, ["NOT_A_FILE", "NOT_FOUND", "BINARY_FILE"])).toBeUndefined();
  }
});

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
test("a lack of permission is reported", async () => {
  await writeFile(path.join(folder, "work", "mine.txt"), "x", { mode: 0o000 });
  const opened = await open();
  // Root has every permission, and gives it up for this one call.
  if (isRoot) {
    await chmod(folder, 0o755);
    await opened.call({ name: "Read", input: { file_path: "a.txt" } });
    process.seteuid?.(nobody);
  }
  try {
    const outcome = await opened.call({ name: "Read", input: { file_path: "mine.txt" } });
    expect(complaint(outcome, "ACCESS_DENIED")).toBeUndefined();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
});

const disk = isRoot && process.platform === "linux" && canMount();
test.skipIf(!disk)(
  "a full disk is reported, and the old file is intact (skipped where no tmpfs can be mounted)",
  async () => {
    const full = path.join(folder, "work", "full");
    await mkdir(full);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", full]);
    try {
      await writeFile(path.join(full, "a.txt"), "old\n");
      const opened = await open();

      await opened.call({ name: "Read", input: { file_path: "full/a.txt" } });
      const outcome = await opened.call({
        name: "Write",
        input: { file_path: "full/a.txt", content: "x".repeat(200_000) },
      });

      expect(complaint(outcome, "NO_SPACE")).toBeUndefined();
      expect(await readFile(path.join(full, "a.txt"), "utf8")).toBe("old\n");
      expect(await readdir(full)).toEqual(["a.txt"]);
    } finally {
      execFileSync("umount", [full]);
    }
  },
);

test("a command past its time is ended with all it started, where nothing may go on", async () => {
  const opened = await open({ background: "none" });
  const mark = `haft-mark-${process.pid}-${Date.now()}`;

  const outcome = await opened.call({
    name: "Bash",
    input: { command: `(exec -a ${mark} sleep 600) & exec -a ${mark} sleep 600`, timeout: 300 },
  });

  expect(complaint(outcome, "TIMEOUT")).toBeUndefined();
  expect(await running(mark)).toEqual([]);
});

test("no process outlives the kit, whatever it did to get away", async () => {
  const opened = await open();
  const mark = `haft-mark-${process.pid}-${Date.now()}`;
  const commands = [
    `(exec -a ${mark} sleep 600) & disown; echo started`,
    `setsid bash -c 'exec -a ${mark} sleep 600' >/dev/null 2>&1 & echo started`,
    `nohup bash -c 'trap "" TERM; exec -a ${mark} sleep 600' >/dev/null 2>&1 & echo started`,
  ];
  for (const command of commands) {
    const outcome = await opened.call({ name: "Bash", input: { command } });
    expect(outcome.text).toContain("started");
  }

  await opened.dispose();

  expect(await running(mark)).toEqual([]);
});

test("disposing while a command runs ends it and settles its call", async () => {
  const opened = await open();
  const mark = `haft-mark-${process.pid}-${Date.now()}`;
  const started = Promise.withResolvers<void>();
  const call = opened.call(
    { name: "Bash", input: { command: `echo up; exec -a ${mark} sleep 600` } },
    { onOutput: () => started.resolve() },
  );
  await started.promise;

  await opened.dispose();

  expect(complaint(await call, "ABORTED")).toBeUndefined();
  expect(await running(mark)).toEqual([]);
});

test("a program that waits for a tool that hangs lives until the answer", () => {
  const { stdout, status } = spawnSync(
    process.execPath,
    [
      ...moduleFlags,
      `import { createToolkit, defineTool } from "./src/index.ts";
         const hang = defineTool({ name: "Hang", description: "Hangs.", touches: [], input: { type: "object" }, timeoutMs: 100, run: () => new Promise(() => {}) });
         const kit = await createToolkit({ tools: { extra: [hang] }, workspace: ${JSON.stringify(path.join(folder, "work"))}, dataDirectory: ${JSON.stringify(path.join(folder, "data"))} });
         console.log((await kit.call({ name: "Hang" })).error.code);
         await kit.dispose();`,
    ],
    { encoding: "utf8" },
  );

  expect([stdout.trim(), status]).toEqual(["TIMEOUT", 0]);
});

function canMount(): boolean {
  return spawnSync("unshare", ["-m", "true"]).status === 0;
}

/** Processes with this name among their arguments, by what the kernel says. */
async function running(mark: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/u.test(pid) || Number(pid) === process.pid) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (line.startsWith(mark)) found.push(pid);
  }
  return found;
}

/** Folders in each other, deeper than any path can name: each is made from inside the one above. */
function plantDeepTree(levels: number): void {
  const script = `import os, sys
os.chdir(sys.argv[1])
for _ in range(${levels}):
    os.mkdir("D")
    os.chdir("D")
open("x", "w").write("one")`;
  execFileSync("python3", ["-c", script, path.join(folder, "work")]);
}

test.skipIf(spawnSync("python3", ["--version"]).status !== 0)(
  "a tree deeper than a path can be is searched as far as it goes, and refused by name",
  async () => {
    plantDeepTree(2500);
    const opened = await open();
    const deep = `${Array.from({ length: 2200 }, () => "D").join("/")}/x`;
    const searches: readonly Call[] = [
      { name: "Grep", input: { pattern: "one" } },
      { name: "Glob", input: { pattern: "**/*" } },
    ];
    const refused: readonly Call[] = [
      { name: "Read", input: { file_path: deep } },
      { name: "Write", input: { file_path: deep, content: "y" } },
      { name: "Edit", input: { file_path: deep, old_string: "one", new_string: "1" } },
      { name: "Grep", input: { pattern: "one", path: deep } },
      { name: "Glob", input: { pattern: "*", path: deep } },
      { name: "ListDir", input: { path: deep } },
    ];

    for (const call of searches) {
      const { status, text } = await opened.call(call);
      expect(status).toBe("ok");
      expect(text).toContain("a.txt");
      expect(text).toContain("could not be read");
    }
    for (const call of refused) {
      expect(complaint(await opened.call(call), "INVALID_INPUT")).toBeUndefined();
    }
    const written = await opened.call({ name: "Write", input: { file_path: "b", content: "y" } });
    expect(written.status).toBe("ok");
    expect(await opened.undo()).toMatchObject({ calls: [written.id], kept: [], skipped: [] });
    await opened.dispose();
    // By a program that goes down step by step; Node names the whole path.
    execFileSync("rm", ["-rf", path.join(folder, "work", "D")]);
  },
);
