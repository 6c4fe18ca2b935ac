import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { probeOverlay } from "./probe-overlay.ts";

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
