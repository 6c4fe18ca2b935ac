import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  drivers,
  probeDriver,
  sandboxPolicy,
  type Sandbox,
  type SandboxPolicyOptions,
} from "../../src/sandbox/index.ts";
import { confinedHost, type ConfinedHost } from "../support/confined-host.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { areLawsFull } from "../support/law-runs.ts";

const driver = drivers.find(({ name }) => name === "landlock");
const isMissing = driver === undefined || !(await probeDriver(driver)).works;

const quiet = existsSync("/var/tmp") ? "/var/tmp" : tmpdir();
// A policy names the neighbors of a secret, and among folders of other tests those change while they run.
const at = temporaryFolder("resident", quiet);
let world: ConfinedHost;
const sandboxes: Sandbox[] = [];

beforeEach(async () => {
  for (const name of ["home/.ssh", "temporary", "other", "workspace"]) {
    mkdirSync(at(name), { recursive: true });
  }
  writeFileSync(at("home/.ssh/key"), "secret");
  world = await confinedHost();
});
afterEach(async () => {
  const helpers = world.helpers();
  await world.dispose();
  for (const sandbox of sandboxes.splice(0)) await sandbox.dispose();
  const left = helpers.filter(isThere);
  if (left.length > 0) throw new Error(`Helpers live on: ${left.join(", ")}`);
});

async function sandboxOf(options: Partial<SandboxPolicyOptions> = {}): Promise<Sandbox> {
  const policy = await sandboxPolicy({
    workspace: at("workspace"),
    home: at("home"),
    temporary: at("temporary"),
    variables: { PATH: process.env["PATH"] },
    ...options,
  });
  const sandbox = await driver?.prepare(policy);
  if (sandbox === undefined) throw new Error("There is no driver.");
  sandboxes.push(sandbox);
  return sandbox;
}

/** One that has ended and whose parent has not asked yet is gone. */
const isThere = (pid: number): boolean =>
  /^State:\s+[^ZX]/mu.test(quietly(() => readFileSync(`/proc/${pid}/status`, "utf8")));
/** Whether a process listens on the default port of debuggers. */
function isDebugged(pid: number): boolean {
  const listening = /:240D 00000000:0000 0A (?:\S+ +){5}(\d+)/gu;
  const sockets = Array.from(
    readFileSync("/proc/net/tcp", "utf8").matchAll(listening),
    ([, inode]) => `socket:[${inode}]`,
  );
  const names = quietly(() => readdirSync(`/proc/${pid}/fd`).join("\n")).split("\n");
  const held = names.map((name) => quietly(() => readlinkSync(`/proc/${pid}/fd/${name}`)));
  return sockets.some((socket) => held.includes(socket));
}
/** A process that has ended by the time it is read counts as nothing. */
function quietly(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}
const lines = (text: string): readonly string[] => text.trim().split("\n");

async function sh(confinement: Sandbox, script: string, input?: string) {
  const argv = ["/bin/sh", "-c", script];
  return await world.run(argv, {
    cwd: at("workspace"),
    confinement,
    ...(input === undefined ? {} : { input }),
  });
}

describe.skipIf(isMissing)("landlock's helper", () => {
  test("starts one command after another, all of them confined, and ends", async () => {
    const sandbox = await sandboxOf();

    expect(await sh(sandbox, "echo one > file; cat file")).toMatchObject({
      code: 0,
      stdout: "one\n",
    });
    expect(await sh(sandbox, `echo x > '${at("home/escaped")}'`)).toMatchObject({ code: 2 });
    expect(await sh(sandbox, `cat '${at("home/.ssh/key")}'`)).toMatchObject({
      code: 1,
      stdout: "",
    });
    expect(await sh(sandbox, "cat; exit 9", "in")).toMatchObject({ code: 9, stdout: "in" });
    expect(existsSync(at("home/escaped"))).toBe(false);
    const [helper] = world.helpers();
    expect(await sh(sandbox, "echo $PPID")).toMatchObject({ stdout: `${helper}\n` });
    // The helper is in the same domain as its commands, so it must guard itself.
    for (const way of ["fd/0", "fd/1", "mem", "environ", "root/etc/hostname", "cwd/etc/hostname"]) {
      expect(await sh(sandbox, `head -c 1 /proc/$PPID/${way}`)).toMatchObject({ stdout: "" });
    }
  });

  test("gives a command exactly what a process of its own would", async () => {
    const sandbox = await sandboxOf({ limits: { fileBytes: 1_000_000, processes: 5000 } });
    const script = `
      pwd; env | grep -v HAFT_PROCESS | sort; umask; ulimit -a
      grep -E '^(Cap|NoNewPrivs|Seccomp|Groups|Uid|Gid)' /proc/self/status
      for each in /proc/self/fd/*; do readlink "$each" | sed 's/[0-9]\\{2,\\}/N/'; done
      ps -o sid= -o pgid= -p $$ | awk '{ print ($1 == $2) }'`;

    const helped = await sh(sandbox, script);
    expect(world.helpers()).toHaveLength(1);
    const { helper: _, ...alone } = sandbox;
    const wrapped = await world.run(["/bin/sh", "-c", script], {
      cwd: at("workspace"),
      confinement: alone,
    });

    expect(helped.stdout).toContain("NoNewPrivs");
    const stable = ({ stdout }: typeof helped) =>
      lines(stdout).map((line) => line.replace(/haft-pipes-\S+/u, "pipe"));
    expect(stable(helped)).toEqual(stable(wrapped));
    expect(helped.stderr).toBe(wrapped.stderr);
  });

  test("two policies never share a helper, and one policy does", async () => {
    const narrow = await sandboxOf();
    const again = await sandboxOf();
    const wide = await sandboxOf({ granted: [at("other")] });
    const write = `echo x > '${at("other/file")}'; echo $PPID`;

    const refused = await sh(narrow, write);
    const allowed = await sh(wide, write);
    const refusedAgain = await sh(again, write);

    expect(refused.stderr).toContain("Permission denied");
    expect(allowed.stderr).toBe("");
    expect(refusedAgain.stderr).toContain("Permission denied");
    expect(refusedAgain.stdout).toBe(refused.stdout);
    expect(allowed.stdout).not.toBe(refused.stdout);
    expect(world.helpers()).toHaveLength(2);
  });

  test("what was replaced at its path is what a policy names, as without a helper", async () => {
    writeFileSync(at("home/settings"), "old");
    const sandbox = await sandboxOf({ granted: [at("other")] });
    const script = `cat '${at("home/settings")}'; echo x > '${at("other/file")}' && echo $PPID`;
    const first = await sh(sandbox, script);

    // The helper that still runs something is left to it.
    const slow = sh(sandbox, "sleep 1; echo $PPID");
    await sh(sandbox, "true");
    writeFileSync(at("home/settings.new"), "new");
    renameSync(at("home/settings.new"), at("home/settings"));
    renameSync(at("other"), at("moved"));
    mkdirSync(at("other"));
    const second = await sh(sandbox, script);
    const third = await sh(sandbox, script);
    const moved = await sh(sandbox, `echo y > '${at("moved/file")}'`);

    expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^old\d+\n$/u) });
    expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^new\d+\n$/u) });
    expect(third.stdout).toBe(second.stdout);
    expect(`old${(await slow).stdout}`).toBe(first.stdout);
    expect(moved.stderr).toContain("Permission denied");
    expect(readFileSync(at("moved/file"), "utf8")).toBe("x\n");
  });

  test("a link instead of what a policy opens opens nothing, nor one on the way there", async () => {
    mkdirSync(at("other/inner"));
    const sandbox = await sandboxOf({ granted: [at("other/inner"), at("temporary")] });
    const { helper: _, ...alone } = sandbox;
    renameSync(at("other"), at("moved"));
    symlinkSync(at("home"), at("other"));
    mkdirSync(at("home/inner"));
    renameSync(at("temporary"), at("gone"));
    symlinkSync(at("home"), at("temporary"));

    for (const confinement of [sandbox, alone]) {
      for (const file of ["home/inner/file", "home/file", "moved/inner/file"]) {
        expect((await sh(confinement, `echo x > '${at(file)}'`)).stderr).toContain("denied");
      }
      expect((await sh(confinement, `cat '${at("home/.ssh/key")}'`)).stdout).toBe("");
    }
  }, 90_000);

  test("one that was killed is replaced, and what it ran is ended", async () => {
    const sandbox = await sandboxOf();
    await world.host.proc.start({
      id: "long",
      argv: ["/bin/sleep", "300"],
      cwd: at("workspace"),
      confinement: sandbox,
    });
    const [{ pid } = { pid: 0 }] = await world.host.proc.list();
    const [helper = 0] = world.helpers();

    process.kill(helper, "SIGKILL");
    const results = await Promise.all(
      ["one", "two", "three"].map(
        async (word) => await sh(sandbox, `echo ${word} >> all; echo ${word}`),
      ),
    );

    expect(results.map(({ stdout }) => stdout)).toEqual(["one\n", "two\n", "three\n"]);
    expect(lines((await sh(sandbox, "sort all")).stdout)).toEqual(["one", "three", "two"]);
    const signals: (string | null)[] = [];
    for await (const chunk of world.host.proc.output("long", 0)) {
      if ("exit" in chunk) signals.push(chunk.exit.signal);
    }
    expect(signals).toEqual(["SIGKILL"]);
    expect(isThere(pid)).toBe(false);
    expect(world.helpers()).not.toContain(helper);
    expect((await sh(sandbox, `echo x > '${at("home/escaped")}'`)).code).not.toBe(0);
  });

  test("its programs can neither debug it nor stop it for long", async () => {
    const sandbox = await sandboxOf({ network: { kind: "open" } });
    const { stdout } = await sh(sandbox, "kill -USR1 $PPID; sleep 0.5; echo $PPID");
    const wasDebugged = isDebugged(Number(stdout));
    const ended = await sh(sandbox, "sleep 0.3; kill -STOP $PPID");

    expect(wasDebugged).toBe(false);
    expect(ended.signal).toBe("SIGKILL");
    expect((await sh(sandbox, "echo on")).stdout).toBe("on\n");
    expect((await sh(sandbox, "echo $PPID")).stdout).not.toBe(stdout);
  });

  test("a command is ended with all it started, also what made a session of its own", async () => {
    const sandbox = await sandboxOf();
    const script = `setsid sleep 301 & echo $!; sleep 302`;
    await world.host.proc.start({
      id: "tree",
      argv: ["/bin/sh", "-c", script],
      cwd: at("workspace"),
      confinement: sandbox,
    });
    let inner = 0;
    for await (const chunk of world.host.proc.output("tree", 0)) {
      if ("exit" in chunk) break;
      inner = Number(Buffer.from(chunk.bytes).toString());
      await world.host.proc.signal("tree", "KILL", { tree: true });
    }

    expect(inner).toBeGreaterThan(0);
    expect(isThere(inner)).toBe(false);
  });

  test("hundreds of commands leave no process and no descriptor", async () => {
    const sandbox = await sandboxOf();
    await sh(sandbox, "true");
    await sh(sandbox, "true");
    const descriptors = readdirSync("/proc/self/fd").length;
    const [helper = 0] = world.helpers();
    const helperChildren = () => childrenOf(helper);

    for (let round = 0; round < (areLawsFull ? 100 : 20); round += 1) {
      const results = await Promise.all(
        Array.from({ length: 10 }, async () => await sh(sandbox, "exit 3")),
      );
      expect(new Set(results.map(({ code }) => code))).toEqual(new Set([3]));
    }

    expect(world.helpers()).toEqual([helper]);
    expect(helperChildren()).toEqual([]);
    // The pool of pipes is filled in batches.
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(descriptors + 32);
    expect(readdirSync(at("workspace"))).toEqual([]);
  }, 120_000);
});

function childrenOf(parent: number): readonly string[] {
  return readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    readFileSync(`/proc/${parent}/task/${task}/children`, "utf8")
      .split(" ")
      .filter((child) => child !== ""),
  );
}
