import { mkdir, readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { haft, settingsWorld } from "../support/cli.ts";

test("a rule that could not be saved with a yes is reported next to the answer", async () => {
  await using world = await settingsWorld();
  const elsewhere = path.join(world.folder, "elsewhere");
  await mkdir(elsewhere);
  await symlink(elsewhere, path.join(world.workspace, ".haft"));

  const { code, out, err } = await haft(["call", "Write", "file_path=b.txt", "content=x"], {
    world,
    answers: ["a", "", "l"],
  });

  expect(code).toBe(0);
  expect(out).toContain("Created b.txt");
  expect(err).toContain("The rule was not saved, so the yes counts for this call only.");
  expect(await readdir(elsewhere)).toEqual([]);
});
