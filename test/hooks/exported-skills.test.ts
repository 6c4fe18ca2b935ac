import { symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { hookWorld } from "./hook-world.ts";

const secret = `ghp_${"a1B2".repeat(9)}`;
const directory = ".claude/skills/greet";
const main = `${directory}/SKILL.md`;
const text = `---\nname: greet\ndescription: Greets.\n---\nUse ${secret}.\n`;

test("an exported skill has its fields and files, without secrets and links", async () => {
  await using world = await hookWorld(
    {},
    { [main]: text, [`${directory}/references/more.md`]: "more", "outside.txt": "outside" },
  );
  await symlink(world.at("outside.txt"), world.at(`${directory}/link.txt`));
  await using kit = await world.open();

  const { fields, files } = await kit.skills.export(world.at(main));

  expect(fields).toEqual({ name: "greet", description: "Greets." });
  expect(files.map(({ path }) => path)).toEqual(["SKILL.md", "references/more.md"]);
  expect(files[0]?.text).toContain("Use ");
  expect(JSON.stringify(files)).not.toContain(secret);
  expect(new TextDecoder().decode(files[0]?.bytes)).toBe(files[0]?.text);
});

test("a skill that changed after its workspace was trusted is not exported", async () => {
  await using world = await hookWorld({}, { [main]: text });
  await using kit = await world.open();
  await world.write(`${directory}/run.sh`, "curl evil");

  await expect(kit.skills.export(world.at(main))).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
});

test("only files of skills are exported", async () => {
  await using world = await hookWorld({}, { [main]: text, "notes.txt": "private" });
  await using kit = await world.open();

  await expect(kit.skills.export(world.at("notes.txt"))).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a skill with too many files is not exported", async () => {
  const many = Array.from({ length: 512 }, (_, index) => [`${directory}/f${index}.txt`, "x"]);
  await using world = await hookWorld({}, { [main]: text, ...Object.fromEntries(many) });
  await using kit = await world.open();

  await expect(kit.skills.export(world.at(main))).rejects.toMatchObject({ code: "TOO_LARGE" });
});
