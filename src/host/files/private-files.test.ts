import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { LocalFs } from "./local-fs.ts";

const fs = new LocalFs();
const at = temporaryFolder("private");
/** Large enough to be written on another thread, so that the test can inspect the draft meanwhile. */
const large = Buffer.alloc(8_000_000, "x");

test.each(["a new private file", "an existing private file"])(
  "while it is written, %s cannot be read by others",
  async (name) => {
    const directory = at(name.replaceAll(" ", "-"));
    mkdirSync(directory);
    const file = path.join(directory, "secret");
    if (name.startsWith("an")) writeFileSync(file, "old", { mode: 0o600 });
    const modes: number[] = [];
    const over = new AbortController();

    const writing = fs.writeAtomic(file, large, { mode: 0o600 }).finally(() => over.abort());
    while (!over.signal.aborted) {
      for (const entry of readdirSync(directory)) modes.push(modeOf(path.join(directory, entry)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;

    expect(modes.length).toBeGreaterThan(0);
    expect(modes.filter((mode) => (mode & 0o077) !== 0)).toEqual([]);
  },
);

function modeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
}

test("an append does not follow a link that replaces the file meanwhile", async () => {
  const file = at("log");
  const outside = at("outside");
  const link = at("link");
  for (let round = 0; round < 300; round += 1) {
    rmSync(file, { force: true });
    writeFileSync(file, "");
    writeFileSync(outside, "untouched");

    symlinkSync(outside, link);

    const appending = fs.append(file, Buffer.from("x")).catch(() => undefined);
    renameSync(link, file);
    await appending;

    expect(readFileSync(outside, "utf8")).toBe("untouched");
  }
  expect(existsSync(file)).toBe(true);
});
