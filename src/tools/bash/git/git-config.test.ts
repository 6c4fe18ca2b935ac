import { expect, test } from "vitest";
import { memoryHost } from "../../../testing/index.ts";
import { repositoryConfig } from "./git-config.ts";

const settingsOf = async (files: Readonly<Record<string, string>>, folder = "/project") =>
  await repositoryConfig(memoryHost({ files }), folder, "/project");

test("a folder without a repository has no configuration", async () => {
  expect(await settingsOf({ "a.txt": "" })).toEqual({ kind: "known", settings: {} });
});

test("sections, sub-sections, values on the header's line and bare keys are read", async () => {
  const config = '[core]\n\tfsmonitor = ./x\n[filter "a"] clean = y\n; no\n# no\n[b]\n\tbare\n';

  expect(await settingsOf({ ".git/config": config })).toEqual({
    kind: "known",
    settings: { "core.fsmonitor": "./x", "filter.a.clean": "y", "b.bare": "true" },
  });
});

test("a line that continues after a backslash is one line", async () => {
  expect(await settingsOf({ ".git/config": "[a]\n\tb = x \\\n y\n" })).toMatchObject({
    settings: { "a.b": "x  y" },
  });
});

test("the repository above a folder counts, and its worktree settings too", async () => {
  const files = { ".git/config": "[a]\nb=1", ".git/config.worktree": "[c]\nd=2", "sub/x": "" };

  expect(await settingsOf(files, "/project/sub")).toMatchObject({
    settings: { "a.b": "1", "c.d": "2" },
  });
});

test("a worktree is followed to the folder it shares", async () => {
  const files = {
    "work/.git": "gitdir: ../main/.git/worktrees/work\n",
    "main/.git/worktrees/work/commondir": "../..\n",
    "main/.git/worktrees/work/config.worktree": "[w]\nx=1",
    "main/.git/config": "[m]\ny=2",
  };

  expect(await settingsOf(files, "/project/work")).toMatchObject({
    settings: { "m.y": "2", "w.x": "1" },
  });
});

test("a bare repository is one by its files", async () => {
  const files = { HEAD: "ref", "objects/x": "", config: "[a]\nb=1" };

  expect(await settingsOf(files)).toMatchObject({ settings: { "a.b": "1" } });
});

test("a folder that is a link is looked at where it leads", async () => {
  const host = memoryHost({ files: { "/other/.git/config": "[a]\nb=1", "/other/sub/x": "" } });
  host.control.plant("/project/link", { kind: "symlink", target: "/other/sub" });

  expect(await repositoryConfig(host, "/project/link", "/project")).toMatchObject({
    settings: { "a.b": "1" },
  });
});

test.each([
  { config: "[include]\npath = ../evil", because: "includes another file" },
  { config: '[includeIf "gitdir:x"]\npath = ../evil', because: "includes another file" },
  { config: "[INCLUDE]\npath = ../evil", because: "includes another file" },
  { config: "[broken\nx = y", because: "cannot be understood" },
])("an unreadable configuration is unclear: $config", async ({ config, because }) => {
  const found = await settingsOf({ ".git/config": config });

  expect(found).toMatchObject({ kind: "unclear" });
  expect(found.kind === "unclear" ? found.because : "").toContain(because);
});

test.each([{ text: "nothing here" }, { text: "gitdir:" }])(
  "a .git file that names no folder is unclear: $text",
  async ({ text }) => {
    expect(await settingsOf({ ".git": text })).toMatchObject({ kind: "unclear" });
  },
);

test("a configuration that cannot be read is unclear", async () => {
  const host = memoryHost({ files: { ".git/config": "[a]\nb=1" } });
  host.control.plant("/project/.git/config", { kind: "fifo" });

  expect(await repositoryConfig(host, "/project", "/project")).toMatchObject({ kind: "unclear" });
});

const evil = '[filter "x"]\nclean = ./evil';
const found = { kind: "known", settings: { "filter.x.clean": "./evil" } };

test.each([
  { config: `# a \\\n${evil}`, because: "a comment does not go on" },
  { config: `[a]\nb = 1 ; c \\\n${evil}`, because: "nor does one behind a value" },
  { config: `[a]\nb = "1" # c \\\n${evil}`, because: "nor behind quotes" },
  { config: `[a][filter "x"]clean = ./evil`, because: "headers may be on one line" },
])("what git reads is read: $because", async ({ config }) => {
  const { kind, ...read } = await settingsOf({ ".git/config": config });

  expect(kind).toBe("known");
  expect(read).toMatchObject({ settings: found.settings });
});

test("a value in quotes continues over a sign that begins a comment elsewhere", async () => {
  expect(await settingsOf({ ".git/config": `[a]\nb = "#;" \\\n${evil}` })).toEqual({
    kind: "known",
    settings: { "a.b": '"#;" [filter "x"]', "a.clean": "./evil" },
  });
});

test("an included file behind another header is unclear", async () => {
  expect(await settingsOf({ ".git/config": "[a] [include]path = ../evil" })).toMatchObject({
    kind: "unclear",
  });
});

const real = { ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": "" };

test.each([
  {
    files: {},
    because: "git searches further up where a directory called .git is not a repository",
  },
  { files: { "sub/.git/HEAD": "garbage" }, because: "also where its HEAD is invalid" },
])("$because", async ({ files }) => {
  const all = { ...real, ".git/config": evil, "sub/.git/config": "[a]\nb=1", ...files };

  expect(await settingsOf(all, "/project/sub")).toMatchObject(found);
});

test("a repository above one that certainly is one does not count", async () => {
  const inner = Object.fromEntries(
    Object.entries(real).map(([path, text]) => [`sub/${path}`, text]),
  );
  const files = { ...real, ...inner, ".git/config": evil, "sub/.git/config": "[a]\nb=1" };

  expect(await settingsOf(files, "/project/sub")).toEqual({
    kind: "known",
    settings: { "a.b": "1" },
  });
});

test.each([{ target: "refs/heads/none" }, { target: "../elsewhere" }])(
  "a HEAD that is a link to $target may be one",
  async ({ target }) => {
    const host = memoryHost({ files: { objects: "", "d/objects/x": "", "d/config": evil } });
    host.control.plant("/project/d/HEAD", { kind: "symlink", target });

    expect(await repositoryConfig(host, "/project/d", "/project")).toMatchObject(found);
  },
);

test.each([
  { folder: "d", because: "a bare repository" },
  { folder: "d/.git", because: "a repository" },
])("$because may keep its objects and configuration elsewhere", async ({ folder }) => {
  const files = {
    [`${folder}/HEAD`]: "ref: refs/heads/main",
    [`${folder}/commondir`]: "./c\n",
    [`${folder}/c/objects/x`]: "",
    [`${folder}/c/config`]: evil,
  };

  expect(await settingsOf(files, "/project/d")).toMatchObject(found);
});

test.each([
  { worktree: "/home/user", kind: "unclear" },
  { worktree: "../..", kind: "unclear" },
  { worktree: "..", kind: "known" },
])("a repository that works on the files of $worktree is $kind", async ({ worktree, kind }) => {
  const files = { ".git/config": `[core]\nworktree = ${worktree}` };

  expect(await settingsOf(files)).toMatchObject({ kind });
});

test.each([
  { name: ".gitmodules", value: "none", kind: "unclear" },
  { name: ".gitmodules", value: "untracked", kind: "unclear" },
  { name: ".git/config", value: "none", kind: "unclear" },
  { name: ".gitmodules", value: "dirty", kind: "known" },
  { name: ".gitmodules", value: "all", kind: "known" },
])("a submodule that is looked into by $value in $name is $kind", async ({ name, value, kind }) => {
  const files = { ".git/x": "", [name]: `[submodule "s"]\nignore = ${value}` };

  expect(await settingsOf(files)).toMatchObject({ kind });
});

test("a .git file of more than one line is unclear", async () => {
  const files = { "work/.git": "gitdir: ../a\ngitdir: ../b", "a/config": "", "b/config": evil };

  expect(await settingsOf(files, "/project/work")).toMatchObject({ kind: "unclear" });
});

test("files that a setting names are looked up from the top, and from where git starts", async () => {
  const config = "[blame]\nignoreRevsFile = ign\nignoreRevsFile = ../up\n[diff]\norderFile = o";

  expect(await settingsOf({ ".git/config": config, "sub/x": "" }, "/project/sub")).toEqual({
    kind: "known",
    settings: {
      "blame.ignorerevsfile": "ign\0../up",
      "diff.orderfile": "/project/o\0/project/sub/o",
    },
  });
});

test("no value hides another one, in whatever case and file it is written", async () => {
  const files = {
    ".git/config": "[pretty]\na = %G?\n[Pretty]\nA = %h\na = %h",
    ".git/config.worktree": "[pretty]\na = %s",
  };

  expect(await settingsOf(files)).toMatchObject({ settings: { "pretty.a": "%G?\0%h\0%s" } });
});
