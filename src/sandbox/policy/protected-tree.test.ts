import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { heldParts, protectedTree } from "./protected-tree.ts";

const at = temporaryFolder("protected-tree");

function files(...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(path.dirname(at(name)), { recursive: true });
    writeFileSync(at(name), "");
  }
}

const short = (paths: readonly string[]): readonly string[] =>
  paths.map((each) => path.relative(at(""), each));

async function look() {
  const { found, repositories, isPartial } = await protectedTree(at(""));
  return { found: short(found), repositories: short(repositories), isPartial };
}

test("protected paths are found at any depth, the outermost ones, with repositories apart", async () => {
  files(".git/config", ".mcp.json", "a/b/.vscode/settings.json", "a/b/.vscode/.npmrc", "a/c.ts");
  files("a/sub/.git", ".github/workflows/ci.yml", ".github/notes");

  expect(await look()).toEqual({
    found: [".mcp.json", ".github/workflows", "a/b/.vscode"],
    repositories: [".git", "a/sub/.git"],
    isPartial: false,
  });
});

test.each([
  { names: ["HEAD", "objects/x", "refs/x"], isOne: true },
  { names: ["HEAD", "commondir"], isOne: true },
  { names: ["HEAD"], isOne: false },
  { names: ["HEAD", "objects/x"], isOne: false },
  { names: ["HEAD", "refs/x"], isOne: false },
  { names: ["objects/x", "refs/x"], isOne: false },
  { names: ["commondir"], isOne: false },
])("a directory with $names is a repository without a working tree: $isOne", async (bare) => {
  files(...bare.names.map((name) => `data/${name}`), "data/.npmrc");

  expect(await look()).toEqual({
    found: bare.isOne ? [] : ["data/.npmrc"],
    repositories: bare.isOne ? ["data"] : [],
    isPartial: false,
  });
});

test("what package managers write is not looked through, and that is said", async () => {
  files("node_modules/x/.npmrc", "src/.npmrc");

  expect(await look()).toEqual({ found: ["src/.npmrc"], repositories: [], isPartial: true });
});

test("links are not followed", async () => {
  files("src/.npmrc");
  symlinkSync("src", at("alias"));

  expect((await look()).found).toEqual(["src/.npmrc"]);
});

test("what came since the last look is found, and what went is not", async () => {
  files("src/a.ts");
  // A directory that has just changed is always read again.
  await sleep(60);
  expect((await look()).found).toEqual([]);
  expect((await look()).found).toEqual([]);

  files("src/.npmrc");

  expect((await look()).found).toEqual(["src/.npmrc"]);
});

test("of many protected paths as many are found as a sandbox is given, and that is said", async () => {
  files(...Array.from({ length: 200 }, (_, index) => `d${index}/.npmrc`));

  const { found, isPartial } = await look();

  expect(found).toHaveLength(150);
  expect(isPartial).toBe(true);
});

test("a change right after a look is seen, although the clock of the file system is coarse", async () => {
  for (let index = 0; index < 50; index += 1) {
    files(`d${index}/a.ts`);
    await protectedTree(at(`d${index}`));
    files(`d${index}/.npmrc`);

    expect((await protectedTree(at(`d${index}`))).found).toEqual([at(`d${index}/.npmrc`)]);
  }
});

test("of a large tree as many directories are looked through as there is time for", async () => {
  for (let index = 0; index < 4000; index += 1) mkdirSync(at(`d${index}`));
  vi.spyOn(performance, "now").mockReturnValue(0);
  expect((await look()).isPartial).toBe(true);

  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 300));
  expect(await protectedTree(at("d1"))).toMatchObject({ isPartial: false });
  mkdirSync(at("d1/below/deeper"), { recursive: true });
  expect(await protectedTree(at("d1"))).toMatchObject({ isPartial: true });
});

test("a look that takes long lets others have their turn", async () => {
  let turns = 0;
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 20));
  setImmediate(() => (turns += 1));

  await protectedTree(at(""));

  expect(turns).toBe(1);
});

test("a tree that is not there holds nothing", async () => {
  expect(await protectedTree(at("missing"))).toEqual({
    found: [],
    repositories: [],
    isPartial: false,
  });
});

test.each([
  {
    because: "only these parts run something",
    names: [".hg/hgrc", ".hg/store/x"],
    path: ".hg",
    held: [".hg/hgrc"],
  },
  {
    because: "parts of it are written every day",
    names: [".yarn/cache/x", ".yarn/install-state.gz", ".yarn/releases/yarn.cjs"],
    path: ".yarn",
    held: [".yarn/releases"],
  },
  {
    because: "nothing in it is written every day",
    names: [".yarn/releases/yarn.cjs"],
    path: ".yarn",
    held: [".yarn"],
  },
  {
    because: "what runs may still be made",
    names: [".hg/store/x"],
    path: ".hg",
    held: [".hg/hgrc"],
  },
  { because: "it is in one", names: [".hg/hgrc/x"], path: ".hg/hgrc", held: [".hg/hgrc"] },
  { because: "it is a file", names: [".npmrc"], path: ".npmrc", held: [".npmrc"] },
  { because: "it is a file in place of one", names: [".hg"], path: ".hg", held: [".hg"] },
  { because: "it is not there", names: [], path: ".yarn", held: [".yarn"] },
  { because: "it is part of one", names: [".hg/hgrc"], path: ".hg/hgrc", held: [".hg/hgrc"] },
  { because: "it is not protected", names: ["src/a.ts"], path: "src", held: ["src"] },
])("of $path is held $held: $because", (each) => {
  files(...each.names);

  expect(short(heldParts(at(each.path), at("")))).toEqual(each.held);
});

test("a protected name around the tree is not one inside of it", () => {
  files(".hg/tree/src/a.ts");

  expect(short(heldParts(at(".hg/tree/src"), at(".hg/tree")))).toEqual([".hg/tree/src"]);
});
