import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createToolkit, type Kit, type Outcome } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });

let folder = "";
let kit: Kit;
const at = (name: string): string => path.join(folder, name);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-other-")));
  mkdirSync(at("work"));
  mkdirSync(at("other"));
  writeFileSync(at("other/old"), "old");
});
afterEach(async () => {
  await kit.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function open(directory: string): Promise<void> {
  kit = await createToolkit({
    workspace: at("work"),
    dataDirectory: at("data"),
    rules: { allow: ["Bash(python3 *)", `Edit(/${at(directory)}/**)`] },
    // The rule for python3 does not answer for a path outside that its words spell.
    onAsk: async () => ({ kind: "once" }),
  });
}

async function python(statements: string): Promise<Outcome> {
  return await kit.call({ name: "Bash", input: { command: `python3 -c '${statements}'` } });
}

test.skipIf(missing === undefined)("overlays do not work here", ({ skip }) => {
  expect(missing).toBeDefined();
  skip(missing?.reason);
});

describe.skipIf(missing !== undefined)("a folder outside the workspace that a rule opens", () => {
  test("is written by commands, and what they did there is named as outside of undo", async () => {
    await open("other");
    const write = `[open(n, "w").write("new") for n in ("b", "${at("other/new")}", "${at("other/old")}")]`;
    expect((await python(write)).undo?.level).toBe("partial");

    const [entry] = await kit.history();
    expect(entry).toMatchObject({
      level: "partial",
      changes: [{ path: at("work/b"), change: "created" }],
      skipped: [
        { path: at("other/new"), because: "it was made, and what was there is not kept" },
        { path: at("other/old"), because: "it was changed, and what was there is not kept" },
      ],
    });
    const undone = await kit.undo();
    expect(undone.skipped.map((each) => each.path)).toEqual([at("other/new"), at("other/old")]);
    expect([existsSync(at("work/b")), existsSync(at("other/new"))]).toEqual([false, true]);
  });

  test("takes nothing from undo where nothing happens in it", async () => {
    await open("other");
    expect((await python(`open("b", "w").write("new")`)).undo?.level).toBe("full");

    expect(await kit.history()).toMatchObject([{ level: "full", skipped: [] }]);
  });

  test("may hold the workspace, whose changes are kept as ever", async () => {
    await open(".");
    await python(`[open(n, "w").write("new") for n in ("b", "${at("other/new")}")]`);

    const [entry] = await kit.history();
    expect(entry?.changes.map((each) => each.path)).toEqual([at("work/b")]);
    const skipped = entry?.skipped.map((each) => each.path) ?? [];
    expect(skipped).toContain(at("other/new"));
    expect(skipped.filter((each) => each.startsWith(at("work")))).toEqual([]);
  });
});
