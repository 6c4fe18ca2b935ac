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
  const { faults, notes } = await readSkill(text, directory);

  expect(faults.length + notes.length === 0).toBe(valid);
});

test.each([
  { fields: "name: Other Name\ndescription: x", says: /"Other Name" is not .* called greet/u },
  { fields: "name: other\ndescription: x", says: /not that of its directory/u },
  { fields: "description: x", says: /`name` is missing/u },
  { fields: `name: greet\ndescription: ${"x".repeat(1100)}`, says: /only the first 1024/u },
  { fields: "name: greet\ndescription: x\nlicense: [a]", says: /`license` is not a text/u },
])("a skill with $says can be used, under the name of its directory", async ({ fields, says }) => {
  const skill = await readSkill(`---\n${fields}\n---\nBody`, "greet");

  expect(skill).toMatchObject({ name: "greet", faults: [] });
  expect(skill.description.length).toBeLessThanOrEqual(1024);
  expect(skill.notes.map(({ message }) => message).join()).toMatch(says);
});

test("a skill without a valid name, in a directory without one, cannot be used", async () => {
  const { faults } = await readSkill("---\nname: a b\ndescription: x\n---\nBody", "a b");

  expect(faults.map(({ message }) => message).join()).toMatch(/is not 1 to 64/u);
});
