import { chmodSync, existsSync, linkSync, lstatSync, readFileSync, utimesSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Outcome } from "../../src/index.ts";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { differences, SequencePlace, type SequenceWorld } from "../support/sequence-world.ts";

// Faults that sequences of commands have found, one by one.

const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
const place = new SequencePlace();
let world: SequenceWorld;

beforeEach(async () => {
  world = await place.world();
});
afterEach(async () => await world.end());
afterAll(() => place.end());

const bash = async (command: string): Promise<Outcome> => await world.call({ kind: "", command });
const at = (name: string): string => path.join(world.root, name);

describe.skipIf(missing !== undefined)("undo restores", () => {
  test.each([
    ["a file that was written by one of its names", "printf more >> one"],
    ["a file whose mode was changed by one of its names", "chmod 600 one"],
    ["what was written through a link that the command made", "ln -sf a.txt link; printf x > link"],
    [
      "what was written behind a link that the command moved",
      "mv tolink moved; printf x > moved/n",
    ],
    ["what mv kept under another name", "mv -b a.txt run.sh"],
    ["what programs did side by side", "(printf 1 > one) & (git rm -q -f a.txt) & wait"],
  ])("%s", async (_, command) => {
    const before = world.tree();

    const outcome = await bash(command);
    const after = world.tree();
    await world.kit.undo();

    expect(outcome.undo?.level).toBe("full");
    expect(differences(before, after)).not.toEqual([]);
    expect(differences(before, world.tree())).toEqual([]);
    await world.kit.redo();
    expect(differences(after, world.tree())).toEqual([]);
  });

  test.each([
    ["the time", "touch -d @5 ./-dash; ln -f a.txt ./-dash", () => utimesSync(at("-dash"), 6, 6)],
    ["the mode", "rm run.sh; ln a.txt run.sh", () => undefined],
  ])("%s of a file without touching its other names", async (_, command, meanwhile) => {
    await bash("printf 'first\\nsecond one\\nthird\\n' > run.sh; touch -d @5 run.sh");
    const other = lstatSync(at("a.txt"));
    await bash(command);
    meanwhile();

    await world.kit.undo();

    const { mode, mtimeMs } = lstatSync(at("a.txt"));
    expect({ mode, mtimeMs }).toEqual({ mode: other.mode, mtimeMs: other.mtimeMs });
  });

  test("the mode of a file that got another name since, and leaves that name", async () => {
    await bash("chmod 600 a.txt");
    linkSync(at("a.txt"), at("theirs"));
    chmodSync(at("a.txt"), 0o600);

    await world.kit.undo();

    expect(lstatSync(at("a.txt")).mode & 0o777).toBe(0o644);
    expect(lstatSync(at("theirs")).mode & 0o777).toBe(0o600);
  });
});

describe.skipIf(missing !== undefined)("changes by others while a command runs", () => {
  const save = { kind: "save", at: "a.txt" } as const;

  test.each([
    ["and the command did not", "cat -- ./-dash >> b\\ c.txt; cp -n run.sh a.txt", "ok"],
    ["as the command did, which is refused", "printf x > a.txt", "STALE_READ"],
  ])("%s is not taken for its work", async (_, command, code) => {
    let theirs = world.tree();
    const outcome = await world.callWith({ kind: "", command }, () => {
      world.outside(save);
      theirs = world.tree();
    });

    expect(outcome.error?.code ?? "ok").toBe(code);
    const [entry] = await world.kit.history();
    expect(entry?.changes.map((each) => each.path)).toEqual(
      code === "ok" ? [at("b c.txt")] : undefined,
    );
    if (entry !== undefined) await world.kit.undo();
    expect(differences(theirs, world.tree())).toEqual([]);
    expect(readFileSync(at("a.txt"), "utf8")).toContain("outside");
  });
});

describe.skipIf(missing !== undefined)("of a command that leaves something running", () => {
  test("what it did beyond what it said is named as not kept", async () => {
    const outcome = await bash(
      'sleep 0 & printf said > said; node -e \'fs.writeFileSync("more", "")\'',
    );

    expect(outcome.undo?.level).toBe("partial");
    const [entry] = await world.kit.history();
    expect(entry?.skipped.map((each) => each.path)).toEqual([at("more")]);
    await world.kit.undo();
    expect(existsSync(at("said"))).toBe(false);
    expect(readFileSync(at("more"), "utf8")).toBe("");
  });

  test("nothing is in the history where it changed nothing", async () => {
    expect((await bash("sleep 0 & node -e 0")).undo).toBeUndefined();
    expect(await world.kit.history()).toEqual([]);
  });
});
