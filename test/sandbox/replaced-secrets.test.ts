import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drivers, probeDriver, sandboxPolicy } from "../../src/sandbox/index.ts";
import { confinedHost, type ConfinedHost } from "../support/confined-host.ts";

let base = "";
let world: ConfinedHost;
const at = (name: string) => path.join(base, name);

beforeEach(async () => {
  const quiet = existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
  base = mkdtempSync(path.join(realpathSync(quiet), "haft-replaced-"));
  for (const name of ["home/.ssh", "temporary", "workspace"]) {
    mkdirSync(at(name), { recursive: true });
  }
  writeFileSync(at("home/.ssh/key"), "old");
  writeFileSync(at("home/.netrc"), "old");
  world = await confinedHost();
});
afterEach(async () => {
  await world.dispose();
  rmSync(base, { recursive: true });
});

const tried = [];
for (const driver of drivers) {
  const isOne = driver.name === "bwrap" || driver.name === "landlock";
  if (isOne && (await probeDriver(driver)).works) tried.push({ name: driver.name, driver });
}

test.for(tried)(
  "$name: what runs while a secret is replaced sees it only where the gap is named, and what starts then never",
  async ({ driver }) => {
    const prepare = async () =>
      await driver.prepare(
        await sandboxPolicy({
          workspace: at("workspace"),
          home: at("home"),
          temporary: at("temporary"),
          variables: { PATH: process.env["PATH"] },
        }),
      );
    const read = `for each in '${at("home/.netrc")}' '${at("home/.ssh/key")}'; do cat "$each"; done`;
    const waiting = `echo up > up; while [ ! -e go ]; do sleep 0.02; done; ${read}`;
    const run = async (confinement: Awaited<ReturnType<typeof prepare>>, script: string) =>
      await world.run(["/bin/sh", "-c", script], { cwd: at("workspace"), confinement });
    const before = await prepare();
    const running = run(before, waiting);
    await expect.poll(() => existsSync(at("workspace/up")), { timeout: 20_000 }).toBe(true);

    writeFileSync(at("home/next"), "secret");
    renameSync(at("home/next"), at("home/.netrc"));
    renameSync(at("home/.ssh"), at("home/.ssh-old"));
    mkdirSync(at("home/.ssh"));
    writeFileSync(at("home/.ssh/key"), "secret");
    writeFileSync(at("workspace/go"), "");

    const isNamed = before.report.gaps.some(({ id }) => id === "replaced-paths");
    expect((await running).stdout).toBe(isNamed ? "secretsecret" : "");
    const after = await prepare();
    expect((await run(after, read)).stdout).toBe("");
    await before.dispose();
    await after.dispose();
  },
);
