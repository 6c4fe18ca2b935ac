import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cliWorld, haft } from "../../../test/support/cli.ts";
import { workspaceId } from "../../workspace/index.ts";

test("gc removes old files, and a dry run only lists them", async () => {
  await using world = await cliWorld();
  const artifacts = path.join(world.folder, "data", "artifacts", workspaceId(world.workspace));
  await mkdir(artifacts, { recursive: true });
  for (const name of ["old.txt", "new.txt"]) await writeFile(path.join(artifacts, name), "12345");
  const undo = path.join(world.folder, "data", "undo");
  await mkdir(undo, { recursive: true });
  const young = `${String(Date.now()).padStart(15, "0")}.0000.json`;
  for (const name of ["001700000000000.0000.json", young]) {
    await writeFile(path.join(undo, name), "note of");
  }
  const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000);
  await utimes(path.join(artifacts, "old.txt"), longAgo, longAgo);

  const dry = await haft(["gc", "--dry-run"], { world });
  const left = await readdir(artifacts);
  const done = await haft(["gc", "--json"], { world });

  expect(dry.out).toBe(
    "Would delete 1 artifact (5 bytes), 0 calls and 0 contents of the journal (0 bytes), 1 undo record of tools (7 bytes) and 0 events (0 bytes).\n",
  );
  expect(left.toSorted()).toEqual(["new.txt", "old.txt"]);
  expect(JSON.parse(done.out)).toMatchObject({
    dryRun: false,
    artifacts: { files: 1, bytes: 5 },
    undo: { calls: 1, bytes: 7 },
  });
  expect(await readdir(undo)).toEqual([young]);
  expect(await readdir(artifacts)).toEqual(["new.txt"]);
});
