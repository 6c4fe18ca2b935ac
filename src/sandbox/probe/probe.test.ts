import type { SandboxReport } from "../../core/index.ts";
import { expect, test } from "vitest";
import { none } from "../drivers/none.ts";
import { isEnforced, probe, type ProbeOptions } from "./probe.ts";
import type { ProbeResult } from "./probe-driver.ts";
import type { SandboxDriver } from "../sandbox.ts";

const report = (provider: string, filesystem: SandboxReport["filesystem"]): SandboxReport => ({
  ...none.report(emptyPolicy),
  provider,
  filesystem,
  network: "enforced",
});
const emptyPolicy = {
  workspace: "/",
  readable: ["/"],
  writable: [],
  pinned: [],
  protected: [],
  hidden: [],
  granted: [],
  searched: [],
  known: [],
  isSearchedInPart: false,
  hasOpenSecrets: false,
  watched: [],
  temporary: "/",
  environment: {},
  network: { kind: "none" },
  limits: {},
  leftovers: "ended",
  revealed: [],
} as const;

const names = ["bwrap", "landlock", "none"] as const;
const drivers: readonly SandboxDriver[] = names.map((name) => ({ ...none, name }));

function options(
  results: Readonly<Record<string, Partial<ProbeResult>>>,
  more: Partial<ProbeOptions> = {},
): ProbeOptions & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    require: "best-effort",
    drivers,
    asked,
    probe: async ({ name }) => {
      asked.push(name);
      const { works = false, ...rest } = results[name] ?? {};
      return { driver: name, works, probes: [], ...rest };
    },
    ...more,
  };
}

const enforcing = { works: true, report: report("bwrap", "enforced") };
const partial = { works: true, report: report("landlock", "partial") };
const nothing = { works: true, report: report("none", "none") };

test("the first that works is taken, and no other is tried", async () => {
  const given = options({ bwrap: enforcing, landlock: partial });

  expect((await probe(given)).driver.name).toBe("bwrap");
  expect(given.asked).toEqual(["bwrap"]);
});

test("a driver whose canaries went wrong is skipped", async () => {
  const given = options({ landlock: partial });

  const { driver, results } = await probe(given);

  expect(driver.name).toBe("landlock");
  expect(results.map((result) => [result.driver, result.works])).toEqual([
    ["bwrap", false],
    ["landlock", true],
  ]);
});

test("best effort ends with none, which says so", async () => {
  const { report: found } = await probe(options({ none: nothing }));

  expect(found).toMatchObject({ provider: "none", filesystem: "none" });
});

test("what must be enforced is not left to a partial one, and the error says what to install", async () => {
  const given = options(
    {
      bwrap: {
        missing: { reason: "bwrap is not installed.", install: "apt-get install bubblewrap" },
      },
      landlock: partial,
      none: nothing,
    },
    { require: "enforced" },
  );

  await expect(probe(given)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    retryable: false,
    message:
      "No sandbox here enforces files and network. bwrap: bwrap is not installed. landlock: It does not hold all of it. none: It does not hold all of it.",
    hint: 'Install one with `apt-get install bubblewrap`, or set the sandbox to "best-effort".',
  });
});

test("a driver that fails its canaries is reported with their names", async () => {
  const probes = [
    { name: "write-outside", expected: "blocked", got: "works" },
    { name: "spawn", expected: "works", got: "works" },
  ] as const;

  await expect(
    probe(options({ bwrap: { probes } }, { require: "enforced", driver: "bwrap" })),
  ).rejects.toMatchObject({
    message:
      "No sandbox here enforces files and network. bwrap: Its canaries went wrong (write-outside).",
  });
});

test("a named driver is the only one that is tried", async () => {
  const given = options({ bwrap: enforcing, landlock: partial }, { driver: "landlock" });

  expect((await probe(given)).driver.name).toBe("landlock");
  expect(given.asked).toEqual(["landlock"]);
});

test("off tries nothing but none", async () => {
  const given = options({ bwrap: enforcing, none: nothing }, { require: "off" });

  expect((await probe(given)).driver.name).toBe("none");
  expect(given.asked).toEqual(["none"]);
});

test.each([
  { filesystem: "enforced", network: "enforced", is: true },
  { filesystem: "enforced", network: "granted", is: true },
  { filesystem: "enforced", network: "partial", is: false },
  { filesystem: "enforced", network: "none", is: false },
  { filesystem: "partial", network: "enforced", is: false },
  { filesystem: "none", network: "granted", is: false },
] as const)("files $filesystem and network $network are enforced: $is", ({ is, ...held }) => {
  expect(isEnforced({ ...none.report(emptyPolicy), ...held })).toBe(is);
});

test("what enforces is taken where that is required", async () => {
  const given = options({ bwrap: enforcing }, { require: "enforced" });

  expect((await probe(given)).driver.name).toBe("bwrap");
});

test("one that does not work is not taken, whatever it reports", async () => {
  const given = options({ bwrap: { ...enforcing, works: false }, landlock: partial });

  expect((await probe(given)).driver.name).toBe("landlock");
});

test("a named driver that does not work is reported with all that was tried", async () => {
  const results = [{ driver: "bwrap", works: false, probes: [] }];

  await expect(probe(options({}, { driver: "bwrap" }))).rejects.toMatchObject({
    message:
      "The sandbox that was asked for does not work here. bwrap: Its canaries went wrong ().",
    hint: 'Set the sandbox to "best-effort", which runs programs only after asking the user.',
    data: { results },
    retryable: false,
  });
});

test("without any driver nothing is said of one", async () => {
  await expect(probe(options({}, { drivers: [] }))).rejects.toMatchObject({
    message: "The sandbox that was asked for does not work here.",
  });
});
