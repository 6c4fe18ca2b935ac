import { mkdir, rm, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { policyWorld } from "../../../test/support/policy-world.ts";
import { protectedPathsChangedSince, sandboxPolicy } from "./sandbox-policy.ts";

const { at, files, policyOf } = policyWorld();

test("only what exists is masked", async () => {
  await files({ "home/.ssh/key": "x", "home/.netrc": "x", "home/notes": "x" });

  const { hidden } = await policyOf();

  expect(hidden).toEqual(["home/.netrc", "home/.ssh"]);
});

test("a secret behind a link is hidden where it is", async () => {
  await files({ "disk/keys/key": "x" });
  await symlink(at("disk/keys"), at("home/.ssh"));

  const { hidden } = await policyOf();

  expect(hidden).toEqual(["disk/keys"]);
});

test("what runs outside later is protected, and every directory above it keeps its name", async () => {
  await files({
    "workspace/.git/config": "",
    "workspace/.git/hooks/sample": "",
    "workspace/.github/workflows/ci.yml": "",
    "workspace/.claude/settings.json": "",
    "workspace/source.ts": "",
  });

  const policy = await policyOf();

  expect(policy.protected).toEqual([
    "workspace/.claude",
    "workspace/.git/config",
    "workspace/.git/hooks",
    "workspace/.github/workflows",
  ]);
  expect(policy.pinned).toEqual(["workspace/.git", "workspace/.github"]);
});

test("protected names that are missing are watched, and found once they appear", async () => {
  await files({ "workspace/.git/config": "" });
  const policy = await sandboxPolicy({
    workspace: at("workspace"),
    home: at("home"),
    temporary: at("temporary"),
    variables: {},
  });
  expect(await protectedPathsChangedSince(policy)).toEqual([]);

  await files({ "workspace/.mcp.json": "{}", "workspace/.git/commondir": "../own" });

  expect(await protectedPathsChangedSince(policy)).toEqual([
    at("workspace/.git/commondir"),
    at("workspace/.mcp.json"),
  ]);
});

test("a protected link is held at its target, and watched for being turned", async () => {
  await files({ "workspace/dot/mcp.json": "{}" });
  await symlink("dot/mcp.json", at("workspace/.mcp.json"));
  const options = { workspace: at("workspace"), home: at("home"), temporary: at("temporary") };
  const policy = await sandboxPolicy({ ...options, variables: {} });

  expect(policy.protected.map((entry) => entry.path)).toEqual([at("workspace/dot/mcp.json")]);
  expect(policy.watched).toContainEqual({ path: at("workspace/.mcp.json"), link: "dot/mcp.json" });

  await rm(at("workspace/.mcp.json"));
  await symlink("elsewhere", at("workspace/.mcp.json"));

  expect(await protectedPathsChangedSince(policy)).toEqual([at("workspace/.mcp.json")]);
});

test.each(["home/.ssh", "home/.ssh/deep", "home/.config/gcloud"])(
  "a workspace in %s is refused",
  async (name) => {
    await mkdir(at(name), { recursive: true });

    await expect(policyOf({ workspace: at(name) })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
  },
);

test("a workspace that leads into secrets by a link is refused as well", async () => {
  await mkdir(at("home/.aws"));
  await symlink(at("home/.aws"), at("innocent"));

  await expect(policyOf({ workspace: at("innocent") })).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
});

test("a missing workspace is said to be missing", async () => {
  await expect(policyOf({ workspace: at("nowhere") })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("another writable tree is no way into a secret", async () => {
  await mkdir(at("home/.ssh"));
  await mkdir(at("more"));

  const { writable } = await policyOf({ writable: [at("home/.ssh"), at("more")] });

  expect(writable).toEqual(["more", "temporary", "workspace"]);
});

test("what a person grants is neither protected nor hidden any more", async () => {
  await files({ "workspace/.mcp.json": "{}", "home/.netrc": "x", "home/.ssh/key": "x" });

  const policy = await policyOf({ granted: [at("workspace/.mcp.json"), at("home/.netrc")] });

  expect(policy.protected).toEqual([]);
  expect(policy.hidden).toEqual(["home/.ssh"]);
  expect(policy.granted).toEqual(["workspace/.mcp.json", "home/.netrc"]);
});

test("only listed variables are passed on, and the private directory is the temporary one", async () => {
  const { environment } = await policyOf({
    variables: { PATH: "/bin", LC_ALL: "C", GITHUB_TOKEN: "x", LD_PRELOAD: "x", EMPTY: undefined },
  });

  expect(environment).toEqual({
    PATH: "/bin",
    LC_ALL: "C",
    TMPDIR: at("temporary"),
    TMP: at("temporary"),
    TEMP: at("temporary"),
  });
});

test("narrowed reading keeps the system's trees and the workspace", async () => {
  const { readable } = await sandboxPolicy({
    workspace: at("workspace"),
    home: at("home"),
    temporary: at("temporary"),
    variables: {},
    readable: [at("home")],
  });

  expect(readable).toContain("/usr");
  expect(readable).toContain(at("home"));
  expect(readable).toContain(at("workspace"));
  expect(readable).not.toContain("/");
});

const worktree = {
  "main/.git/HEAD": "ref: refs/heads/main\n",
  "main/.git/config": "",
  "main/.git/hooks/sample": "",
  "main/.git/worktrees/other/HEAD": "ref: refs/heads/other\n",
  "main/.git/worktrees/other/commondir": "../..\n",
};

test("a worktree's real git directory is opened, its hooks and settings are not", async () => {
  await files({
    ...worktree,
    "main/.git/worktrees/other/gitdir": `${at("workspace/.git")}\n`,
    "workspace/.git": `gitdir: ${at("main/.git/worktrees/other")}\n`,
  });

  const policy = await policyOf();

  expect(policy.writable).toEqual(["main/.git", "temporary", "workspace"]);
  expect(policy.protected).toEqual([
    "main/.git/config",
    "main/.git/hooks",
    "main/.git/worktrees/other/commondir",
    "main/.git/worktrees/other/gitdir",
    "workspace/.git",
  ]);
});

test.each([
  { why: "does not point back", gitdir: "/somewhere/else/.git\n" },
  { why: "points at another workspace", gitdir: undefined },
])("a git directory that $why is not opened", async ({ gitdir }) => {
  await files({
    ...worktree,
    ...(gitdir === undefined ? {} : { "main/.git/worktrees/other/gitdir": gitdir }),
    "workspace/.git": `gitdir: ${at("main/.git/worktrees/other")}\n`,
  });

  const policy = await policyOf();

  expect(policy.writable).toEqual(["temporary", "workspace"]);
  expect(policy.protected).toEqual(["workspace/.git"]);
});

test("a submodule's git directory is opened because its settings name the folder", async () => {
  await files({
    "main/.git/modules/part/HEAD": "ref: refs/heads/main\n",
    "main/.git/modules/part/config": "[core]\n\tworktree = ../../../../workspace\n",
    "workspace/.git": "gitdir: ../main/.git/modules/part\n",
  });

  const { writable } = await policyOf();

  expect(writable).toEqual(["main/.git/modules/part", "temporary", "workspace"]);
});

test.each([
  { why: "a folder around the workspace", commondir: "../..", own: "workspace/made" },
  { why: "one that holds it elsewhere", commondir: "../../..", own: "workspace/made/worktrees/it" },
  { why: "one that is not a repository", commondir: "../..", own: "main/worktrees/it" },
])("a git directory that names $why as the common one opens nothing more", async (made) => {
  await files({
    [`${made.own}/HEAD`]: "ref: refs/heads/main\n",
    [`${made.own}/gitdir`]: at("workspace/.git"),
    [`${made.own}/commondir`]: made.commondir,
    "workspace/.git": `gitdir: ${at(made.own)}\n`,
  });

  const { writable } = await policyOf();

  const isInside = made.own.startsWith("workspace/");
  expect(writable).toEqual([...(isInside ? [] : [made.own]), "temporary", "workspace"]);
});
