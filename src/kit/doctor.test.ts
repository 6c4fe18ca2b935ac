import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { localHost, type LocalLauncherOptions } from "../host/index.ts";
import type { DoctorReport } from "./doctor.ts";
import { createToolkit } from "./index.ts";

async function shellCheck(launching: LocalLauncherOptions): Promise<unknown> {
  return (await examined(launching)).checks.find(({ name }) => name === "shell");
}

async function examined(launching: LocalLauncherOptions): Promise<DoctorReport> {
  const root = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-doctor-"));
  const host = await localHost({ launching });
  const workspace = path.join(root, "workspace");
  mkdirSync(workspace);
  const kit = await createToolkit({ workspace, dataDirectory: path.join(root, "data"), host });
  try {
    return await kit.doctor();
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

test("what confines is said without the drivers that are weaker", async () => {
  const { checks, confinement } = await examined({ helper: "always" });
  const { hint = "" } = checks.find(({ name }) => name === "confinement") ?? {};

  const { drivers, provider } = confinement;
  const used = drivers.findIndex(({ name }) => name === provider);
  const told = used < 0 ? drivers : drivers.slice(0, used);
  const named = drivers.filter(({ name }) => hint.includes(`${name}: `));
  expect(named).toEqual(told.filter(({ works }) => !works));
});
