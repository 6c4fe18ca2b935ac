import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { none } from "./drivers/none.ts";
import { plainPolicy } from "./probe/cache.ts";
import type { Sandbox } from "./sandbox.ts";
import { notStarted, searchConfinement, searchPolicy } from "./search-confinement.ts";

const at = temporaryFolder("search-confinement");

beforeEach(() => {
  for (const name of ["work/.git", "home/.ssh/inner", "home/.aws", "temporary"]) {
    mkdirSync(at(name), { recursive: true });
  }
  writeFileSync(at("work/.npmrc"), "");
  writeFileSync(at("work/.git/config"), "");
  writeFileSync(at("home/.aws/shown"), "");
});

async function policyFor(root: string, shown?: readonly string[]) {
  const policy = await searchPolicy({
    workspace: at("work"),
    home: at("home"),
    temporary: at("temporary"),
    root: at(root),
    ...(shown === undefined ? {} : { shown: shown.map(at) }),
  });
  const inside = (paths: readonly { readonly path: string }[]): readonly string[] =>
    paths.map((each) => path.relative(at(""), each.path)).filter((name) => !name.startsWith(".."));
  return { ...policy, hidden: inside(policy.hidden), revealed: inside(policy.revealed) };
}

test("a search writes nowhere, has no network, and reads no secret", async () => {
  const policy = await policyFor("work");

  expect(policy.environment).toEqual({});
  expect(policy).toMatchObject({
    writable: [],
    pinned: [],
    protected: [],
    searched: [],
    known: [],
    granted: [],
    watched: [],
    network: { kind: "none" },
    hidden: ["home/.aws", "home/.ssh"],
    revealed: [],
  });
});

test("below a root that was granted nothing is hidden, and a secret around it is shown there", async () => {
  expect((await policyFor("home")).hidden).toEqual([]);
  expect(await policyFor("home/.ssh/inner")).toMatchObject({
    hidden: ["home/.aws", "home/.ssh"],
    revealed: ["home/.ssh/inner"],
  });
  expect((await policyFor("work", ["home/.aws/shown"])).revealed).toEqual(["home/.aws/shown"]);
});

test("a search is started by the helper of a sandbox, or in its directory, or not at all", async () => {
  const secret = { path: "/home/me/.ssh", kind: "directory" } as const;
  const shown = { path: "/home/me/.ssh/config", kind: "file" } as const;
  const policy = { ...plainPolicy, hidden: [secret], revealed: [shown] };
  const sandbox: Sandbox = await none.prepare(policy);
  const { helper } = searchConfinement({ ...sandbox, directory: "/private" });

  expect(searchConfinement(sandbox)).toBe(notStarted);
  expect(helper).toMatchObject({
    key: JSON.stringify(policy),
    places: [secret.path, shown.path],
    shared: "/private",
  });
  expect(helper?.launch(["rg"])).toMatchObject({ argv: ["rg"], cwd: "/" });
  expect(helper?.plain(["rg", "x"], { cwd: "/work", env: { A: "1" } })).toEqual({
    argv: ["rg", "x"],
    cwd: "/work",
    env: { A: "1" },
    descriptors: [],
  });
  expect(searchConfinement({ ...sandbox, ...(helper && { helper }) })).toEqual({ helper });
});
