import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/index.ts";
import { probeOverlay, type ProbeOverlayOptions } from "./probe-overlay.ts";

const at = temporaryFolder("probe-overlay");

test("the programs an overlay is tried with are those of the system, whatever PATH names", async ({
  skip,
}) => {
  const directory = at("");
  const missing = await probeOverlay({ directory });
  skip(missing !== undefined, missing?.reason);
  mkdirSync(at("bin"));
  for (const name of ["rm", "mkdir", "sh", "mount"]) {
    writeFileSync(at(`bin/${name}`), `#!/bin/sh\necho run >> ${at("ran")}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  }
  const { PATH } = process.env;
  process.env["PATH"] = at("bin");
  try {
    expect(await probeOverlay({ directory })).toBeUndefined();
    expect(existsSync(at("ran"))).toBe(false);
  } finally {
    process.env["PATH"] = PATH;
  }
});

test("programs that are missing are named as the reason", async ({ skip }) => {
  const directory = at("");
  const works = await probeOverlay({ directory });
  skip(works !== undefined, works?.reason);
  writeFileSync(at("sh"), "#!/bin/sh\necho 'rm: not found' >&2\nexit 127\n");
  chmodSync(at("sh"), 0o755);

  expect(await probeOverlay({ directory, sh: at("sh") })).toEqual({
    reason: "The programs an overlay is tried with (rm, mkdir) were not found: rm: not found",
    install: "apt-get install coreutils",
  });
});

const failed = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

/** Fails to prepare the overlay that is tried. */
const failing = (error: Error): Pick<ProbeOverlayOptions, "prepare"> => ({
  prepare: async () => {
    throw error;
  },
});

/** Prepares an overlay on which a shell ends this way. */
const ending = (
  code: number | null,
  stderr: string,
): Pick<ProbeOverlayOptions, "prepare" | "run"> => ({
  prepare: async () => ({
    confinement: { wrap: (argv) => ({ argv, cwd: "/", env: {}, descriptors: [] }) },
    changes: async () => ({ since: 0, changes: [], refused: [], through: [] }),
    drop: async () => undefined,
  }),
  run: async () => ({ code, signal: null, stdout: "", stderr }),
});

const hasPrograms = process.platform === "linux";

test.runIf(hasPrograms).each([
  ["ENOSPC", "NO_SPACE"],
  ["EDQUOT", "NO_SPACE"],
  ["EMFILE", "UNAVAILABLE"],
  ["ENFILE", "UNAVAILABLE"],
  ["ENOMEM", "UNAVAILABLE"],
  ["EIO", "UNAVAILABLE"],
  ["EACCES", "ACCESS_DENIED"],
  ["EROFS", "ACCESS_DENIED"],
])("%s says nothing about the machine", async (errno, code) => {
  const probing = probeOverlay({ directory: at(""), ...failing(failed(errno)) });

  await expect(probing).rejects.toMatchObject({ code });
});

test.runIf(hasPrograms)(
  "a file in place of the directory for the trial says nothing about the machine",
  async () => {
    writeFileSync(at("file"), "");

    await expect(probeOverlay({ directory: at("file") })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      retryable: true,
    });
  },
);

test.runIf(hasPrograms).each([
  { code: null, stderr: "", because: "a kill" },
  { code: 1, stderr: "sh: 1: cannot create kept: No space left on device", because: "ENOSPC" },
  { code: 2, stderr: "sh: 1: Cannot fork", because: "EAGAIN" },
  { code: 127, stderr: "rm: error while loading shared libraries: libc.so.6", because: "EMFILE" },
  { code: 1, stderr: "mkdir: cannot create 'tree': Read-only file system", because: "EROFS" },
  { code: null, stderr: "Operation not permitted", because: "a kill with a text" },
  { code: 1, stderr: "mkdir: cannot create 'tree': Input/output error", because: "EIO" },
  { code: 1, stderr: "It broke.", because: "something unknown" },
])("a shell that fails for $because says nothing about the machine", async ({ code, stderr }) => {
  const probing = probeOverlay({ directory: at(""), ...ending(code, stderr) });

  await expect(probing).rejects.toBeInstanceOf(ToolError);
});

test
  .runIf(hasPrograms)
  .each([
    "nsenter: reassociate to namespace 'ns/mnt' failed: Operation not permitted",
    "rm: cannot remove 'gone': Invalid argument",
  ])("what the kernel or the file system does not support is a lack: %s", async (stderr) => {
  expect(await probeOverlay({ directory: at(""), ...ending(1, stderr) })).toEqual({
    reason: `Nothing can be run on an overlay here: ${stderr}`,
  });
});

const problem = (retryable: boolean): ToolError =>
  new ToolError("UNAVAILABLE", "It could not be mounted.", { hint: "No.", retryable });

test.runIf(hasPrograms)("a mount that fails is a lack only where it always does", async () => {
  const directory = at("");

  expect(await probeOverlay({ directory, ...failing(problem(false)) })).toEqual({
    reason: "No overlay works here: It could not be mounted. No.",
  });
  await expect(probeOverlay({ directory, ...failing(problem(true)) })).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});
