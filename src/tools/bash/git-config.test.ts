import { expect, test } from "vitest";
import { memoryHost } from "../../testing/index.ts";
import { repositoryConfig } from "./git-config.ts";

const settingsOf = async (files: Readonly<Record<string, string>>, folder = "/project") =>
  await repositoryConfig(memoryHost({ files }), folder);

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

test("a line that goes on after a backslash is one line", async () => {
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

  expect(await repositoryConfig(host, "/project/link")).toMatchObject({ settings: { "a.b": "1" } });
});

test.each([
  { config: "[include]\npath = ../evil", because: "includes another file" },
  { config: '[includeIf "gitdir:x"]\npath = ../evil', because: "includes another file" },
  { config: "[INCLUDE]\npath = ../evil", because: "includes another file" },
  { config: "[broken\nx = y", because: "cannot be understood" },
])("what cannot be told is unclear: $config", async ({ config, because }) => {
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

  expect(await repositoryConfig(host, "/project")).toMatchObject({ kind: "unclear" });
});
