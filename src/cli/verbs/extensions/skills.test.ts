import { expect, test } from "vitest";
import { haft, settingsWorld } from "../../../../test/support/cli.ts";

const files = {
  ".agents/skills/greet/SKILL.md": "---\nname: greet\ndescription: Greets.\n---\nSay hi.\n",
  ".claude/skills/odd/SKILL.md": "---\nname: Odd\ncolor: red\n---\n",
};

test("haft skills lists skills with their state", async () => {
  await using world = await settingsWorld(files);

  const { out, code } = await haft(["skills"], { world });

  expect(code).toBe(0);
  expect(out).toMatch(
    /^greet {2}Greets\. {2}.*\.agents\/skills\/greet\/SKILL\.md \(needs trust\)$/mu,
  );
  expect(out).toMatch(/odd\/SKILL\.md \(needs trust; cannot be used\)/u);
});

test("haft skills validate names every deviation and exits with 1", async () => {
  await using world = await settingsWorld(files);

  const all = await haft(["skills", "validate"], { world });
  const one = await haft(["skills", "validate", ".agents/skills/greet"], { world });

  expect(all.code).toBe(1);
  expect(all.out).toMatch(/The name "Odd" is not 1 to 64 lowercase letters/u);
  expect(all.out).toMatch(/There is no key `color`/u);
  expect(one).toMatchObject({ code: 0 });
});

test("haft skills show prints a skill, and says which one does not exist", async () => {
  await using world = await settingsWorld(files);

  expect((await haft(["skills", "show", "greet"], { world })).out).toContain("Say hi.");
  expect(await haft(["skills", "show", "gret"], { world })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no skill "gret"\. Did you mean .*greet/u),
  });
});

test.each([
  ["search", "As in haft skills search release notes."],
  ["add", "As in haft skills add clawhub:notes; haft skills search finds ids."],
  ["remove", "haft skills lists the names."],
])("haft skills %s without an argument says how to write one", async (verb, next) => {
  await using world = await settingsWorld(files);

  expect(await haft(["skills", verb], { world })).toMatchObject({
    code: 2,
    err: `haft: haft skills ${verb} needs an argument.\n${next}\n`,
  });
});
