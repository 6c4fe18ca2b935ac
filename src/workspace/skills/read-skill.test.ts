import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSkill } from "./read-skill.ts";

interface Case {
  readonly name: string;
  readonly directory: string;
  readonly text: string;
  /** Whether the validator of the format accepts it. */
  readonly valid: boolean;
  readonly because: string;
}

const file = new URL("../../../test/cases/skills/valid.jsonl", import.meta.url);
const cases = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

test.each(cases)("$name: $because", async ({ directory, text, valid }) => {
  const { faults } = await readSkill(text, directory);

  expect(faults.length === 0).toBe(valid);
});
