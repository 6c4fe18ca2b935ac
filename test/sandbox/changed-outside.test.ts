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
import { drivers, probeDriver, sandboxPolicy, Sandboxes } from "../../src/sandbox/index.ts";
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
    await expect.poll(() => existsSync(at("workspace/up"))).toBe(true);

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

test.skipIf(!tried.some(({ name }) => name === "landlock"))(
  "landlock: a file that is made next to a secret is read by the commands after the first that failed at it",
  async () => {
    const sandboxes = new Sandboxes({
      require: "best-effort",
      driver: "landlock",
      network: { kind: "none" },
      workspace: at("workspace"),
      home: at("home"),
      writable: [],
      statusDirectories: [],
      probeFile: at("probe.json"),
    });
    const run = async (script: string) => {
      const nothing = { commands: [], openCommands: [], writes: [], open: [], reads: [] };
      const opened = await sandboxes.open({ ...nothing, hide: [], keep: [] });
      const { sandbox } = opened;
      if (sandbox === undefined) throw new Error("It is confined.");
      const argv = ["/bin/sh", "-c", script];
      const ended = await world.run(argv, { cwd: at("workspace"), confinement: sandbox });
      const told = opened.refusedActions([{ ...ended, cwd: at("workspace") }]);
      return { ...ended, sandbox, told: told.map(({ reason: _reason, ...denial }) => denial) };
    };
    const first = await run("true");
    writeFileSync(at("home/late"), "late");

    const closed = await run(`cat '${at("home/late")}'`);
    const [again, other] = [await run(`cat '${at("home/late")}'`), await run("true")];
    const secret = await run(`cat '${at("home/.ssh/key")}'`);
    const written = await run(`echo x > '${at("home/late")}'`);
    const missing = await run(`echo "cat: ${at("home/none")}: Permission denied" >&2; exit 1`);

    expect(closed).toMatchObject({
      code: 1,
      stdout: "",
      told: [{ kind: "read", path: at("home/late") }],
    });
    expect(closed.sandbox).toBe(first.sandbox);
    expect(again).toMatchObject({ code: 0, stdout: "late", told: [] });
    expect(other.sandbox).toBe(again.sandbox);
    expect(secret.told).toEqual([{ kind: "read", path: at("home/.ssh/key") }]);
    expect(written.told).toEqual([{ kind: "write", path: at("home/late") }]);
    expect(missing.told).toEqual([{ kind: "write", path: at("home/none") }]);
    expect(missing.sandbox).toBe(again.sandbox);
    await sandboxes.dispose();
  },
  90_000,
);
