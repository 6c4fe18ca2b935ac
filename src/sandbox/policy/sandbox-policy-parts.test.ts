import { mkdir, rm, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { policyWorld } from "../../../test/support/policy-world.ts";
import { loadSecretTables } from "../../text/index.ts";
import { protectedPathsChangedSince, sandboxPolicy } from "./sandbox-policy.ts";

const { at, files, names, policyOf, short } = policyWorld();

test("secrets are found where they are said to be, not where the table says", async () => {
  await files({ "home/.ssh/key": "x", "home/own/key": "x" });
  const { secretPlaces } = await loadSecretTables();
  const options = { homes: [at("nowhere")], variables: {}, workspace: at("workspace") };
  const secrets = secretPlaces({ ...options, add: [at("home/own")] });

  expect((await policyOf({ secrets })).hidden).toEqual(["home/own"]);
});

test("listed paths are hidden in addition to the secrets, except for those a user opened", async () => {
  await files({ "home/.netrc": "x", "home/diary": "x", "home/letters/one": "x" });

  const { hidden } = await policyOf({
    hide: [at("home/diary"), at("home/letters"), at("missing")],
  });

  expect(hidden).toEqual(["home/.netrc", "home/diary", "home/letters"]);
  expect(
    (await policyOf({ hide: [at("home/diary")], granted: [at("home/diary")] })).hidden,
  ).toEqual(["home/.netrc"]);
});

test("caches are written and not searched, unless they are hidden", async () => {
  await files({ "home/.npm/x/.npmrc": "", "home/.ssh/key": "" });

  const policy = await policyOf({ caches: [at("home/.npm"), at("home/.ssh")] });

  expect(policy.writable).toEqual(["home/.npm", "temporary", "workspace"]);
  expect(policy.searched).toEqual([at("workspace")]);
  expect(policy.protected).toEqual([]);
});

test("protected names hold in every writable tree, and a writable file is not a tree", async () => {
  await files({ "more/.npmrc": "", "more/deep/.npmrc": "", single: "", "workspace/.npmrc": "" });

  const policy = await policyOf({ writable: [at("more"), at("single")] });

  expect(policy.searched).toEqual([at("more"), at("workspace")]);
  expect(policy.protected).toEqual(["more/.npmrc", "more/deep/.npmrc", "workspace/.npmrc"]);
  expect(policy.watched).toContainEqual({ path: "more/.mcp.json" });
  expect(policy.watched.filter(({ path: name }) => name.startsWith("single"))).toEqual([]);
});

test("names given in place of the table hold at the root alone, and nothing is searched", async () => {
  await files({ "workspace/.npmrc": "", "workspace/guarded": "", "workspace/deep/guarded": "" });

  const policy = await policyOf({ protect: ["guarded", "missing"] });

  expect(policy.protected).toEqual(["workspace/guarded"]);
  expect(policy.searched).toEqual([]);
  expect(policy.watched).toContainEqual({ path: "workspace/missing" });
});

test("paths to keep are protected as well", async () => {
  await files({ "workspace/kept/file": "" });

  const { protected: held } = await policyOf({
    keep: [at("workspace/kept/file"), at("elsewhere")],
  });

  expect(held).toEqual(["workspace/kept/file"]);
});

test("what is hidden inside of the workspace is not protected besides, and its name is pinned", async () => {
  await files({ "workspace/deep/keys/.npmrc": "", "workspace/.npmrc": "" });

  const policy = await policyOf({ hide: [at("workspace/deep/keys")] });

  expect(policy.hidden).toEqual(["workspace/deep/keys"]);
  expect(policy.protected).toEqual(["workspace/.npmrc"]);
  expect(policy.pinned).toEqual(["workspace/deep"]);
});

const nested = {
  "workspace/.npmrc": "",
  "workspace/deep/.npmrc": "",
  "workspace/part/.git/config": "[core]\n hooksPath = tools\n",
  "workspace/part/tools/pre-push": "",
  "workspace/module/.git": "gitdir: ../.git/modules/module",
  "workspace/hooks/one": "",
  "home/.gitconfig": `[core]\n hooksPath = ~/own\n`,
  "home/own/one": "",
};

test("on an overlay only what is at the top is held, besides what is hidden", async () => {
  await files({ ...nested, "workspace/keys/inner/key": "" });

  const policy = await policyOf({ hide: [at("workspace/keys/inner")], writable: [at("home/own")] });

  expect(policy.protected).toEqual([
    "home/own",
    "workspace/.npmrc",
    "workspace/deep/.npmrc",
    "workspace/module/.git",
    "workspace/part/.git/config",
    "workspace/part/tools",
  ]);
  expect(policy.pinned).toEqual([
    "workspace/deep",
    "workspace/keys",
    "workspace/module",
    "workspace/part",
    "workspace/part/.git",
  ]);
  expect(policy.onOverlay).toEqual({
    pinned: [at("workspace/keys")],
    protected: [{ path: at("workspace/.npmrc"), kind: "file" }],
  });
  expect(policy.watched).toContainEqual({ path: "workspace/part/.git/hooks" });
});

test("on an overlay the top of every tree is held, names of several parts and patterns among it", async () => {
  await files({
    "workspace/.github/workflows/ci.yml": "",
    "workspace/lefthook-local.yml": "",
    "workspace/deep/.npmrc": "",
    "more/.npmrc": "",
  });

  const { onOverlay } = await policyOf({ writable: [at("more")] });

  expect(names(onOverlay?.protected ?? [])).toEqual([
    "more/.npmrc",
    "workspace/.github/workflows",
    "workspace/lefthook-local.yml",
  ]);
  expect(onOverlay?.pinned).toEqual([at("workspace/.github")]);
});

test("a rebase that is not finished is held, and of a protected directory what runs", async () => {
  await files({
    "workspace/.git/rebase-merge/git-rebase-todo": "",
    "workspace/.yarn/cache/x": "",
    "workspace/.yarn/releases/yarn.cjs": "",
  });

  expect((await policyOf()).protected).toEqual([
    "workspace/.git/rebase-merge",
    "workspace/.yarn/releases",
  ]);
});

test("a path that is named twice is watched once", async () => {
  const { watched } = await policyOf({ keep: [at("workspace/missing"), at("workspace/missing")] });

  expect(watched.filter((each) => each.path === "workspace/missing")).toHaveLength(1);
});

test("where nothing deeper is held, an overlay has the same policy", async () => {
  await files({ "workspace/.npmrc": "", "workspace/.git/HEAD": "", "workspace/.git/config": "" });

  expect(await policyOf()).not.toHaveProperty("onOverlay");
});

test("what a person opened is not held deeper inside either", async () => {
  await files(nested);

  const policy = await policyOf({ granted: [at("workspace/deep/.npmrc"), at("workspace/part")] });

  expect(policy.protected).toEqual(["workspace/.npmrc", "workspace/module/.git"]);
});

test("repositories and protected paths that were there are known, and only new ones are protected writes", async () => {
  await files(nested);
  const options = { workspace: at("workspace"), home: at("home"), temporary: at("temporary") };
  const policy = await sandboxPolicy({ ...options, variables: {} });
  expect(await protectedPathsChangedSince(policy)).toEqual([]);

  await files({ "workspace/new/.git/HEAD": "", "workspace/new/.vscode/x": "" });

  const protectedWrites = await protectedPathsChangedSince(policy);
  expect(protectedWrites.map((each) => short(each))).toEqual([
    "workspace/new/.vscode",
    "workspace/new/.git",
  ]);
});

test("a protected link that became a file is a protected write", async () => {
  await files({ "workspace/dot/mcp.json": "{}" });
  await symlink("dot/mcp.json", at("workspace/.mcp.json"));
  const options = { workspace: at("workspace"), home: at("home"), temporary: at("temporary") };
  const policy = await sandboxPolicy({ ...options, variables: {} });
  expect(await protectedPathsChangedSince(policy)).toEqual([]);

  await rm(at("workspace/.mcp.json"));
  await files({ "workspace/.mcp.json": "" });

  expect(await protectedPathsChangedSince(policy)).toEqual([at("workspace/.mcp.json")]);
});

test("a protected link that leads out of what can be written is watched, and nothing is held", async () => {
  await files({ "elsewhere/mcp.json": "{}" });
  await symlink(at("elsewhere/mcp.json"), at("workspace/.mcp.json"));

  const policy = await policyOf();

  expect(policy.protected).toEqual([]);
  expect(policy.watched).toContainEqual({
    path: "workspace/.mcp.json",
    link: at("elsewhere/mcp.json"),
  });
});

test("of what is hidden, what is to be shown can be read, and nothing else is said to be", async () => {
  await files({ "home/.ssh/key": "", "home/.ssh/config": "", "home/notes": "" });

  const { revealed } = await sandboxPolicy({
    workspace: at("workspace"),
    home: at("home"),
    temporary: at("temporary"),
    variables: {},
    reveal: [at("home/.ssh/config"), at("home/notes"), at("home/.ssh/missing")],
  });

  expect(revealed).toEqual([{ path: at("home/.ssh/config"), kind: "file" }]);
});

test.each([".ssh", ".ssh/key"])(
  "%s is not shown where a rule denies what is in it",
  async (name) => {
    await files({ "home/.ssh/key": "", "home/.ssh/config": "" });

    const { hidden, revealed } = await sandboxPolicy({
      workspace: at("workspace"),
      home: at("home"),
      temporary: at("temporary"),
      variables: {},
      hide: [at("home/.ssh/key")],
      reveal: [at(`home/${name}`)],
    });

    expect(revealed).toEqual([]);
    expect(hidden).toContainEqual({ path: at("home/.ssh"), kind: "directory" });
  },
);

test("network, limits and leftovers are as asked for; else closed, none and ended", async () => {
  const asked = {
    network: { kind: "open" },
    limits: { processes: 3 },
    leftovers: "kept",
  } as const;

  expect(await policyOf(asked)).toMatchObject(asked);
  expect(await policyOf()).toMatchObject({
    network: { kind: "none" },
    limits: {},
    leftovers: "ended",
  });
});

test.each([
  { allowed: "AB*", passed: ["AB", "ABC"] },
  { allowed: "AB", passed: ["AB"] },
  { allowed: "A*B", passed: [] },
])("of variables $allowed lets $passed pass", async ({ allowed, passed }) => {
  const variables = { A: "1", AB: "1", ABC: "1", XAB: "1", "A*X": "1" };

  const { environment } = await policyOf({ variables, allowVariables: [allowed] });

  expect(Object.keys(environment).filter((name) => name in variables)).toEqual(passed);
});

test("the refusal of a secret workspace says what to do", async () => {
  await mkdir(at("home/.ssh"));

  await expect(policyOf({ workspace: at("home/.ssh") })).rejects.toMatchObject({
    hint: "Work in another directory, or grant this one by name.",
    data: { path: at("home/.ssh") },
  });
});
