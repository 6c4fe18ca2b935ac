import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { localHost, type LocalLauncherOptions } from "../host/index.ts";
import { createToolkit } from "./index.ts";

async function shellCheck(launching: LocalLauncherOptions): Promise<unknown> {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-doctor-"));
  const host = await localHost({ launching });
  const workspace = path.join(root, "workspace");
  mkdirSync(workspace);
  const kit = await createToolkit({ workspace, dataDirectory: path.join(root, "data"), host });
  try {
    return (await kit.doctor()).checks.find(({ name }) => name === "shell");
  } finally {
    await kit.dispose();
    await host[Symbol.asyncDispose]();
    rmSync(root, { recursive: true, force: true });
  }
}

test("a helper process that cannot be used is a warning, and commands run all the same", async () => {
  expect(await shellCheck({ helper: "always", helperCommand: ["/bin/false"] })).toEqual({
    name: "shell",
    state: "warning",
    text: expect.stringMatching(
      /runs commands, but the process that should start them cannot be used: it ended before/u,
    ),
    hint: "Commands are started directly instead, which stops a big program for a moment each time.",
  });
});

test("a helper process that works is nothing to report", async () => {
  expect(await shellCheck({ helper: "always" })).toMatchObject({ state: "ok" });
});
