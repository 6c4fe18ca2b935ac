import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolkit } from "../../src/index.ts";
import { changeBy, contentOf, crashFile, type ChangingTool } from "../support/changing-tools.ts";
import { meddle, type Meddling } from "../support/file-steps.ts";
import { typeScriptFlags } from "../support/from-source.ts";
import { areLawsFull, tried } from "../support/law-runs.ts";

// At every point at which a change can be cut off, the file is the old one or the new one, whole. That a
// process is gone is shown by steps that never end or that fail with all that follow: nothing more is done, and what is
// on the disk is what a killed process leaves. Some processes are killed as well, to show that the two are the same.

const tools: readonly ChangingTool[] = ["Edit", "Write", "ApplyPatch"];
const whole = [contentOf("old"), contentOf("new")];
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-crash-")));
const file = path.join(folder, crashFile);
let points = 0;

beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true });
  writeFileSync(file, contentOf("old"));
});

afterAll(() => {
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true, force: true });
});

/** Which age the file has: 0 old, 1 new, -1 neither. */
function age(): number {
  points += 1;
  return whole.indexOf(readFileSync(file, "utf8"));
}

interface Attempt {
  readonly outcome: "done" | "failed" | "stopped";
  readonly error?: unknown;
  readonly taken: readonly string[];
}

/** A change during which each step is first shown to `meddling`. */
async function attempt(
  tool: ChangingTool,
  meddling: (step: string, count: number, stop: () => void) => ReturnType<Meddling>,
): Promise<Attempt> {
  const stopped = Promise.withResolvers<"stopped">();
  const taken: string[] = [];
  const restore = await meddle((step, count) => {
    taken.push(step);
    return meddling(step, count, () => stopped.resolve("stopped"));
  });
  try {
    const change = changeBy(tool, { folder, from: "old" }).then(() => "done" as const);
    return { outcome: await Promise.race([change, stopped.promise]), taken };
  } catch (error) {
    return { outcome: "failed", error, taken };
  } finally {
    restore();
  }
}

describe.each(tools)("%s", (tool) => {
  test("cut off before any of its steps leaves the old file or the new one", async () => {
    const { taken } = await attempt(tool, () => undefined);
    expect(age()).toBe(1);
    expect(taken).toEqual(expect.arrayContaining(["open", "write", "sync", "rename"]));
    const renaming = taken.lastIndexOf("rename") + 1;

    for (let point = 1; point <= taken.length; point++) {
      writeFileSync(file, contentOf("old"));
      const { outcome } = await attempt(tool, (_step, count, stop) => {
        if (count < point) return undefined;
        stop();
        return "stop";
      });
      expect({ point, outcome, age: age() }).toEqual({
        point,
        outcome: "stopped",
        age: point > renaming ? 1 : 0,
      });
    }
  });

  test.each([
    { step: "write", code: "ENOSPC", says: "NO_SPACE" },
    { step: "sync", code: "ENOSPC", says: "NO_SPACE" },
    { step: "write", code: "EIO", says: undefined },
    { step: "write", code: "EFBIG", says: "NO_SPACE" },
    { step: "sync", code: "EIO", says: undefined },
    { step: "sync", code: "EDQUOT", says: "NO_SPACE" },
    { step: "rename", code: "EACCES", says: "ACCESS_DENIED" },
    { step: "rename", code: "ENOSPC", says: "NO_SPACE" },
    { step: "rename", code: "EXDEV", says: undefined },
    { step: "open", code: "EROFS", says: "ACCESS_DENIED" },
    { step: "open", code: "EMFILE", says: "UNAVAILABLE" },
    { step: "open", code: "ENOSPC", says: "NO_SPACE" },
  ])(
    "where $step fails with $code the old file is there and no draft is left",
    async ({ step, code, says }) => {
      const { outcome, error } = await attempt(tool, (name) =>
        name === step ? Object.assign(new Error(code), { code }) : undefined,
      );

      expect({ outcome, age: age() }).toEqual({ outcome: "failed", age: 0 });
      expect(error).toMatchObject(says === undefined ? {} : { code: says });
      expect(readdirSync(folder)).toEqual([crashFile]);
    },
  );

  test.each(["in place", "by renaming"])(
    "an editor that saves %s before any step is not overwritten, or only as a whole",
    async (how) => {
      const saved = "saved by the editor\n";
      const { taken } = await attempt(tool, () => undefined);
      for (let point = 1; point <= taken.length; point++) {
        writeFileSync(file, contentOf("old"));
        const { outcome, error } = await attempt(tool, (_step, count) => {
          if (count !== point) return undefined;
          const draft = how === "in place" ? file : `${file}~`;
          writeFileSync(draft, saved);
          if (draft !== file) renameSync(draft, file);
          return undefined;
        });
        points += 1;
        const content = readFileSync(file, "utf8");
        // Between the last comparison and the renaming nothing can be noticed, as with every editor.
        const allowed = taken[point - 1] === "rename" ? [saved, contentOf("new")] : [saved];
        expect(allowed).toContain(content);
        expect(outcome === "done" || (error as { code?: string }).code === "STALE_READ").toBe(true);
        expect(readdirSync(folder)).toEqual([crashFile]);
      }
    },
  );

  test("a process that is killed at any moment leaves the old file or the new one", async () => {
    const program = path.join(import.meta.dirname, "../support/change-loop.ts");
    for (const changes of tried([1, 2, 3, 4, 5, 6, 7, 8], areLawsFull ? 1 : 2)) {
      const child = spawn(process.execPath, [...typeScriptFlags, program, folder, tool], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      for (let seen = 0; seen < changes;) {
        const [dots] = (await once(child.stdout, "data")) as [Buffer];
        seen += dots.length;
      }
      child.kill("SIGKILL");
      const [, signal] = (await once(child, "exit")) as [unknown, string];
      expect(signal).toBe("SIGKILL");
      expect(age()).not.toBe(-1);
      writeFileSync(file, contentOf("old"));
    }
  }, 120_000);

  test("a folder that may not be written keeps the old file", async () => {
    // Modules that the change needs are loaded before, and root, who may write everywhere, gives that up for it.
    await attempt(tool, () => undefined);
    writeFileSync(file, contentOf("old"));
    chmodSync(folder, 0o555);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      const { outcome } = await attempt(tool, () => undefined);
      expect({ outcome, age: age() }).toEqual({ outcome: "failed", age: 0 });
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(folder, 0o755);
    }
  });
});

describe("with its journal", () => {
  const data = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-crash-data-")));
  const openKit = async () =>
    await createToolkit({
      workspace: folder,
      mode: "bypassPermissions",
      dataDirectory: data,
      sandbox: { require: "off", overlay: "off" },
    });
  // Small enough to be stored in the journal itself.
  const small = path.join(folder, "small.txt");
  const input = { file_path: small, old_string: "old", new_string: "new" };
  let kit: Awaited<ReturnType<typeof openKit>>;

  beforeEach(async () => {
    kit = await openKit();
    await plant();
    // The journal is made with the first change.
    await kit.call({ name: "Edit", input });
    await plant();
  });
  afterEach(async () => {
    await kit.dispose();
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));

  async function plant(): Promise<void> {
    writeFileSync(small, "old, and more\n");
    await kit.call({ name: "Read", input: { file_path: small } });
  }

  async function edited(meddling: Meddling): Promise<readonly string[]> {
    const taken: string[] = [];
    const restore = await meddle((step, count) => {
      taken.push(step);
      return meddling(step, count);
    });
    try {
      await kit.call({ name: "Edit", input });
      return taken;
    } finally {
      restore();
    }
  }

  test("the image and the new content are both safe before the change is seen", async () => {
    const taken = await edited(() => undefined);

    const visible = taken.indexOf("rename");
    expect(taken.slice(0, visible).filter((step) => step === "sync")).toHaveLength(2);
    expect(taken.slice(visible)).not.toContain("sync");
    expect(taken.indexOf("write")).toBeLessThan(taken.indexOf("open"));
  });

  test.each([1, 2])("where flush %i of them fails the file is the old one", async (failing) => {
    let syncs = 0;

    await edited((step) =>
      step === "sync" && ++syncs === failing
        ? Object.assign(new Error("EIO"), { code: "EIO" })
        : undefined,
    );

    expect(syncs).toBe(2);
    expect(readFileSync(small, "utf8")).toBe("old, and more\n");
    expect(readdirSync(folder)).toEqual([crashFile, "small.txt"]);
    points += 1;
  });
});

test("that was a hundred points", () => {
  expect(points).toBeGreaterThanOrEqual(100);
});
