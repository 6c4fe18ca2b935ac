import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { foundIn, gitDirectories, namedBySettings, runnable } from "./git-directories.ts";

const at = temporaryFolder("git-directories");

function files(entries: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(entries)) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), text);
  }
}

const short = (paths: readonly string[]): readonly string[] =>
  paths.map((each) => path.relative(at(""), each));

const running = ["hooks", "config", "config.worktree", "commondir", "info/attributes"];
const runningIn = (...repositories: readonly string[]): readonly string[] =>
  repositories.flatMap((repository) => running.map((name) => `${repository}/${name}`));

test("a workspace without a repository has the names of one held", async () => {
  mkdirSync(at("work"));

  const { writable, protected: held, found } = await gitDirectories(at("work"));

  expect(writable).toEqual([]);
  expect(short(held)).toEqual(runningIn("work/.git"));
  expect(short(found)).toEqual(["work/.git/rebase-merge", "work/.git/rebase-apply"]);
});

test("what git runs in a repository, its submodules and its worktrees is held", async () => {
  files({
    "work/.git/HEAD": "",
    "work/.git/modules/part/HEAD": "",
    "work/.git/modules/group/inner/config": "",
    "work/.git/modules/only/gitdir": "",
    "work/.git/modules/empty/notes": "",
    "work/.git/worktrees/other/HEAD": "",
  });

  const held = short(await runnable(at("work/.git")));

  const inner = ["modules/part", "modules/group/inner", "modules/only", "worktrees/other"];
  expect(held.toSorted()).toEqual(
    runningIn("work/.git", ...inner.map((name) => `work/.git/${name}`)).toSorted(),
  );
});

test.each([
  {
    because: "all of a repository is there",
    names: ["HEAD", "objects/x", "refs/x"],
    isInner: false,
  },
  { because: "it has no HEAD", names: ["config", "objects/x", "refs/x"], isInner: true },
  { because: "it has no objects", names: ["HEAD", "refs/x"], isInner: true },
  { because: "it has no refs", names: ["HEAD", "objects/x"], isInner: true },
])("the content of a submodule is looked through unless $because", async ({ names, isInner }) => {
  files(Object.fromEntries(names.map((name) => [`git/modules/a/${name}`, ""])));
  files({ "git/modules/a/logs/HEAD": "", "git/modules/a/deeper/HEAD": "" });

  const held = short(await runnable(at("git")));

  expect(held.includes("git/modules/a/logs/config")).toBe(isInner);
  expect(held).toContain("git/modules/a/deeper/config");
  expect(held).not.toContain("git/modules/config");
});

test("a file is not an inner repository, whatever its name", async () => {
  files({ "git/modules/HEAD": "", "git/modules/objects": "" });

  expect(short(await runnable(at("git")))).toEqual(runningIn("git"));
});

test("where there are too many inner directories, all of them are held", async () => {
  for (let index = 0; index <= 2000; index += 1) {
    mkdirSync(at(`git/modules/${index}`), { recursive: true });
  }
  files({ "git/modules/5/HEAD": "" });

  expect(short(await runnable(at("git")))).toEqual([
    ...runningIn("git"),
    "git/modules",
    "git/worktrees",
  ]);
});

test("settings lead to the files they include, one from the other, and to what git runs", async () => {
  files({
    "work/.git/config": "[include]\n path = ../more\n[core]\n hooksPath = tools/hooks\n",
    "work/more": "[include]\n path = .git/config\n path = last\n[core]\n fsmonitor = ./watch.sh\n",
    "work/last": "[core]\n hooksPath = tools/hooks\n",
    "work/.git/config.worktree": "[core]\n editor = bin/edit\n",
  });

  expect(short(await foundIn(at("work/.git"), at("work"))).toSorted()).toEqual(
    [
      "work/.git/rebase-merge",
      "work/.git/rebase-apply",
      "work/more",
      "work/.git/config",
      "work/last",
      "work/tools/hooks",
      "work/watch.sh",
      "work/bin/edit",
    ].toSorted(),
  );
});

test("settings that name the working tree, or a folder around it, hold nothing of it", async () => {
  files({ config: "[core]\n hooksPath = .\n editor = ../x\n" });

  const named = await namedBySettings([at("config")], { worktree: at("work") });

  expect(short(named)).toEqual(["x"]);
});

test("a path below the home directory is followed where that is known", async () => {
  files({ config: "[core]\n hooksPath = ~/hooks\n" });
  const worktree = at("work");

  const known = await namedBySettings([at("config")], { worktree, home: at("home") });

  expect(short(known)).toEqual(["home/hooks"]);
  expect(await namedBySettings([at("config")], { worktree })).toEqual([]);
});

test("settings are followed as far as twenty files", async () => {
  for (let index = 0; index < 30; index += 1) {
    files({ [`c${index}`]: `[include]\n path = c${index + 1}\n` });
  }

  const named = await namedBySettings([at("c0")], { worktree: at("work") });

  expect(short(named)).toEqual(Array.from({ length: 20 }, (_, index) => `c${index + 1}`));
});

const pointing = { "main/.git/HEAD": "", "main/.git/worktrees/w/HEAD": "" };

test("a worktree needs its own directory and the common one", async () => {
  files({
    ...pointing,
    "main/.git/worktrees/w/commondir": "../..",
    "main/.git/worktrees/w/gitdir": `${at("work/.git")}\n`,
    "work/.git": `gitdir: ${at("main/.git/worktrees/w")} \n`,
  });

  const { writable, protected: held, found } = await gitDirectories(at("work"));

  expect(short(writable)).toEqual(["main/.git"]);
  const own = ["commondir", "gitdir", "config", "config.worktree", "hooks"];
  expect(short(held)).toEqual([
    "work/.git",
    ...runningIn("main/.git", "main/.git/worktrees/w"),
    ...own.map((name) => `main/.git/worktrees/w/${name}`),
  ]);
  expect(short(found)).toEqual([
    "main/.git/rebase-merge",
    "main/.git/rebase-apply",
    "main/.git/worktrees/w/rebase-merge",
    "main/.git/worktrees/w/rebase-apply",
  ]);
});

test.each([
  {
    because: "it has no HEAD",
    more: { "main/.git/worktrees/v/gitdir": "../../../../work/.git" },
    to: "v",
  },
  { because: "it points nowhere back", more: { "main/.git/worktrees/w/gitdir": "" }, to: "w" },
  { because: "it is not there", more: {}, to: "missing" },
  { because: "it is a file", more: { "main/.git/worktrees/f": "" }, to: "f" },
])("a directory that a .git file names opens nothing where $because", async ({ more, to }) => {
  files({ ...pointing, ...more, "work/.git": `gitdir: ${at(`main/.git/worktrees/${to}`)}` });

  expect(await gitDirectories(at("work"))).toEqual({
    writable: [],
    protected: [at("work/.git")],
    found: [],
  });
});

test("a link in place of .git opens nothing, wherever it leads", async () => {
  files({ "other/HEAD": "", "other/gitdir": at("work/.git"), file: `gitdir: ${at("other")}` });
  mkdirSync(at("work"));
  symlinkSync(at("file"), at("work/.git"));

  expect(await gitDirectories(at("work"))).toEqual({
    writable: [],
    protected: [at("work/.git")],
    found: [],
  });
});

test("a link in place of .git opens nothing where settings name its folder either", async () => {
  files({
    "other/HEAD": "",
    "other/config": "[core]\n worktree = ../work\n",
    file: "gitdir: ../other",
  });
  mkdirSync(at("work"));
  symlinkSync(at("file"), at("work/.git"));

  expect((await gitDirectories(at("work"))).writable).toEqual([]);
});

test("a common directory counts only where git keeps its worktrees in it", async () => {
  files({
    "repository/HEAD": "",
    "repository/made/HEAD": "",
    "repository/made/commondir": "..",
    "repository/made/gitdir": at("work/.git"),
    "work/.git": `gitdir: ${at("repository/made")}`,
  });

  expect(short((await gitDirectories(at("work"))).writable)).toEqual(["repository/made"]);
});

test("files in an inner repository do not count as directories that are read", async () => {
  files(
    Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`git/modules/a/${index}`, ""])),
  );
  files({ "git/modules/b/HEAD": "" });

  expect(short(await runnable(at("git")))).toEqual(runningIn("git", "git/modules/b"));
});

test("a file of settings that includes itself again and again leaves room for others", async () => {
  const paths = [...Array<string>(30).fill("config"), "last"];
  files({
    config: `[include]\n${paths.map((name) => ` path = ${name}\n`).join("")}`,
    last: "[core]\n hooksPath = a~/hooks\n",
  });

  const named = await namedBySettings([at("config")], { worktree: at("work") });

  expect(short(named)).toEqual(["config", "last", "work/a~/hooks"]);
});

test("a repository inside of the workspace needs no opening", async () => {
  files({ "work/data/HEAD": "", "work/data/gitdir": at("work/.git"), "work/.git": "gitdir: data" });

  const { writable, protected: held } = await gitDirectories(at("work"));

  expect(writable).toEqual([]);
  expect(short(held)).toContain("work/data/hooks");
});
