import { afterEach, describe, expect, test } from "vitest";
import { systemProgram } from "../programs/index.ts";
import { drivers } from "./drivers/index.ts";
import { none } from "./drivers/none.ts";
import { probe } from "./probe/probe.ts";
import { plainPolicy } from "./probe/cache.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import type { SandboxDriver } from "./sandbox.ts";

const { platform, arch } = process;

function runOn(as: { readonly platform?: string; readonly arch?: string }): void {
  for (const [name, value] of Object.entries(as)) Object.defineProperty(process, name, { value });
}

afterEach(() => runOn({ platform, arch }));

function driverNamed(name: string): SandboxDriver {
  const driver = drivers.find((one) => one.name === name);
  if (driver === undefined) throw new TypeError(`There is no driver ${name}.`);
  return driver;
}

const names = drivers.map(({ name }) => name);

test("drivers are tried from the strongest to none, and those that passed no escapes never by themselves", async () => {
  const tried: string[] = [];
  await probe({
    require: "best-effort",
    probe: async ({ name }) => {
      tried.push(name);
      return { driver: name, works: name === "none", probes: [], report: none.report(plainPolicy) };
    },
  });

  expect(tried).toEqual(["bwrap", "landlock", "unshare", "none"]);
  expect(names).toEqual(["bwrap", "landlock", "unshare", "sandbox-exec", "srt", "none"]);
});

test("a driver names itself in its reports", () => {
  expect(drivers.map((driver) => driver.report(plainPolicy).provider)).toEqual(names);
});

describe("a driver is missing where its system is not", () => {
  const reasons = {
    bwrap: { darwin: "bubblewrap is for Linux.", mips: "There is no filter for mips." },
    landlock: { darwin: "Landlock is for Linux.", mips: "There is no filter for mips." },
    unshare: { darwin: "Namespaces are for Linux." },
  } as const;

  test.for(Object.entries(reasons))("%s", async ([name, reason]) => {
    const driver = driverNamed(name);

    runOn({ platform: "darwin" });
    expect(await driver.missing()).toEqual({ reason: reason.darwin });
    if (!("mips" in reason)) return;
    runOn({ platform: "linux", arch: "mips" });
    expect(await driver.missing()).toEqual({ reason: reason.mips });
  });

  test("sandbox-exec", async () => {
    runOn({ platform: "linux" });
    expect(await driverNamed("sandbox-exec").missing()).toEqual({
      reason: "sandbox-exec is for macOS.",
    });
  });

  test("none is missing nowhere", async () => {
    runOn({ platform: "darwin" });
    expect(await driverNamed("none").missing()).toBeUndefined();
  });
});

const file = (path: string) => ({ path, kind: "file" }) as const;
const folder = (path: string) => ({ path, kind: "directory" }) as const;

/** Policy with everything for which a driver may have to report a gap. */
const widePolicy: SandboxPolicy = {
  ...plainPolicy,
  workspace: "/work",
  writable: [folder("/work")],
  protected: [file("/work/.mcp.json")],
  hidden: [folder("/home/me/.ssh"), folder("/work/keys")],
  watched: [{ path: "/work/.vscode" }],
  isSearchedInPart: true,
  hasOpenSecrets: true,
  network: { kind: "hosts", hosts: ["example.com"] },
  limits: { processes: 10 },
  leftovers: "kept",
};

function shown(name: string, policy: SandboxPolicy): string {
  const { gaps, provider, ...held } = driverNamed(name).report(policy);
  return [provider, ...Object.entries(held).flat(), ...gaps.map(({ id }) => id)].join(" ");
}

describe("a report admits what the driver does not hold of a policy", () => {
  test("of a plain one", () => {
    expect(names.map((name) => shown(name, plainPolicy))).toMatchInlineSnapshot(`
      [
        "bwrap filesystem enforced network enforced ipc enforced process enforced undo none locks",
        "landlock filesystem partial network enforced ipc partial process partial undo none nested-repositories attributes locks background processes",
        "unshare filesystem none network partial ipc none process none undo none writes reads unix-sockets vsock system-v signals processes background kernel",
        "sandbox-exec filesystem partial network partial ipc partial process partial undo none untested missing-protected nested-repositories background processes limits",
        "srt filesystem partial network partial ipc partial process partial undo none foreign missing-protected nested-repositories",
        "none filesystem none network none ipc none process none undo none writes reads network unix-sockets abstract-sockets vsock system-v signals processes background kernel",
      ]
    `);
  });

  test("of one with all there is", () => {
    expect(names.map((name) => shown(name, widePolicy))).toMatchInlineSnapshot(`
      [
        "bwrap filesystem enforced network enforced ipc enforced process partial undo none missing-protected unsearched-protected open-secrets locks replaced-paths background proxy-only",
        "landlock filesystem partial network enforced ipc partial process partial undo none protected-paths missing-protected nested-repositories open-secrets attributes locks hidden-names late-files hidden-inside background processes hosts-unsupported",
        "unshare filesystem none network partial ipc none process none undo none writes reads unix-sockets vsock system-v signals processes background kernel hosts-unsupported",
        "sandbox-exec filesystem partial network partial ipc partial process partial undo none untested missing-protected nested-repositories unsearched-protected open-secrets background processes limits hosts-unsupported",
        "srt filesystem partial network partial ipc partial process partial undo none foreign missing-protected nested-repositories unsearched-protected open-secrets limits",
        "none filesystem none network none ipc none process none undo none writes reads network unix-sockets abstract-sockets vsock system-v signals processes background kernel",
      ]
    `);
  });

  const { hidden, watched, protected: guarded } = widePolicy;

  test.each([
    {
      because: "something hidden can be written",
      paths: { hidden },
      bwrap: "locks replaced-paths",
      landlock:
        "nested-repositories attributes locks hidden-names late-files hidden-inside background processes",
    },
    {
      because: "something outside is hidden",
      paths: { hidden: [folder("/home/me/.ssh")] },
      bwrap: "locks replaced-paths",
      landlock: "nested-repositories attributes locks hidden-names late-files background processes",
    },
    {
      because: "something is protected",
      paths: { protected: guarded },
      bwrap: "locks replaced-paths",
      landlock: "protected-paths nested-repositories attributes locks background processes",
    },
    {
      because: "a protected name is missing",
      paths: { watched },
      bwrap: "missing-protected locks",
      landlock: "missing-protected nested-repositories attributes locks background processes",
    },
  ])("where $because", ({ paths, ...expected }) => {
    const policy = { ...plainPolicy, writable: [folder("/work")], ...paths };

    for (const name of ["bwrap", "landlock"] as const) {
      expect(
        driverNamed(name)
          .report(policy)
          .gaps.map(({ id }) => id)
          .join(" "),
      ).toBe(expected[name]);
    }
  });

  test.for(names.slice(0, -1))("%s holds no network that is open", (name) => {
    const report = driverNamed(name).report({ ...plainPolicy, network: { kind: "open" } });

    expect(report.network).toBe("granted");
  });
});

test("without a sandbox a command keeps its arguments, and sees no more than the environment it is given", async () => {
  const policy = { ...plainPolicy, workspace: "/work", environment: { HOME: "/home/me", A: "1" } };
  const sandbox = await driverNamed("none").prepare(policy);

  expect(sandbox.wrap(["echo", "a b"])).toEqual({
    argv: ["echo", "a b"],
    cwd: "/work",
    env: policy.environment,
    descriptors: [],
  });
  expect(sandbox.wrap(["ls"], { cwd: "/work/src", env: { A: "2" } })).toEqual({
    argv: ["ls"],
    cwd: "/work/src",
    env: { HOME: "/home/me", A: "2" },
    descriptors: [],
  });
});

const prlimit = systemProgram("prlimit");

test.skipIf(prlimit === undefined)("limits are set without a sandbox as well", async () => {
  const sandbox = await driverNamed("none").prepare({ ...plainPolicy, limits: { processes: 9 } });

  expect(sandbox.wrap(["ls"]).argv).toEqual([prlimit, "--nproc=9", "--", "ls"]);
});

test.skipIf(process.platform !== "linux")(
  "in namespaces a command has the environment of its policy, and what its caller adds",
  async ({ skip }) => {
    const driver = driverNamed("unshare");
    skip((await driver.missing()) !== undefined, "unshare is not installed.");
    const policy = { ...plainPolicy, environment: { HOME: "/home/me", A: "1" } };
    const sandbox = await driver.prepare(policy);

    expect(sandbox.wrap(["true"], { env: { A: "2" } }).env).toEqual({ HOME: "/home/me", A: "2" });
  },
);
