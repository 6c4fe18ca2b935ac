import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { haft, settingsWorld } from "../../../../test/support/cli.ts";

const settings = (permissions: object): Readonly<Record<string, string>> => ({
  ".haft/settings.json": JSON.stringify({ permissions }),
});

test("the rules are listed in the order they are looked at, each with its place", async () => {
  await using world = await settingsWorld(
    settings({ allow: ["Bash(npm test)"], deny: ["Read(./secrets/**)"] }),
  );

  const { code, out } = await haft(["permissions", "list", "--ask", "Bash(git push *)"], { world });

  const file = path.join(world.workspace, ".haft/settings.json");
  expect(code).toBe(0);
  expect(out.replaceAll(file, "FILE")).toMatchInlineSnapshot(`
    "deny   Read(./secrets/**)  FILE:1
    ask    Bash(git push *)  option
    allow  Bash(npm test)  FILE:1  (does not count: expired, or the workspace is not trusted)
    "
  `);
});

test("a rule is shown exactly, then saved where it says, and found again by list and test", async () => {
  await using world = await settingsWorld();
  const words = ["permissions", "add", "Bash(npm run *)"];

  const added = await haft([...words, "--match", "npm run a", "--not-match", "npm ci"], { world });
  const tested = await haft(["permissions", "test", "npm run build"], { world });
  const again = await haft(words, { world });
  const listed = await haft(["permissions", "list"], { world });

  expect(added.code).toBe(0);
  expect(added.err).toContain("allow in the local settings: Bash(npm run *)\n");
  const file = path.join(world.workspace, ".haft/settings.local.json");
  expect(added.out).toContain(`Saved: Bash(npm run *) (${file}:`);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    permissions: { allow: ["Bash(npm run *)"] },
  });
  expect(tested).toMatchObject({ code: 0 });
  expect(tested.out).toMatch(/^allow: Bash\(npm run \*\) \(.*settings\.local\.json:\d+\)\n$/u);
  expect(again.out).toContain("Already saved: Bash(npm run *)");
  expect(listed.out).toMatch(/^allow  Bash\(npm run \*\)  .*settings\.local\.json:\d+\n$/u);
});

test.each([
  { match: ["--match", "npm ci"], says: 'It does not match its own example "npm ci".' },
  {
    match: ["--not-match", "timeout 5 npm run a"],
    says: 'It matches "timeout 5 npm run a", which it should not.',
  },
])("examples are understood as commands: $match", async ({ match, says }) => {
  await using world = await settingsWorld();

  const added = await haft(["permissions", "add", "Bash(npm run *)", ...match], { world });

  expect(added.code).toBe(1);
  expect(added.err).toContain(says);
  expect((await haft(["permissions", "list"], { world })).out).toBe("");
});

test("an example that comes out as it should saves the rule", async () => {
  await using world = await settingsWorld();
  const words = ["permissions", "add", "Bash(npm run *)", "--not-match", "npm run a; ls"];

  expect((await haft(words, { world })).code).toBe(0);
});

test("a person is asked before anything is saved, and no saves nothing", async () => {
  await using world = await settingsWorld();

  const { code, err, terminal } = await haft(["permissions", "add", "Bash(ls)"], {
    world,
    answers: ["n"],
  });

  expect(code).toBe(1);
  expect(terminal.questions).toEqual(["Save it? [y/N] "]);
  expect(err).toContain("Nothing was saved.");
  expect((await haft(["permissions", "list"], { world })).out).toBe("");
});

test("who leaves the question has saved nothing", async () => {
  await using world = await settingsWorld();

  const { code, err } = await haft(["permissions", "add", "Bash(ls)"], { world, answers: [] });

  expect(code).toBe(1);
  expect(err).toMatch(/Nothing was saved\.\n$/u);
});

test("a rule is removed by its text, and where else it stands is said", async () => {
  await using world = await settingsWorld(settings({ deny: ["Bash(npm publish)"] }));

  const wrong = await haft(["permissions", "remove", "Bash(npm publish)"], { world });
  const right = await haft(
    ["permissions", "remove", "Bash(npm publish)", "--list", "deny", "--scope", "project"],
    { world },
  );

  expect(wrong.code).toBe(1);
  expect(wrong.err).toContain("there is no allow rule Bash(npm publish) in the local settings");
  expect(wrong.err).toContain("The rule is here: deny   Bash(npm publish)");
  expect(right).toMatchObject({ code: 0 });
  expect((await haft(["permissions", "list"], { world })).out).toBe("");
});

test("a call that cannot be made is reported with its next step", async () => {
  await using world = await settingsWorld();

  const { code, out } = await haft(["permissions", "test", "Raed", "file_path=x"], { world });

  expect(code).toBe(1);
  expect(out).toMatch(/^UNKNOWN_TOOL: .* Did you mean Read\?\nAvailable tools: /u);
});

test("a rule that stands nowhere is not removed, and where to look is said", async () => {
  await using world = await settingsWorld();

  const { code, err } = await haft(["permissions", "remove", "Read(x)"], { world });

  expect(code).toBe(1);
  expect(err).toContain("haft permissions list shows the rules.");
});

test("what decides is named: the rule, its file and line, and what nothing answers", async () => {
  await using world = await settingsWorld(settings({ deny: ["Bash(npm publish)"] }));

  const denied = await haft(["permissions", "test", "FOO=1 npm publish"], { world });
  const asked = await haft(["permissions", "test", "npm ci"], { world });
  const call = await haft(["permissions", "test", "Read", "file_path=a.txt"], { world });

  expect(denied.code).toBe(3);
  expect(denied.out).toMatch(/^deny: Bash\(npm publish\) \(.*settings\.json:1\)\n/u);
  expect(asked).toMatchObject({ code: 4 });
  expect(asked.out).toContain(
    "ask: no rule applies\nnpm can run arbitrary code. Its effects are unknown",
  );
  expect(call).toMatchObject({ code: 0, out: "allow: default: read-inside (mode)\n" });
});

test.each([
  { words: ["frob"], says: "permissions has no" },
  { words: ["add"], says: "Give exactly one rule" },
  { words: ["add", "Bash(ls)", "--scope", "session"], says: 'There is no scope "session".' },
  { words: ["add", "Bash(ls)", "--list", "alow"], says: "Did you mean allow?" },
  { words: ["test"], says: "Test what?" },
  { words: ["list", "x"], says: "Unexpected argument" },
])("wrong use says what is right: $words", async ({ words, says }) => {
  await using world = await settingsWorld();

  const { code, err } = await haft(["permissions", ...words], { world });

  expect(code).toBe(2);
  expect(err).toContain(says);
});
