import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cliWorld, haft } from "../../../test/support/cli.ts";

test("doctor says what works, a line each, and exits with 0 where nothing is broken", async () => {
  await using world = await cliWorld();

  const { code, out } = await haft(["doctor"], { world });

  expect(code).toBe(0);
  expect(out).toMatch(/^haft \d+\.\d+\.\d+, Node \d+/u);
  for (const check of ["workspace", "data directory", "shell", "search", "confinement"]) {
    expect(out).toMatch(new RegExp(`^[✓!] ${check}: `, "mu"));
  }
});

test("doctor --json is one document", async () => {
  await using world = await cliWorld();

  const { code, out } = await haft(["doctor", "--json"], { world });

  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    confinement: { provider: expect.any(String), drivers: expect.any(Array) },
  });
});

test("a data directory that cannot be written is broken", async () => {
  await using world = await cliWorld();
  const blocker = path.join(world.folder, "file");
  await writeFile(blocker, "");
  const words = ["doctor", "-C", world.workspace, "--data-dir", path.join(blocker, "data")];

  const { code, out } = await haft(words);

  expect(code).toBe(1);
  expect(out).toContain("✗ data directory:");
});
