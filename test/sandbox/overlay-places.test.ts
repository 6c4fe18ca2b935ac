import { createHash } from "node:crypto";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  drivers,
  dropStaging,
  dropStale,
  probeDriver,
  probeOverlay,
  sandboxPolicy,
  stagingFor,
} from "../../src/sandbox/index.ts";
import { namespaceProcesses } from "../../src/sandbox/overlay/mount/namespace-processes.ts";
import type { OverlayOrder } from "./overlay-program.ts";
import { forms, listed, OverlayWorld } from "./overlay-world.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { typeScriptFlags } from "../support/from-source.ts";

leaveNothing();

const program = path.join(import.meta.dirname, "overlay-program.ts");
const isRoot = process.getuid?.() === 0;
const ordinaryUser = 65_534;

let world: OverlayWorld;
const real = (name: string) => path.join(world.root, name);
beforeEach(() => {
  world = new OverlayWorld();
  writeFileSync(real("a"), "a");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await world.end();
});

/** Whether an ordinary user can start Node and read this code. */
const hasOrdinaryUser =
  isRoot &&
  spawnSync(process.execPath, ["-e", `require("node:fs").readFileSync("${program}")`], {
    uid: ordinaryUser,
    gid: ordinaryUser,
    cwd: "/",
  }).status === 0;
if (isRoot && !hasOrdinaryUser) process.stderr.write("An ordinary user cannot read this code.\n");

function inProcess(order: OverlayOrder, uid = process.getuid?.() ?? 0): unknown {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...typeScriptFlags, program, JSON.stringify(order)],
    {
      uid,
      gid: uid,
      cwd: "/",
      env: { PATH: process.env["PATH"] },
    },
  );
  expect(stderr.toString("utf8").replaceAll(/^\(node.*\n.*\n/gmu, "")).toBe("");
  return JSON.parse(stdout.toString("utf8"));
}

describe.skipIf(forms.length === 0)("overlays", () => {
  test("are found to work by using one, which leaves nothing behind", async () => {
    expect(await probeOverlay({ directory: world.staging })).toBeUndefined();
    expect(readdirSync(world.staging)).toEqual([]);
  });

  test("are not found to be missing where nothing can be staged", async () => {
    await expect(probeOverlay({ directory: "/proc/self" })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      retryable: true,
      message: expect.stringContaining("ENOENT"),
    });
  });

  test("of a directory that is not there are refused", async () => {
    await expect(world.overlay({ roots: [real("missing")] })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(world.overlay({ roots: ["/"] })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(world.overlay({ staging: world.root })).rejects.toThrow(TypeError);
    expect(readdirSync(world.staging)).toEqual([]);
  });

  test.skipIf(!hasOrdinaryUser)("work for an ordinary user", () => {
    for (const at of [world.base, world.root, world.staging, real("a")]) {
      chownSync(at, ordinaryUser, ordinaryUser);
    }
    writeFileSync(real("of root"), "");
    mkdirSync(real("shut"));
    writeFileSync(real("shut/in"), "");
    chownSync(real("shut"), ordinaryUser, ordinaryUser);
    chmodSync(real("shut"), 0);
    const script =
      "id -u; echo more >> a; stat -c %u a; mkdir closed; echo in > closed/in; chmod 0 closed; chmod 700 shut; rm -r shut; echo x > 'of root' || rm -f 'of root'; umount . 2> /dev/null && echo unmounted";
    const before = listed(world.root);
    const done = inProcess({ roots: [world.root], staging: world.staging, script }, ordinaryUser);

    expect(done).toMatchObject({
      result: { stdout: `${ordinaryUser}\n${ordinaryUser}\n` },
      staged: {
        changes: [
          { path: real("a"), to: { kind: "file", size: 6 } },
          { path: real("closed"), to: { kind: "directory", mode: 0 } },
          { path: real("closed/in"), to: { kind: "file", size: 3 } },
          { path: real("of root"), to: { kind: "absent" } },
        ],
        refused: [{ path: real("shut") }],
      },
    });
    expect(listed(world.root)).toEqual(before);
    expect(readdirSync(world.staging)).toEqual([]);
  });

  test("work in one another", async () => {
    mkdirSync(world.at("inner"));
    const order = { roots: [world.root], staging: world.at("inner"), script: "echo inner > b" };
    const overlay = await world.overlay({ environment: { PATH: process.env["PATH"] } });
    const { stdout } = await world.start(
      await overlay.confinement.wrap(
        [process.execPath, ...typeScriptFlags, program, JSON.stringify(order)],
        {
          cwd: world.root,
          env: {},
        },
      ),
    );
    expect(JSON.parse(stdout)).toMatchObject({
      staged: { changes: [{ path: real("b"), to: { kind: "file", size: 6 } }] },
    });
    expect(readdirSync(world.at("inner"))).toEqual([]);
    expect((await overlay.changes()).changes).toEqual([]);
  });

  test("are refused where what is written would be staged on an overlay", async () => {
    mkdirSync(real("inner"));
    mkdirSync(real("tree"));
    const order = { roots: [real("tree")], staging: real("inner"), script: "echo inner > b" };
    const overlay = await world.overlay({ environment: { PATH: process.env["PATH"] } });
    const { stdout } = await world.start(
      await overlay.confinement.wrap(
        [process.execPath, ...typeScriptFlags, program, JSON.stringify(order)],
        {
          cwd: world.root,
          env: {},
        },
      ),
    );
    expect(JSON.parse(stdout)).toEqual({ code: "UNAVAILABLE" });
  });

  test("whose process was killed are gone with the next clean-up, those of the living are not", async () => {
    const kept = await world.overlay();
    const script = "echo written > b; echo running; sleep 60";
    const order = { roots: [world.root], staging: world.staging, script, hold: true };
    const child = spawn(process.execPath, [...typeScriptFlags, program, JSON.stringify(order)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [keptTag = ""] = readdirSync(world.staging);
    await once(child.stdout, "data");
    await dropStaging(world.staging);
    const tag = readdirSync(world.staging).find((name) => name !== keptTag) ?? "";
    expect(namespaceProcesses(tag).length).toBeGreaterThan(0);

    child.kill("SIGKILL");
    await once(child, "close");
    await dropStaging(world.staging);

    expect(readdirSync(world.staging)).toEqual([keptTag]);
    expect(namespaceProcesses(tag)).toEqual([]);
    await world.run(kept, "echo 1 > c");
    expect((await kept.changes()).changes).toMatchObject([{ path: real("c") }]);
    expect(existsSync(real("b"))).toBe(false);
  });

  test("whose process has its number in another container are left alone for a week", async () => {
    const { pid } = process;
    for (const [name, days] of [
      ["new", 6],
      ["old", 8],
    ] as const) {
      const owner = path.join(world.staging, `haft-overlay-${name}`, "owner");
      mkdirSync(path.dirname(owner));
      writeFileSync(owner, `${pid} 1 pid:[1]`);
      const then = Date.now() / 1000 - days * 24 * 60 * 60;
      utimesSync(owner, then, then);
    }

    await dropStaging(world.staging);

    expect(readdirSync(world.staging)).toEqual(["haft-overlay-new"]);
    rmSync(path.join(world.staging, "haft-overlay-new"), { recursive: true });
  });
});

const data = () => world.at("data");

/** One for each user and journal. */
function stagingName(dataDirectory: string): string {
  const hash = createHash("sha256").update(dataDirectory).digest("hex");
  return `haft-overlays-${process.getuid?.()}-${hash.slice(0, 12)}`;
}

describe("a staging directory", () => {
  test("is made in the data directory, private, and found again", async () => {
    mkdirSync(data());
    const staging = await stagingFor({ workspace: world.root, dataDirectory: data() });
    expect(staging).toBe(path.join(data(), "overlay"));
    expect(statSync(staging ?? "").mode & 0o777).toBe(0o700);
    expect(await stagingFor({ workspace: world.root, dataDirectory: data() })).toBe(staging);
  });

  test("is not made inside of the workspace, but in the temporary directory", async () => {
    mkdirSync(world.at("temporary"));
    vi.stubEnv("TMPDIR", world.at("temporary"));
    const staging = await stagingFor({ workspace: world.root, dataDirectory: real("data") });
    expect(staging).toBe(path.join(world.at("temporary"), stagingName(real("data"))));
    expect(readdirSync(world.root)).toEqual(["a"]);
  });

  test("is made next to the workspace where all else is in it", async () => {
    mkdirSync(real("temporary"));
    vi.stubEnv("TMPDIR", real("temporary"));
    const staging = await stagingFor({ workspace: world.root, dataDirectory: real("data") });
    expect(staging).toBe(path.join(world.base, `.${stagingName(real("data"))}`));
  });

  test("is not taken where others can look into it, or it is a link", async () => {
    mkdirSync(data());
    mkdirSync(world.at("temporary"));
    vi.stubEnv("TMPDIR", world.at("temporary"));
    mkdirSync(path.join(data(), "overlay"));
    chmodSync(path.join(data(), "overlay"), 0o755);
    symlinkSync(world.staging, path.join(world.at("temporary"), stagingName(data())));
    expect(await stagingFor({ workspace: world.root, dataDirectory: data() })).toBe(
      path.join(world.base, `.${stagingName(data())}`),
    );
  });

  test("is made in a data directory that is made with it, so that later programs find it again", async () => {
    const deep = world.at("more/data");
    const staging = await stagingFor({ workspace: world.root, dataDirectory: deep });
    expect(staging).toBe(path.join(deep, "overlay"));
    expect(statSync(deep).mode & 0o777).toBe(0o700);
  });

  test("of another journal goes with the next clean-up, unless something in it is needed", async () => {
    mkdirSync(world.at("temporary"));
    vi.stubEnv("TMPDIR", world.at("temporary"));
    mkdirSync(data());
    const self = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ")[19] ?? "";
    const space = readlinkSync("/proc/self/ns/pid");
    const gone = world.at("gone");
    const bases = [
      { name: "empty" },
      { name: "dead", owner: `${process.pid} 1 ${space}\n${gone}` },
      { name: "alive", owner: `${process.pid} ${self} ${space}\n${gone}` },
      { name: "journaled", owner: `${process.pid} 1 ${space}\n${data()}` },
      { name: "unsaid", owner: `${process.pid} 1 ${space}` },
      { name: "shared", mode: 0o755 },
    ];
    const prefix = `haft-overlays-${process.getuid?.()}-`;
    for (const parent of [world.at("temporary"), world.base]) {
      for (const { name, owner, mode = 0o700 } of bases) {
        const base = path.join(parent, `${parent === world.base ? "." : ""}${prefix}${name}`);
        mkdirSync(base);
        chmodSync(base, mode);
        if (owner === undefined) continue;
        mkdirSync(path.join(base, "haft-overlay-x/u0"), { recursive: true });
        writeFileSync(path.join(base, "haft-overlay-x/owner"), owner);
      }
    }

    await dropStale(world.root);

    const kept = ["alive", "journaled", "shared", "unsaid"].map((name) => `${prefix}${name}`);
    expect(readdirSync(world.at("temporary")).toSorted()).toEqual(kept);
    const neighbors = readdirSync(world.base).filter((name) => name.startsWith(`.${prefix}`));
    expect(neighbors.toSorted()).toEqual(kept.map((name) => `.${name}`));
  });

  test.skipIf(!existsSync("/dev/shm"))("is on the file system of the workspace", async () => {
    const elsewhere = new OverlayWorld("/dev/shm");
    mkdirSync(data());
    const staging = await stagingFor({ workspace: elsewhere.root, dataDirectory: data() });
    expect(staging).toBe(path.join(elsewhere.base, `.${stagingName(data())}`));
    await elsewhere.end();
  });

  test("is not there where the workspace is a file system of its own", async () => {
    mkdirSync(data());
    vi.stubEnv("TMPDIR", data());
    expect(await stagingFor({ workspace: "/proc", dataDirectory: data() })).toBeUndefined();
  });
});

const confining = await Promise.all(
  drivers
    .filter(({ name }) => ["bwrap", "landlock", "unshare", "none"].includes(name))
    .map(async (driver) => ((await probeDriver(driver)).works ? [driver] : [])),
);
const has = new Set<string>(["bwrap", "landlock"]);

describe.each(forms)("an overlay of the form %s", (form) => {
  test.each(confining.flat().map((driver) => [driver.name, driver] as const))(
    "goes together with %s",
    async (name, driver) => {
      for (const at of ["home", "temporary", "outside"]) mkdirSync(world.at(at));
      mkdirSync(real(".git/hooks"), { recursive: true });
      const policy = await sandboxPolicy({
        workspace: world.root,
        home: world.at("home"),
        temporary: world.at("temporary"),
        variables: { PATH: process.env["PATH"] },
      });
      const sandbox = await driver.prepare(policy);
      const before = listed(world.root);
      try {
        const overlay = await world.overlay({ form, sandbox });
        const script = `pwd; echo 1 > b; rm a; echo 1 > "$TMPDIR/t"; echo 1 > ${world.at("outside")}/o; echo 1 > .git/hooks/x; id -u`;
        const { stdout } = await world.run(overlay, script);
        const { changes } = await overlay.changes();

        expect(stdout).toBe(`${world.root}\n${process.getuid?.()}\n`);
        expect(listed(world.root)).toEqual(before);
        expect(readFileSync(world.at("temporary/t"), "utf8")).toBe("1\n");
        expect(existsSync(world.at("outside/o"))).toBe(!has.has(name));
        const hook = name === "bwrap" ? [] : [[real(".git/hooks/x"), "file"]];
        expect(changes.map(({ path: at, to }) => [at, to.kind])).toEqual([
          ...hook,
          [real("a"), "absent"],
          [real("b"), "file"],
        ]);
      } finally {
        await sandbox.dispose();
      }
    },
  );
});
