import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  drivers,
  emptyRequest,
  probeDriver,
  Sandboxes,
  type SandboxRequest,
} from "../../src/sandbox/index.ts";

// Whatever a program may write it may replace by a link, and the next call must not open where that leads.

const working: string[] = [];
for (const driver of drivers) {
  if (driver.name === "bwrap" || driver.name === "landlock") {
    if ((await probeDriver(driver)).works) working.push(driver.name);
  }
}

let base = "";
let opened: Sandboxes | undefined;
const at = (name: string) => path.join(base, name);

beforeEach(() => {
  base = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-replaced-"));
  for (const name of ["home/.ssh", "workspace/.git/modules/one", "more/inner", "away/kept"]) {
    mkdirSync(at(name), { recursive: true });
  }
  for (const name of ["home/.ssh/key", "workspace/.git/config", "away/config"]) {
    writeFileSync(at(name), "");
  }
});
afterEach(async () => {
  await opened?.dispose();
  opened = undefined;
  rmSync(base, { recursive: true });
  vi.unstubAllEnvs();
});

function sandboxesOf(driver: string, home: string): Sandboxes {
  return new Sandboxes({
    require: "enforced",
    driver,
    network: { kind: "none" },
    workspace: at("workspace"),
    home: at(home),
    writable: [at("more"), at("more/inner")],
    statusDirectories: [],
    probeFile: at("away/sandbox.json"),
  });
}

async function wholePolicyOf(wishes: Partial<SandboxRequest>, home: string) {
  opened ??= sandboxesOf(working.includes("bwrap") ? "bwrap" : "landlock", home);
  const { sandbox } = await opened.open({ ...emptyRequest, ...wishes });
  if (sandbox === undefined) throw new Error("It is confined.");
  return sandbox.policy;
}

async function policyOf(wishes: Partial<SandboxRequest>, home = "home") {
  const { granted, revealed, writable } = await wholePolicyOf(wishes, home);
  const paths = [...granted, ...revealed, ...writable].map((one) => path.relative(base, one.path));
  return paths.filter((one) => !one.startsWith("..")).toSorted();
}

/** Paths that are opened besides, one that exists and one that a link has replaced. */
test.skipIf(working.length === 0).each<{
  what: string;
  replaced: string;
  to: string;
  wishes: () => Partial<SandboxRequest>;
}>([
  {
    what: "a folder that a rule opens for writing",
    replaced: "workspace/out",
    to: "away",
    wishes: () => ({ open: [at("workspace/out")] }),
  },
  {
    what: "a folder below one that a rule opens",
    replaced: "workspace/out",
    to: "away",
    wishes: () => ({ open: [at("workspace/out/kept")] }),
  },
  {
    what: "a folder that a rule opens for reading",
    replaced: "workspace/docs",
    to: "home/.ssh",
    wishes: () => ({ reads: [at("workspace/docs")] }),
  },
  {
    what: "a file that a call was allowed to read",
    replaced: "workspace/file",
    to: "home/.ssh/key",
    wishes: () => ({ reads: [at("workspace/file")] }),
  },
  {
    what: "a protected file that a call was allowed to write",
    replaced: "workspace/.npmrc",
    to: "away/config",
    wishes: () => ({ writes: [{ path: at("workspace/.npmrc"), replaces: false }] }),
  },
  {
    what: "the folder of a file that a call was allowed to replace",
    replaced: "workspace/.vscode",
    to: "away",
    wishes: () => ({ writes: [{ path: at("workspace/.vscode/new.json"), replaces: true }] }),
  },
  {
    what: "a setting of git that was not there",
    replaced: "workspace/.git/config.worktree",
    to: "away/config",
    wishes: () => ({ commands: [["git", "checkout", "main"]] }),
  },
  {
    what: "the repository of a submodule",
    replaced: "workspace/.git/modules/two",
    to: "away",
    wishes: () => ({ commands: [["git", "config", "a.b", "c"]] }),
  },
])("a link instead of $what opens nothing", async ({ replaced, to, wishes }) => {
  const before = await policyOf(wishes());

  symlinkSync(path.relative(path.dirname(at(replaced)), at(to)), at(replaced));

  expect(await policyOf(wishes())).toEqual(before);
});

test.skipIf(working.length === 0)("a path that is where it was named is opened", async () => {
  mkdirSync(at("workspace/out"));
  mkdirSync(at("away/data"));

  expect(
    await policyOf({
      open: [at("workspace/out")],
      writes: [{ path: at("away/data"), replaces: false }],
      reads: [at("home/.ssh/key")],
      commands: [["git", "config", "a.b", "c"]],
    }),
  ).toEqual([
    "away/data",
    "home/.ssh/key",
    "more",
    "workspace",
    "workspace/.git/config",
    "workspace/out",
  ]);
});

test.skipIf(working.length === 0)(
  "a link instead of a cache or a secret opens nothing where programs may have put it",
  async () => {
    mkdirSync(at("workspace/.ssh"));
    const commands = [["npm", "install"]];
    const before = await policyOf({ commands }, "workspace");
    symlinkSync(at("away"), at("workspace/.cache"));
    symlinkSync(at("workspace/.ssh"), at("workspace/.npmrc"));

    expect(await policyOf({ commands }, "workspace")).toEqual(before);
    await opened?.dispose();
    opened = undefined;
    // In a home folder that they cannot write it is the person's.
    symlinkSync(at("away"), at("home/.cache"));
    expect(await policyOf({})).toEqual([...before, "away"].toSorted());
  },
);

test.skipIf(working.length === 0)(
  "in place of a cache that stays closed there is one in the private folder",
  async () => {
    mkdirSync(at("workspace/.npm"));
    symlinkSync(at("away"), at("workspace/.cache"));

    const { environment, temporary } = await wholePolicyOf({}, "workspace");

    expect(environment["XDG_CACHE_HOME"]).toBe(path.join(temporary, "cache"));
    expect(environment).not.toHaveProperty("npm_config_cache");
  },
);

test.skipIf(working.length === 0)(
  "a link instead of a folder of the user, or of the workspace, opens nothing",
  async () => {
    const before = await policyOf({});
    rmSync(at("more/inner"), { recursive: true });
    symlinkSync(at("away"), at("more/inner"));

    expect(await policyOf({})).toEqual(before);

    renameSync(at("workspace"), at("moved"));
    symlinkSync(at("away"), at("workspace"));
    await expect(policyOf({})).rejects.toMatchObject({ code: "PATH_CHANGED" });
  },
);

test.skipIf(!working.includes("bwrap"))(
  "a link instead of the temporary directory opens nothing",
  async () => {
    vi.stubEnv("TMPDIR", at("more"));
    const { temporary } = await wholePolicyOf(emptyRequest, "home");
    renameSync(temporary, at("more/moved"));
    symlinkSync(at("away"), temporary);

    const after = await wholePolicyOf(emptyRequest, "home");

    expect(after.temporary).not.toBe(temporary);
    expect(after.writable.map((one) => one.path)).not.toContain(at("away"));
    rmSync(temporary);
  },
);

test.skipIf(!working.includes("bwrap"))(
  "what a sandbox is made of is never below a directory that its programs can rename",
  async () => {
    mkdirSync(at("workspace/tmp"));
    vi.stubEnv("TMPDIR", at("workspace/tmp"));
    opened = sandboxesOf("bwrap", "home");
    const { sandbox } = await opened.open(emptyRequest);

    expect(sandbox?.directory).toBeDefined();
    expect(sandbox?.directory).not.toContain(at("workspace"));
  },
);
