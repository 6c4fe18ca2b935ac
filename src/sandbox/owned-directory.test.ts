import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ownedDirectory } from "./owned-directory.ts";

let base = "";
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), "haft-owned-"));
});
afterEach(() => {
  rmSync(base, { recursive: true, force: true });
});

test.skipIf(process.platform !== "linux")(
  "files of a program that has ended are removed, and nothing else",
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
      `your-mine-${space}-${pid}-a`,
      // Numbers in the same positions do not make the directory one of ours.
      `ours-${space}-${pid}-a`,
      `kept-${space}-${pid}-mine-`,
      `mine-${space}--1-a`,
      `mine-${space}-x-a`,
      `mine-${space}-1.5-a`,
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

test("a number that belongs to a program of another user is still taken", async () => {
  const space = /\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "";
  const directory = path.join(base, `mine-${space}-4000000-a`);
  mkdirSync(directory);
  const refusal = Object.assign(new Error("not permitted"), { code: "EPERM" });
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw refusal;
  });

  await ownedDirectory(base, "mine");

  expect(kill).toHaveBeenCalledWith(4_000_000, 0);
  expect(existsSync(directory)).toBe(true);
});
