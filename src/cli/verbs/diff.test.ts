import { spawnSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cliWorld, haft, type CliWorld } from "../../../test/support/cli.ts";
import { namedFromWorkspace } from "../print/print-diff.ts";

async function write(world: CliWorld, name: string, content: string): Promise<void> {
  await haft(["call", "Write", `file_path=${name}`, `content=${content}`, "-y"], { world });
}

async function idsIn(world: CliWorld): Promise<readonly string[]> {
  const { out } = await haft(["history"], { world });
  return out
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0] ?? "");
}

test("diff shows what the last call changed, or the one that is named", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  await write(world, "a.txt", "1\n");
  await write(world, "b.txt", "new\n");
  const [, first = ""] = await idsIn(world);

  const last = await haft(["diff"], { world, hasColours: true });
  const named = await haft(["diff", first], { world, isOutputShown: true });
  const json = await haft(["diff", first, "--json"], { world });

  expect(last.code).toBe(0);
  expect(last.out).toContain("<green>+new</green>");
  expect(named.out).toContain("  -one\n  +1\n");
  expect(named.err).toContain("modified a.txt");
  expect(JSON.parse(json.out)).toMatchObject({
    callId: first,
    differences: [{ change: "modified", diff: expect.stringContaining("+1") }],
  });
});

test("in a pipe a diff is what git applies, names beyond ASCII and with blanks too", async () => {
  await using world = await cliWorld({ "folder/übung 1.txt": "one\ntwo\n" });
  const file = path.join(world.workspace, "folder/übung 1.txt");
  await write(world, "folder/übung 1.txt", "one\n2\n");

  const { out } = await haft(["diff"], { world });
  const applied = spawnSync("git", ["apply", "-R", "-"], {
    cwd: world.workspace,
    input: out,
    encoding: "utf8",
  });

  expect(out).toBe(
    "--- a/folder/übung 1.txt\n+++ b/folder/übung 1.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  );
  expect(applied).toMatchObject({ status: 0, stderr: "" });
  expect(await readFile(file, "utf8")).toBe("one\ntwo\n");
});

test("lines in an older encoding are shown to a person, and no pipe gets them for a patch", async () => {
  const before = Buffer.from("\uFEFFone\n", "utf16le");
  await using world = await cliWorld();
  await writeFile(path.join(world.workspace, "wide.txt"), before);
  await haft(["call", "Read", "file_path=wide.txt"], { world });
  await write(world, "wide.txt", "two\n");
  const differs = expect.stringMatching(/-.*one\n.*\+.*two\n/su);

  const shown = await haft(["diff"], { world, isOutputShown: true });
  const piped = await haft(["diff"], { world });
  const json = await haft(["diff", "--json"], { world });

  expect(shown.out).toEqual(differs);
  expect(shown.out).toMatch(/^ {2}wide\.txt: modified, in UTF-16LE\n/u);
  expect(piped.out).toBe("  wide.txt: modified, in UTF-16LE\n");
  expect(JSON.parse(json.out)).toMatchObject({
    differences: [{ encoding: "UTF-16LE", diff: differs }],
  });
});

test("a name that would break the line of a diff stays quoted", () => {
  const diff = '--- "a/w/x\\ny"\n+++ "b/w/x\\ny"\n@@ -1,1 +1,1 @@\n-1\n+2\n';

  expect(namedFromWorkspace(diff, "/w/x\ny", "/w")).toBe(diff);
});

test("diff of nothing, and of a call there is not, is a failure with a next step", async () => {
  await using world = await cliWorld();

  const none = await haft(["diff"], { world });
  const wrong = await haft(["diff", "call-x"], { world });
  const many = await haft(["diff", "a", "b"], { world });

  expect(none).toMatchObject({ code: 1, out: "" });
  expect(none.err).toContain("No call has changed anything here.");
  expect(wrong.err).toContain("No call call-x is in the history.");
  expect(wrong.err).toContain("haft history lists");
  expect(many.code).toBe(2);
});

test("a refused undo shows the three states and both differences, and which option loses them", async () => {
  await using world = await cliWorld({ "a.txt": "before\n", "b.txt": "before\n" });
  await write(world, "a.txt", "after\n");
  await writeFile(path.join(world.workspace, "a.txt"), "outsider\n");

  const refused = await haft(["undo"], { world });
  const json = await haft(["undo", "--json"], { world });
  const forced = await haft(["undo", "--force", "a.txt"], { world });

  expect(refused.code).toBe(1);
  expect(refused.err.replaceAll(world.workspace, "/w")).toMatchInlineSnapshot(`
    "haft: Nothing was changed: /w/a.txt is no longer as the call left it.
    Check the differences; force the paths whose present content may be lost.

    a.txt
      before the call: a file of 7 bytes, mode 644
      after it:        a file of 6 bytes, mode 644
      now:             a file of 9 bytes, mode 644
    Changed since:
      --- a/a.txt
      +++ b/a.txt
      @@ -1,1 +1,1 @@
      -after
      +outsider
    undo would change:
      --- a/a.txt
      +++ b/a.txt
      @@ -1,1 +1,1 @@
      -outsider
      +before

    To undo anyway and lose the present content: --force a.txt
    "
  `);
  expect(JSON.parse(json.out)).toMatchObject({
    error: { code: "STALE_READ", data: { conflicts: [{ now: "a file of 9 bytes, mode 644" }] } },
  });
  expect(json).toMatchObject({ code: 1, err: "" });
  expect(forced).toMatchObject({ code: 0, out: "Restored: a.txt (modified)\n" });
});

test("undo --to undoes every call after one; a count and --to exclude each other", async () => {
  await using world = await cliWorld();
  for (const name of ["a", "b", "c"]) await write(world, name, name);
  const [, , first = ""] = await idsIn(world);

  const back = await haft(["undo", "--to", first], { world });
  const both = await haft(["undo", "2", "--to", first], { world });
  const none = await haft(["undo", "0"], { world });

  expect(back).toMatchObject({ code: 0, out: "Restored: b (deleted)\nRestored: c (deleted)\n" });
  expect([both.code, none.code]).toEqual([2, 2]);
});

test("a redo that meets something else shows it as undo does", async () => {
  await using world = await cliWorld();
  await write(world, "a", "x");
  await haft(["undo"], { world });
  await writeFile(path.join(world.workspace, "a"), "theirs");

  const refused = await haft(["redo"], { world });
  await rm(path.join(world.workspace, "a"));
  const done = await haft(["redo"], { world });

  expect(refused.code).toBe(1);
  expect(refused.err).toContain("--force a");
  expect(done).toMatchObject({ code: 0, out: "Redone: a (created)\n" });
});
