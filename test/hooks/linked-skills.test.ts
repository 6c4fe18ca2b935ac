// Skills are often kept in one place, to which links of several programs lead.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { hookWorld, type HookWorld } from "./hook-world.ts";

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Does it.\n---\nDo it with \${CLAUDE_SKILL_DIR}/run.sh.\n`;

/** Writes a file next to the workspace, as in the directory of dotfiles. */
function writeOutside(world: HookWorld, name: string, text: string): string {
  const file = path.join(path.dirname(world.workspace), name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function link(world: HookWorld, name: string, target: string): void {
  mkdirSync(path.dirname(world.at(name)), { recursive: true });
  symlinkSync(target, world.at(name));
}

const use = { name: "Skill", input: { skill: "pdf" } };

describe.each([".claude/skills", ".haft/skills", ".agents/skills"])("a link in %s", (folder) => {
  test("to the directory of a skill outside is followed, and trust covers what is there", async () => {
    await using world = await hookWorld();
    const file = writeOutside(world, "dotfiles/my-pdf/SKILL.md", skill("pdf"));
    link(world, `${folder}/pdf`, path.dirname(file));
    await world.trust();
    await using kit = await world.openRecorded();

    expect(await kit.skills.list()).toMatchObject([
      { name: "pdf", file, needsTrust: false, faults: [], notes: [] },
    ]);
    expect((await kit.call(use)).text).toContain(`${path.dirname(file)}/run.sh`);

    writeFileSync(file, `${skill("pdf")}More.\n`);
    expect((await kit.call(use)).error?.code).toBe("PERMISSION_DENIED");
    await using later = await world.openRecorded();
    expect(await later.skills.list()).toMatchObject([{ name: "pdf", needsTrust: true }]);
  });
});

test("links that are broken, circular or to a file are reported", async () => {
  await using world = await hookWorld({}, { ".claude/skills/real/SKILL.md": skill("real") });
  link(world, ".claude/skills/gone", "/nowhere");
  link(world, ".claude/skills/circle", world.workspace);
  link(world, ".claude/skills/file/SKILL.md", writeOutside(world, "S.md", skill("file")));
  await using kit = await world.open();

  const reported = kit.workspace.problems.map(({ message, ...rest }) => {
    const file = "file" in rest ? path.relative(world.workspace, rest.file ?? "") : "";
    return `${file}: ${message.replace(world.workspace, "<workspace>")}`;
  });

  expect(await kit.skills.list()).toMatchObject([{ name: "real" }]);
  expect(reported.toSorted()).toEqual([
    ".claude/skills/circle: This symlink leads to <workspace>, which is read already.",
    ".claude/skills/file/SKILL.md: This symlink is not read; put the file here.",
    ".claude/skills/gone: This symlink leads nowhere.",
  ]);
});

test("only links that lead nowhere are reported too", async () => {
  await using world = await hookWorld();
  link(world, ".claude/skills/gone", "/nowhere");
  await using kit = await world.open();

  expect(kit.workspace.problems).toMatchObject([{ message: "This symlink leads nowhere." }]);
});

test("a link to a large directory is searched only in part", async () => {
  await using world = await hookWorld();
  const large = path.join(path.dirname(world.workspace), "large");
  mkdirSync(large);
  for (let index = 0; index < 5100; index += 1) writeFileSync(path.join(large, `${index}`), "");
  link(world, ".claude/skills/large", large);
  await using kit = await world.open();

  expect(kit.workspace.problems).toMatchObject([
    { message: "Behind links only the first 5000 entries are searched." },
  ]);
});

test("a .claude that is a link to a directory without CLAUDE.md has no problem", async () => {
  await using world = await hookWorld();
  const settings = writeOutside(world, "dotfiles/claude/settings.json", "{}");
  symlinkSync(path.dirname(settings), world.at(".claude"));
  await using kit = await world.open();

  expect((await kit.instructions?.read())?.problems).toEqual([]);
});
