import { expect, test } from "vitest";
import { cliWorld, haft, scripted } from "../../../test/support/cli.ts";

test("agents are shown as a tree with what each does, its calls and its tokens", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  const model = await scripted(world, [
    { calls: [{ name: "Agent", input: { prompt: "look", description: "Look around" } }] },
    { calls: [{ name: "Glob", input: { pattern: "*.txt" } }], usage: { input: 20, output: 5 } },
    { text: "One file.", usage: { input: 30, output: 5 } },
    { text: "There is one file." },
  ]);

  const { code, out, err } = await haft(["run", ...model, "how many files?"], { world });
  const shown = err.replaceAll(/agent-[\da-f]+-\d+/gu, "ID");

  expect(code).toBe(0);
  expect(out).toContain("There is one file.");
  expect(shown).toContain("  ▸ general: Look around (ID)\n");
  expect(shown).toMatch(/ {4}Look around: .*\(1 turn, 1 call, 25 tokens\)/u);
  expect(shown).toContain("  ✓ general: Look around: done (2 turns, 1 call, 60 tokens)\n");
});
