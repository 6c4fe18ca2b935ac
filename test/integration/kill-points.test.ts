import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { leaveNothing } from "../support/leftovers.ts";
import { openWork, plantWork, stage, treeOf, work } from "../support/staged-work.ts";
import { typeScriptFlags } from "../support/from-source.ts";
import { stride } from "../support/law-runs.ts";

// A process that applies staged changes, undoes them or redoes them is killed before each of its operations, one
// process for each. The next process that opens the journal finds them done or undone, completely, and the way to the
// other end.

leaveNothing();

const program = path.join(import.meta.dirname, "../support/staged-work.ts");
const folders: string[] = [];
let points = 0;

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Act = "apply" | "undo" | "redo";

interface Killed {
  readonly folder: string;
  readonly isKilled: boolean;
  readonly staged: Record<string, string>;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
}

/** A folder in which a process was killed before its n-th operation. */
async function killed(act: Act, point: number): Promise<Killed> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-kill-")));
  folders.push(folder);
  const staged = plantWork(folder);
  writeFileSync(path.join(folder, "staged.json"), JSON.stringify(staged));
  const tree = treeOf(stage(folder));
  const before = treeOf(work(folder));
  const after = await applied(folder);
  if (act !== "apply") {
    const { journal, close } = await openWork(folder);
    await journal.apply("1", staged, { tool: "Bash" });
    if (act === "redo") await journal.undo({ last: 1 });
    await close();
  }
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [...typeScriptFlags, program, folder, act, String(point)],
    { encoding: "utf8" },
  );
  expect({ stderr, ended: signal ?? status }).toEqual({
    stderr: "",
    ended: signal === null ? 0 : "SIGKILL",
  });
  if (signal !== null) points += 1;
  return { folder, isKilled: signal !== null, staged: tree, before, after };
}

function existing(folder: string): Record<string, string> {
  return existsSync(folder) ? treeOf(folder) : {};
}

const afterwards = new Map<string, Record<string, string>>();

/** The tree after a run without a fault, determined once on a copy. */
async function applied(folder: string): Promise<Record<string, string>> {
  const known = afterwards.get("");
  if (known !== undefined) return known;
  const copy = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-kill-")));
  folders.push(copy);
  const staged = plantWork(copy);
  const { journal, close } = await openWork(copy);
  await journal.apply("1", staged, { tool: "Bash" });
  await close();
  const tree = treeOf(work(copy));
  expect(tree).not.toEqual(treeOf(work(folder)));
  afterwards.set("", tree);
  return tree;
}

test("killed at any point of an apply, it is finished or was never begun, and goes both ways", async () => {
  const ends: string[] = [];
  for (let point = 0, isKilled = true; isKilled; point += stride) {
    const it = await killed("apply", point);
    isKilled = it.isKilled;
    const staged = treeOf(stage(it.folder));
    const { journal, close } = await openWork(it.folder);
    for (const { kept } of await journal.recover()) expect(kept).toEqual([]);
    const [entry] = await journal.history();
    const isDone = entry !== undefined;
    ends.push(isDone ? "after" : "before");

    expect(entry?.state).toBe(isDone ? "done" : undefined);
    expect(treeOf(work(it.folder))).toEqual(isDone ? it.after : it.before);
    expect(Object.keys(isDone ? {} : staged)).toHaveLength(isDone ? 0 : 7);
    if (isDone) await journal.undo({ last: 1 });
    expect(treeOf(work(it.folder))).toEqual(it.before);
    if (isDone) await journal.redo();
    expect(treeOf(work(it.folder))).toEqual(isDone ? it.after : it.before);
    await close();
  }
  expect(ends.lastIndexOf("before")).toBeLessThan(ends.indexOf("after"));
  expect(ends.filter((end) => end === "after").length).toBeGreaterThan(15 / stride);
}, 240_000);

test("killed in an apply whose staged files are then lost, everything is as before", async () => {
  for (const point of [9, 14, 19]) {
    const it = await killed("apply", point);
    const staged = it.staged;
    const saved = path.join(it.folder, "saved");
    cpSync(stage(it.folder), saved, { recursive: true });
    rmSync(stage(it.folder), { recursive: true });
    const { journal, close } = await openWork(it.folder);
    await journal.recover();
    const history = await journal.history();
    await close();

    expect(treeOf(work(it.folder))).toEqual(it.before);
    expect(history).toEqual([]);
    // Files that had already been moved are back in the staging directory.
    const lost = new Set(Object.keys(treeOf(saved)));
    expect(Object.keys(staged).filter((name) => !lost.has(name))).toEqual(
      Object.keys(existing(stage(it.folder))),
    );
  }
}, 60_000);

test.each(["undo", "redo"] as const)(
  "killed at any point of an %s, it is finished or was never begun, and goes both ways",
  async (act) => {
    const ends = new Set<string | undefined>();
    for (let point = 0, isKilled = true; isKilled; point += stride) {
      const it = await killed(act, point);
      isKilled = it.isKilled;
      const { journal, close } = await openWork(it.folder);
      for (const { kept } of await journal.recover()) expect(kept).toEqual([]);
      const [entry] = await journal.history();
      const isDone = entry?.state === "done";
      ends.add(entry?.state);

      expect(treeOf(work(it.folder))).toEqual(isDone ? it.after : it.before);
      await (isDone ? journal.undo({ last: 1 }) : journal.redo());
      expect(treeOf(work(it.folder))).toEqual(isDone ? it.before : it.after);
      await close();
    }
    expect(ends).toEqual(new Set(["done", "undone"]));
  },
  240_000,
);

test("every point, or each fourth, was tried", () => {
  expect(points).toBeGreaterThan(50 / stride);
});
