import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import type { Answer, Ask, ToolkitOptions } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { bash, kitFolder, python } from "../support/kit-folder.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
const allowed: ToolkitOptions = { mode: "acceptEdits", rules: { allow: ["Bash(python3 *)"] } };
const { at, open } = kitFolder(
  "haft-locks-",
  (below) => {
    mkdirSync(below("work"));
    for (const name of ["f1", "live.db"]) writeFileSync(below(`work/${name}`), "old\n");
  },
  allowed,
);

/** Locks a path until it is ended, and says so once it has. */
const locking = (path: string, locked = 'print("locked", flush=True)'): string =>
  `import fcntl, os, sys, time; ` +
  `fcntl.flock(os.open(${JSON.stringify(path)}, os.O_RDONLY), fcntl.LOCK_EX); ` +
  `${locked}; time.sleep(600)`;
let others: ChildProcess[] = [];

/** A program that haft knows nothing of has a path locked. */
async function lockedBySomeProgram(path: string): Promise<number> {
  const child = spawn("python3", ["-c", locking(path)], { stdio: ["ignore", "pipe", "inherit"] });
  others.push(child);
  await once(child.stdout, "data");
  return child.pid ?? 0;
}

afterEach(async () => {
  for (const child of others) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  others = [];
});

const changing = (...names: readonly string[]): string =>
  python(names.map((name) => `open('${name}', 'w').write('new')`).join("; "));

test.skipIf(missing !== undefined).each([
  ["the workspace", "work"],
  ["a file that the command does not change", "work/live.db"],
])("a lock on %s turns neither undo nor the question off", async (_, name) => {
  await lockedBySomeProgram(at(name));
  const kit = await open();

  const changed = await bash(kit, changing("f1"));
  const planted = await bash(kit, changing(".envrc"));

  expect(changed).toMatchObject({ status: "ok", undo: { level: "full" } });
  expect(planted.error?.code).toBe("APPROVAL_REQUIRED");
  expect(existsSync(at("work/.envrc"))).toBe(false);
  await kit.undo();
  expect(readFileSync(at("work/f1"), "utf8")).toBe("old\n");
});

test.skipIf(missing !== undefined)(
  "a lock of a program in the background does not count either",
  async () => {
    const kit = await open();
    const command = `python3 -c '${locking(at("work"), 'open("locked", "w")')}'`;
    await bash(kit, command, { run_in_background: true });
    await expect.poll(() => existsSync(at("work/locked"))).toBe(true);

    const changed = await bash(kit, changing("f1"));

    expect(changed).toMatchObject({ status: "ok", undo: { level: "full" } });
  },
);

test.skipIf(missing !== undefined)(
  "a file that a running program has locked is not replaced, and the answer names both",
  async () => {
    const pid = await lockedBySomeProgram(at("work/live.db"));
    const kit = await open();

    const { error } = await bash(kit, changing("f1", "live.db"));

    expect(error?.message).toBe(
      "No change of the command was applied, because no user was available to approve it: " +
        `live.db is locked by python3 (process ${pid}), which would continue with the old content.`,
    );
    expect(readFileSync(at("work/f1"), "utf8")).toBe("old\n");
    expect(readFileSync(at("work/live.db"), "utf8")).toBe("old\n");
  },
);

test.skipIf(missing !== undefined).each([
  ["once", "new", "ok"],
  ["deny", "old\n", "denied"],
] as const)("asked about a locked file, %s leaves it %j", async (kind, content, status) => {
  await lockedBySomeProgram(at("work/live.db"));
  const asked: Ask[] = [];
  const onAsk = async (ask: Ask): Promise<Answer> => {
    asked.push(ask);
    return { kind };
  };
  const kit = await open({ onAsk });

  const outcome = await bash(kit, changing("live.db"));

  expect(asked.map(({ question }) => question)).toEqual(["Keep what the command changed?"]);
  expect(asked[0]?.reason).toContain("live.db is locked by python3");
  expect(outcome.status).toBe(status);
  expect(readFileSync(at("work/live.db"), "utf8")).toBe(content);
});

test.skipIf(missing !== undefined)(
  "where nothing is asked, a locked file is not replaced",
  async () => {
    await lockedBySomeProgram(at("work/live.db"));
    const kit = await open({ mode: "bypassPermissions" });

    const { error } = await bash(kit, changing("live.db"));

    expect(error?.code).toBe("APPROVAL_REQUIRED");
    expect(readFileSync(at("work/live.db"), "utf8")).toBe("old\n");
  },
);
