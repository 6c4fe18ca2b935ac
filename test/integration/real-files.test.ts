import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bash, kitFolder, python } from "../support/kit-folder.ts";
import { leaveNothing } from "../support/leftovers.ts";

leaveNothing();

const { at, open } = kitFolder("haft-real-files-", (below) => {
  mkdirSync(below("work"));
  for (const name of ["a.txt", "b.txt"]) writeFileSync(below(`work/${name}`), "old\n");
});
const off = { sandbox: { overlay: "off" } } as const;

const changing = (name: string): string => python(`open('${name}', 'w').write('new')`);

test("with overlays off, the answer says that nothing was captured, and the history what changed", async () => {
  const kit = await open(off);

  const { text, undo, metadata } = await bash(kit, changing("a.txt"));

  expect(text).toContain(
    "It ran on the real files, so beyond what it declares nothing was captured for undo. It was switched off.",
  );
  expect(text).toContain("It changed a.txt; undo does not cover that.");
  expect(undo?.level).toBe("none");
  expect(metadata["sandbox"]).toMatchObject({
    undo: "none",
    files: { overlay: "none", because: "It was switched off." },
  });
  const [entry] = await kit.history();
  expect(entry?.skipped.map(({ path }) => path)).toEqual([at("work/a.txt")]);
});

test("a command that does only what it says has nothing to report", async () => {
  const kit = await open(off);

  const { text, undo } = await bash(kit, "printf new > a.txt");

  expect(text).not.toContain("real files");
  expect(undo?.level).toBe("full");
});

test("a protected file that changed on the real files is named", async () => {
  const kit = await open({ sandbox: { require: "off", overlay: "off" } });

  const { text } = await bash(kit, changing(".envrc"));

  expect(text).toContain(
    "This includes a protected file that the user was not asked about (.envrc): the user should check it.",
  );
});

test("so are settings of a submodule, and not what every commit writes", async () => {
  mkdirSync(at("work/.git/modules/m"), { recursive: true });
  for (const name of ["config", "HEAD"]) writeFileSync(at(`work/.git/modules/m/${name}`), "old\n");
  const kit = await open({ sandbox: { require: "off", overlay: "off" } });
  const both = ["config", "HEAD"].map((name) => `open('.git/modules/m/${name}', 'w').write('new')`);

  const { text } = await bash(kit, python(both.join("; ")));

  expect(text).toContain(
    "This includes a protected file that the user was not asked about (.git/modules/m/config): the user",
  );
});

test("undo continues behind a call of which nothing was kept, and names it", async () => {
  const kit = await open(off);
  await bash(kit, "printf mine > b.txt");
  const { id } = await bash(kit, changing("a.txt"));

  const { changes, skipped } = await kit.undo();

  expect(changes.map(({ path }) => path)).toEqual([at("work/b.txt")]);
  expect(readFileSync(at("work/b.txt"), "utf8")).toBe("old\n");
  const because = `Bash (${id}) may have changed it, and nothing of that was kept`;
  expect(skipped).toEqual([{ path: at("work/a.txt"), because }]);
  await expect(kit.undo()).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("what a program in the background changes after its call is in the history", async () => {
  const kit = await open();
  const waiting = `import os, time; [time.sleep(0.01) for _ in iter(lambda: os.path.exists("go"), True)]`;
  const command = `python3 -c '${waiting}; open("a.txt", "w").write("late")'`;
  const { id, text } = await bash(kit, command, { run_in_background: true });

  await bash(kit, "printf mine > b.txt");
  await bash(kit, "printf '' > go");
  await expect.poll(async () => (await kit.history())[0]?.callId).toBe(`${id}-end`);

  expect(text).toContain("It ran on the real files");
  const [late] = await kit.history();
  expect(late).toMatchObject({ tool: "Bash", level: "none", state: "done" });
  // Changes of other calls meanwhile are theirs.
  expect(late?.skipped.map(({ path }) => path)).toEqual([at("work/a.txt")]);
});

test("what another program's call changes meanwhile is not charged to a command", async () => {
  const [kit, other] = [await open(off), await open()];
  const waiting = `import os, time; open("started", "w"); [time.sleep(0.01) for _ in iter(lambda: os.path.exists("go"), True)]`;
  const running = bash(kit, `python3 -c '${waiting}'`);
  await expect.poll(() => existsSync(at("work/started"))).toBe(true);

  await bash(other, "printf theirs > b.txt");
  await bash(other, "printf '' > go");
  await running;

  const own = (await kit.history()).find(({ level }) => level === "none");
  const charged = (own?.skipped ?? []).map(({ path }) => path);
  // The call that lets it end may not be settled when it ends, so that nobody knows yet whose that file is.
  expect(charged.filter((path) => path !== at("work/go"))).toEqual([at("work/started")]);
});
