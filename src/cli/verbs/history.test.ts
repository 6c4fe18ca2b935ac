import { mkdir, readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import {
  cliWorld,
  haft,
  settingsWorld,
  treeHash,
  type CliWorld,
} from "../../../test/support/cli.ts";

async function write(world: CliWorld, name: string, content: string): Promise<void> {
  const { code } = await haft(["call", "Write", `file_path=${name}`, `content=${content}`, "-y"], {
    world,
  });
  expect(code).toBe(0);
}

test("undo restores exactly what a call changed, and redo does it again", async () => {
  await using world = await cliWorld({ "a.txt": "before\n" });
  const before = await treeHash(world.workspace);
  await write(world, "a.txt", "after");
  const after = await treeHash(world.workspace);

  const undone = await haft(["undo"], { world });
  expect(await treeHash(world.workspace)).toBe(before);
  const redone = await haft(["redo"], { world });

  expect(undone).toMatchObject({ code: 0, out: "Restored: a.txt (modified)\n", err: "" });
  expect(redone).toMatchObject({ code: 0, out: "Redone: a.txt (modified)\n", err: "" });
  expect(await treeHash(world.workspace)).toBe(after);
});

test("history, undo and redo name the hook whose change they cover", async () => {
  const command = "echo formatted > a.txt";
  const hooks = {
    PostToolUse: [{ matcher: "Write", hooks: [{ type: "command", command }] }],
  };
  await using world = await settingsWorld({
    "a.txt": "before\n",
    ".haft/settings.json": JSON.stringify({ hooks }),
  });
  await haft(["trust", "add"], { world, answers: ["y"] });
  await write(world, "a.txt", "after");

  const past = await haft(["history"], { world });
  const undone = await haft(["undo"], { world });
  const before = await readFile(path.join(world.workspace, "a.txt"), "utf8");
  const redone = await haft(["redo"], { world });

  expect(past.out).toContain(`modified a.txt (also while the hook \`${command}\` ran)`);
  const note = `a.txt: also what changed while the hook \`${command}\` ran after the call\n`;
  expect(undone).toMatchObject({ code: 0, out: `Restored: a.txt (modified)\n${note}`, err: "" });
  expect(before).toBe("before\n");
  expect(redone).toMatchObject({ code: 0, out: `Redone: a.txt (modified)\n${note}` });
  expect(await readFile(path.join(world.workspace, "a.txt"), "utf8")).toBe("formatted\n");
});

test("undo N undoes the last N calls, and undo with an id that call", async () => {
  await using world = await cliWorld();
  await write(world, "a.txt", "a");
  await write(world, "b.txt", "b");
  await write(world, "c.txt", "c");
  const listed = await haft(["history"], { world });
  const [newest, , oldest] = listed.out.trimEnd().split("\n");

  const byId = await haft(["undo", oldest?.split(" ")[0] ?? ""], { world });
  const lastTwo = await haft(["undo", "2"], { world });

  expect(newest).toContain("created c.txt");
  expect(byId.out).toBe("Restored: a.txt (deleted)\n");
  expect(lastTwo.out).toBe("Restored: b.txt (deleted)\nRestored: c.txt (deleted)\n");
});

test("a file that changed since the call is left alone, unless forced", async () => {
  await using world = await cliWorld({ "a.txt": "before\n" });
  const file = path.join(world.workspace, "a.txt");
  await write(world, "a.txt", "after");
  await writeFile(file, "someone else\n");

  const refused = await haft(["undo"], { world });
  const kept = await readFile(file, "utf8");
  const forced = await haft(["undo", "--force", file], { world });

  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("a.txt");
  expect(kept).toBe("someone else\n");
  expect(forced.code).toBe(0);
  expect(await readFile(file, "utf8")).toBe("before\n");
});

test("what is more than the journal keeps is said with the answer, in the history and by undo", async () => {
  await using world = await cliWorld({ "folder/small.txt": "small\n" });
  const largeBytes = 70 * 1024 * 1024;
  const names = Array.from({ length: 12 }, (_, index) => `folder/large-${10 + index}`);
  await mkdir(path.join(world.workspace, "folder"), { recursive: true });
  for (const name of names) {
    const file = path.join(world.workspace, name);
    await writeFile(file, "");
    await truncate(file, largeBytes);
  }

  const called = await haft(["call", "Bash", "command=rm -r folder", "--yes"], { world });
  const listed = await haft(["history"], { world });
  const undone = await haft(["undo"], { world });

  const because = `its ${largeBytes} bytes are more than a call's journal keeps`;
  expect(called).toMatchObject({ code: 0 });
  expect(called.out).toContain(
    `${world.workspace}/folder/large-10 and 11 more cannot be undone: ${because}.`,
  );
  expect(listed.out).toContain(
    "(only part of it can be undone: folder/large-10 and 11 more are not stored)",
  );
  expect(undone).toMatchObject({
    code: 1,
    out: "Restored: folder (created)\nRestored: folder/small.txt (created)\n",
  });
  expect(undone.err.split("\n").slice(9)).toEqual([
    `Unchanged: folder/large-19: ${because}`,
    "Unchanged: 2 more that were not stored; --json lists them.",
    "",
  ]);
});

test("--force with a path that no call changed takes nothing back", async () => {
  await using world = await cliWorld();
  await write(world, "a.txt", "text");

  const wrong = await haft(["undo", "--force", "b.txt"], { world });

  expect(wrong).toMatchObject({ code: 2, out: "" });
  expect(wrong.err).toContain("--force b.txt: no call in the history changed it.");
  expect(await readFile(path.join(world.workspace, "a.txt"), "utf8")).toBe("text");
});

test.each([
  [["history", "--force", "a.txt"], "There is no option --force here."],
  [["history", "--to", "call-1"], "There is no option --to here."],
  [["redo", "--to", "call-1"], "There is no option --to here."],
  [["redo", "3"], 'Unexpected argument "3".'],
])("%j says something that would be overlooked, so nothing is done", async (words, says) => {
  await using world = await cliWorld();
  await write(world, "a.txt", "text");
  await haft(["undo"], { world });

  const { code, err } = await haft(words, { world });
  const { out } = await haft(["history"], { world });

  expect(code).toBe(2);
  expect(err).toBe(`haft: ${says}\nhaft ${words[0]} --help says what it takes.\n`);
  expect(out).toContain("(undone)");
});

test("an empty history is reported next to the empty list", async () => {
  await using world = await cliWorld();

  const plain = await haft(["history"], { world });
  const json = await haft(["history", "--json"], { world });

  expect(plain).toMatchObject({ code: 0, out: "", err: "No call has changed anything here.\n" });
  expect(JSON.parse(json.out)).toEqual([]);
});

test("nothing to undo is a failure with a reason", async () => {
  await using world = await cliWorld();

  const { code, err } = await haft(["undo"], { world });

  expect(code).toBe(1);
  expect(err).toContain("There is nothing to undo.");
});

test.each([
  ["history", "3"],
  ["undo", "1", "2"],
  ["redo", "x"],
])("%s %s is a word too many", async (...words) => {
  await using world = await cliWorld();

  const { code, err } = await haft(words, { world });

  expect(code).toBe(2);
  expect(err).toContain("Unexpected argument");
});

test("what undo had to leave is said by the history, too", async () => {
  await using world = await cliWorld();
  await write(world, "d/a.txt", "a");
  await writeFile(path.join(world.workspace, "d/theirs"), "theirs");

  const undone = await haft(["undo"], { world });
  const listed = await haft(["history"], { world });

  expect(undone).toMatchObject({
    code: 1,
    err: "Unchanged: d: it holds files the call did not make\n",
  });
  expect(listed.out).toContain("(undone except for d: it holds files the call did not make)");
});
