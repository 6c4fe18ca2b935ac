import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { privateFolderName, ToolError } from "../../core/index.ts";
import { none } from "../drivers/none.ts";
import type { RunResult } from "../run-confined.ts";
import type { SandboxDriver } from "../sandbox.ts";
import { plainPolicy, rememberedProbe } from "./cache.ts";
import { probe } from "./probe.ts";
import { probeDriver } from "./probe-driver.ts";

const at = temporaryFolder("probe-driver");
const driver: SandboxDriver = { ...none, name: "bwrap" };
const failed = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });
const ended = (result: Partial<RunResult>) => async (): Promise<RunResult> => ({
  code: 1,
  signal: null,
  stdout: "",
  stderr: "",
  ...result,
});

test.each([
  ["ENOSPC", "NO_SPACE"],
  ["EDQUOT", "NO_SPACE"],
  ["EMFILE", "UNAVAILABLE"],
  ["ENFILE", "UNAVAILABLE"],
  ["ENOMEM", "UNAVAILABLE"],
  ["EAGAIN", "UNAVAILABLE"],
  ["EIO", "UNAVAILABLE"],
  ["EACCES", "ACCESS_DENIED"],
  ["EROFS", "ACCESS_DENIED"],
  ["ENOTDIR", "UNAVAILABLE"],
])("where a driver fails with %s, no weaker one is chosen", async (errno, code) => {
  const broken: SandboxDriver = { ...driver, prepare: async () => Promise.reject(failed(errno)) };

  const choosing = probe({ require: "best-effort", drivers: [broken, none], probe: probeDriver });

  await expect(choosing).rejects.toMatchObject({ code });
});

test("an error of a driver that says more stays as it is", async () => {
  const error = new ToolError("UNAVAILABLE", "/tmp/haft is open to others.");
  const broken: SandboxDriver = { ...driver, prepare: async () => Promise.reject(error) };

  await expect(probeDriver(broken)).rejects.toBe(error);
});

test("a driver that cannot check its program is not reported as missing", async () => {
  const broken: SandboxDriver = {
    ...driver,
    missing: async () => Promise.reject(failed("EMFILE")),
  };

  await expect(probeDriver(broken)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test.each([
  { why: "no memory", result: { stderr: "bwrap: Cannot allocate memory" }, code: "UNAVAILABLE" },
  { why: "no process", result: { code: null, stderr: "spawn bwrap EAGAIN" }, code: "UNAVAILABLE" },
  { why: "a kill", result: { code: null, signal: "SIGKILL" }, code: "UNAVAILABLE" },
  { why: "a full disk", result: { stderr: "No space left on device" }, code: "NO_SPACE" },
  {
    why: "a full disk in a canary",
    result: { code: 0, stdout: '{"write-workspace":"ENOSPC"}' },
    code: "NO_SPACE",
  },
])("a trial that fails for $why rejects", async ({ result, code }) => {
  await expect(probeDriver(driver, ended(result))).rejects.toMatchObject({ code });
});

test.each([
  { stderr: "bwrap: setting up uid map: Permission denied", isLack: true },
  { stderr: "bwrap: something else", isLack: false },
])("a trial that ends with $stderr is a result", async ({ stderr, isLack }) => {
  const result = await probeDriver(driver, ended({ stderr }));

  expect(result).toMatchObject({ works: false, isLack });
  expect(result.missing?.reason).toBe(`It does not start here: ${stderr}`);
});

test("a file system that a sandbox made read-only does not end the trial", async () => {
  const stdout = '{"write-outside":"EROFS"}';

  const { works, probes } = await probeDriver(driver, ended({ code: 0, stdout }));

  expect([works, probes.length > 0]).toEqual([false, true]);
});

test("a driver whose programs fail for a full disk is not replaced by a weaker one", async () => {
  const stdout = '{"write-workspace":true,"write-temporary":true,"start-process":true}';
  const run = ended({ code: 0, stdout });

  const trial = async (hasSpace: boolean) => await probeDriver(driver, run, async () => hasSpace);

  expect((await trial(true)).works).toBe(false);
  await expect(trial(false)).rejects.toMatchObject({ code: "NO_SPACE" });
});

test("a failure that may be over is not remembered", async () => {
  let count = 0;
  const remembered = rememberedProbe(at("sandbox.json"), async ({ name }) => {
    count += 1;
    if (count === 1) throw failed("EMFILE");
    return { driver: name, works: true, probes: [], report: none.report(plainPolicy) };
  });

  await expect(remembered.probe(driver)).rejects.toMatchObject({ code: "EMFILE" });
  expect((await remembered.probe(driver)).works).toBe(true);
});

test("a file in place of the private directory for sandboxes does not turn them off", async () => {
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = at("");
  try {
    writeFileSync(at(privateFolderName(process.getuid?.() ?? 0)), "");
    const placed: SandboxDriver = {
      ...driver,
      prepare: async (policy) => {
        const { privateFiles } = await import("../private-files.ts");
        await privateFiles(policy);
        return await none.prepare(policy);
      },
    };

    const choosing = probe({ require: "best-effort", drivers: [placed, none], probe: probeDriver });

    await expect(choosing).rejects.toBeInstanceOf(ToolError);
  } finally {
    process.env["TMPDIR"] = TMPDIR;
  }
});
