import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { localHost, type LocalLauncherOptions } from "../../host/index.ts";
import { createToolkit } from "../index.ts";
import type { SandboxOption } from "../options/options.ts";
import { checkJournal } from "./doctor.ts";
import type { DoctorReport } from "../../core/index.ts";

async function examined(
  launching: LocalLauncherOptions,
  sandbox: SandboxOption = {},
): Promise<DoctorReport> {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-doctor-"));
  const host = await localHost({ launching });
  const workspace = path.join(root, "workspace");
  mkdirSync(workspace);
  const dataDirectory = path.join(root, "data");
  const kit = await createToolkit({ workspace, dataDirectory, host, sandbox });
  try {
    return await kit.doctor();
  } finally {
    await kit.dispose();
    await host[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  }
}

test("a helper process that cannot be used is a warning, and commands run anyway", async () => {
  const { checks } = await examined({ helper: "always", helperCommand: ["/bin/false"] });

  expect(checks.find(({ name }) => name === "shell")).toEqual({
    name: "shell",
    state: "warning",
    text: expect.stringMatching(
      /runs commands, but the process that should start them cannot be used: it ended before/u,
    ),
    hint: "Commands are started directly instead, which briefly blocks a large process each time.",
  });
});

test("a helper that works is nothing to report, nor are drivers weaker than the one in use but Landlock", async () => {
  const { checks, confinement } = await examined({ helper: "always" });
  expect(checks.find(({ name }) => name === "shell")).toMatchObject({ state: "ok" });
  const { hint = "" } = checks.find(({ name }) => name === "confinement") ?? {};

  const { drivers, provider } = confinement;
  const used = drivers.findIndex(({ name }) => name === provider);
  const told = drivers.filter(
    (driver, index) => used < 0 || index < used || driver.name === "landlock",
  );
  const named = drivers.filter(({ name }) => hint.includes(`${name}: `));
  expect(named).toEqual(told.filter(({ works }) => !works));
});

test("damage to what undo needs is a warning that names the calls, and what was set aside", async () => {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-doctor-"));
  const workspace = path.join(root, "workspace");
  const dataDirectory = path.join(root, "data");
  mkdirSync(workspace);
  const open = async (): ReturnType<typeof createToolkit> =>
    await createToolkit({ workspace, dataDirectory, mode: "acceptEdits" });
  const before = await open();
  const { undo } = await before.call({ name: "Write", input: { file_path: "a", content: "x" } });
  const whole = await before.doctor();
  await before.dispose();
  const log = path.join(dataDirectory, "journal/log");
  const [segment = ""] = readdirSync(log);
  writeFileSync(path.join(log, segment), "");
  writeFileSync(path.join(dataDirectory, "journal/format.json"), "");

  const kit = await open();
  const { checks } = await kit.doctor();
  await kit.dispose();
  rmSync(root, { recursive: true, force: true });

  expect(whole.checks.filter(({ name }) => name === "journal")).toEqual([
    { name: "journal", state: "ok", text: "1 call on record, all readable" },
  ]);
  expect(checks.filter(({ name }) => name === "journal")).toEqual([
    {
      name: "journal",
      state: "warning",
      text: expect.stringMatching(
        new RegExp(
          `^A call is known in part, or cannot be undone: Write \\(${undo?.callId}, `,
          "u",
        ),
      ),
      hint: expect.stringContaining("New calls are not affected."),
    },
    {
      name: "journal",
      state: "warning",
      text: expect.stringMatching(
        /^a damaged file was set aside as .*\/damaged\/format\.json\.\d+$/u,
      ),
      hint: "Nothing uses it. Remove it when you do not need it.",
    },
  ]);
});
test.each(["best-effort", "enforced"] as const)(
  "with a named driver and %s, only a stronger one that works is recommended",
  async (require) => {
    const { checks, confinement } = await examined({}, { driver: "landlock", require });
    const { hint = "" } = checks.find(({ name }) => name === "confinement") ?? {};

    expect(hint).not.toMatch(/srt|sandbox-runtime|sandbox-exec|unshare/u);
    const works = confinement.drivers.some(({ name, works: does }) => name === "bwrap" && does);
    expect(hint.includes("bwrap works here and is stronger; leave the driver out to use it.")).toBe(
      works,
    );
    expect(checks.map(({ name }) => name)).not.toContain("weaker sandbox");
  },
);

test("a journal whose calls wait for no other program is a warning", async () => {
  const turnsOff = "/dev/shm/haft-turns-0 cannot be used.";
  const examine = async () => ({ calls: 2, damage: [], setAside: [], turnsOff });

  const checks = await checkJournal({ journal: async () => ({ examine }) });

  expect(checks).toEqual([
    { name: "journal", state: "ok", text: "2 calls on record, all readable" },
    {
      name: "other programs",
      state: "warning",
      text: `calls do not wait for other haft programs that change the same files: ${turnsOff}`,
      hint: "Each must be a directory that only you can access, or not exist. Another user may have created them.",
    },
  ]);
});
