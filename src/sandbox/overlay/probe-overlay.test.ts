import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { probeOverlay } from "./probe-overlay.ts";

const at = temporaryFolder("probe-overlay");

test("where the programs it is tried with are missing that is said, and how to have them", async ({
  skip,
}) => {
  const directory = at("");
  const missing = await probeOverlay({ directory });
  skip(missing !== undefined, missing?.reason);
  const { PATH } = process.env;
  process.env["PATH"] = at("none");
  try {
    expect(await probeOverlay({ directory })).toEqual({
      reason: expect.stringMatching(
        /^The programs an overlay is tried with \(rm, mkdir\) were not found: .*rm/u,
      ),
      install: "apt-get install coreutils",
    });
  } finally {
    process.env["PATH"] = PATH;
  }
});
