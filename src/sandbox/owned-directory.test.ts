import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ownedDirectory } from "./owned-directory.ts";

let base = "";
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), "haft-owned-"));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

test.skipIf(process.platform !== "linux")(
  "what a program that is gone left is taken away, and nothing else",
  async () => {
    const space = /\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "";
    const { pid } = spawnSync("true");
    const gone = path.join(base, `mine-${space}-${pid}-a`);
    const others = [
      `mine-${space}-${process.pid}-a`,
      `mine-${space}-1-a`,
      `mine-1-${pid}-a`,
      `mine-${space}-0-a`,
      `mine-${space}`,
      `yours-${space}-${pid}-a`,
    ].map((name) => path.join(base, name));
    for (const directory of [gone, ...others]) mkdirSync(directory);

    const made = await ownedDirectory(base, "mine");

    expect([gone, made, ...others].map((one) => existsSync(one))).toEqual([
      false,
      true,
      ...others.map(() => true),
    ]);
    expect(path.basename(made)).toMatch(new RegExp(`^mine-${space}-${process.pid}-`, "u"));
  },
);
