import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { gitSettings, grantsFor, unmoved, withoutRedirected } from "./grants.ts";

const at = temporaryFolder("grants");

beforeEach(() => {
  for (const name of ["work/src", "work/.vscode", "home/notes", "more/.vscode", "else/deep"]) {
    mkdirSync(at(name), { recursive: true });
  }
  for (const name of ["work/.npmrc", "home/notes/a", "else/file"]) writeFileSync(at(name), "");
});

const short = (paths: readonly string[]): readonly string[] =>
  paths.map((each) => path.relative(at(""), each));

async function granted(name: string, replaces = true) {
  const { paths, tooWide } = grantsFor([{ path: at(name), replaces }], {
    workspace: at("work"),
    home: at("home"),
    writable: [at("more")],
  });
  return { paths: short(paths), tooWide };
}

test.each([
  { name: "work/src/new.ts", because: "it can be written already", opens: [] },
  { name: "more/new", because: "it is in another tree of the user", opens: [] },
  { name: "work/.npmrc", because: "its folder is the workspace", opens: ["work/.npmrc"] },
  { name: "work/.mcp.json", because: "it is missing, and its folder the workspace", opens: [] },
  { name: "work/.vscode", because: "it is a directory", opens: ["work/.vscode"] },
  { name: "work/.vscode/tasks.json", because: "it is made there", opens: ["work/.vscode"] },
  { name: "more/.vscode/tasks.json", because: "it is protected there", opens: ["more/.vscode"] },
  { name: "else/file", because: "it is replaced in its folder", opens: ["else"] },
  { name: "else/deep/a/b", because: "the nearest folder is there", opens: ["else/deep"] },
  {
    name: "home/notes/a",
    because: "its folder is less than the home folder",
    opens: ["home/notes"],
  },
])("to replace $name, $opens is opened: $because", async ({ name, opens }) => {
  expect(await granted(name)).toEqual({ paths: opens, tooWide: undefined });
});

test("something that is not there is made in its folder, whatever was said of it", async () => {
  expect(await granted("else/new", false)).toEqual({ paths: ["else"], tooWide: undefined });
});

test("the directory for temporary files is opened, although it lies in the root", async () => {
  const folder = realpathSync(tmpdir());
  const places = { workspace: "/haft-no/work", home: "/haft-no/home", writable: [] };

  const { paths } = grantsFor([{ path: `${folder}/haft-new`, replaces: true }], places);

  expect(paths).toEqual([folder]);
});

test("what is open by a tree inside of a protected one is not protected in it", async () => {
  const places = { workspace: at("work"), home: at("home"), writable: [at("more/.vscode")] };
  const write = { path: at("more/.vscode/x"), replaces: true };

  expect(grantsFor([write], places).paths).toEqual([]);
});

test("a file that is written into is opened alone", async () => {
  expect(await granted("else/file", false)).toEqual({ paths: ["else/file"], tooWide: undefined });
});

test.each([
  { name: "home/new", folder: "home", because: "it is the home folder" },
  { name: "other", folder: "", because: "the workspace is in it" },
])("a folder that holds much more is not opened: $because", async ({ name, folder }) => {
  expect(await granted(name)).toEqual({
    paths: [],
    tooWide: `It was allowed to write ${at(name)}, and opening ${path.resolve(at(folder))} for that would open much more`,
  });
});

test.each(["/haft-has-no-such-folder/x", "/usr/haft-has-no-such-file"])(
  "neither is the root, nor a folder of the system in it: %s",
  async (target) => {
    const places = { workspace: at("work"), home: at("home"), writable: [] };
    const { paths, tooWide } = grantsFor([{ path: target, replaces: true }], places);

    expect(paths).toEqual([]);
    expect(tooWide).toContain(`allowed to write ${target}`);
  },
);

test("of several that are too wide the first is named, and the others are opened", async () => {
  const writes = ["home/one", "else/file", "home/two"].map((name) => ({
    path: at(name),
    replaces: true,
  }));
  const places = { workspace: at("work"), home: at("home"), writable: [] };

  const { paths, tooWide } = grantsFor(writes, places);

  expect(short(paths)).toEqual(["else"]);
  expect(tooWide).toContain(at("home/one"));
});

test("in a workspace that is the whole machine, protected paths are found as well", async () => {
  const places = { workspace: "/", home: at("home"), writable: [] };
  const write = { path: at("work/.vscode"), replaces: true };

  expect(grantsFor([write], places).paths).toEqual([at("work/.vscode")]);
});

test("a path that was led elsewhere since is not opened", async () => {
  renameSync(at("work/src"), at("moved"));
  symlinkSync(at("moved"), at("work/src"));
  const paths = ["work/src", "work/.vscode", "work/missing"].map(at);

  expect(short(unmoved(paths))).toEqual(["work/.vscode"]);
  expect(unmoved([`${at("work")}/./.vscode`])).toHaveLength(1);
});

test("only what programs could lead elsewhere is asked where it leads", async () => {
  symlinkSync(at("else"), at("work/cache"));
  symlinkSync(at("else"), at("home/cache"));
  const paths = ["work/cache", "work/.vscode", "home/cache"].map(at);

  expect(short(withoutRedirected(paths, [at("else"), at("work")]))).toEqual([
    "work/.vscode",
    "home/cache",
  ]);
});

test("git's settings are those of the repository and of its submodules", async () => {
  mkdirSync(at("work/.git/modules/part"), { recursive: true });

  expect(short(await gitSettings(at("work")))).toEqual([
    "work/.git/config",
    "work/.git/config.worktree",
    "work/.git/modules/part/config",
    "work/.git/modules/part/config.worktree",
  ]);
  expect(short(await gitSettings(at("else")))).toEqual([
    "else/.git/config",
    "else/.git/config.worktree",
  ]);
});
