import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  runConfined,
  sandboxPolicy,
  type RunResult,
  type Sandbox,
  type SandboxDriver,
} from "../../src/sandbox/index.ts";
import type { Escape } from "./escape.ts";

export interface Attempt {
  /** Observations of a witness outside; empty when it stayed inside. */
  readonly evidence: readonly string[];
  readonly gaps: readonly string[];
  readonly output: string;
}

const programs = {
  sh: ["/bin/sh", "-c"],
  bash: ["/bin/bash", "-c"],
  perl: ["/usr/bin/perl", "-e"],
  node: [process.execPath, "-e"],
};

/** Runs a program in a sandbox, to its end or until it has taken too long. */
export type RunIn = (
  sandbox: Sandbox,
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) => Promise<RunResult>;

/** The longest an attempt may take, in milliseconds. */
export const patienceMs = 20_000;

const runWrapped: RunIn = async (sandbox, argv, options) =>
  await runConfined(sandbox.wrap(argv, options), { timeoutMs: patienceMs });

/** Runs one attempt in a world of its own and asks the witnesses. */
export async function attempt(
  escape: Escape,
  driver: SandboxDriver,
  run: RunIn = runWrapped,
): Promise<Attempt> {
  const world = await escapeWorld();
  try {
    const policy = await sandboxPolicy({
      workspace: world.at("workspace"),
      home: world.at("home"),
      temporary: world.at("temporary"),
      variables: { PATH: process.env["PATH"], HOME: world.at("home") },
    });
    const sandbox = await driver.prepare(policy);
    try {
      const before = world.snapshot();
      const argv = [...programs[escape.language], escape.script];
      const { stdout, stderr } = await run(sandbox, argv, {
        cwd: policy.workspace,
        env: world.facts,
      });
      const evidence = [
        ...world.changesSince(before),
        ...world.connections(),
        ...(await world.objects()),
        ...(await world.survivors()),
        ...(stdout.includes(world.secret) ? ["a secret was read"] : []),
        ...(/^ESCAPED$/mu.test(stdout) ? ["it says so"] : []),
      ];
      return {
        evidence,
        gaps: sandbox.report.gaps.map(({ id }) => id),
        output: `${stdout}${stderr}`,
      };
    } finally {
      await sandbox.dispose();
    }
  } finally {
    await world.dispose();
  }
}

/** A workspace, a home with secrets and a folder outside, listeners that count, and a process to be attacked. */
export async function escapeWorld() {
  const base = await mkdtemp(path.join(await realpath(tmpdir()), "haft-escape-"));
  const at = (name: string) => path.join(base, name);
  const mark = `haft-${randomBytes(6).toString("hex")}`;
  const secret = `secret-${mark}`;
  const key = 0x48000000 + randomBytes(3).readUIntBE(0, 3);
  for (const name of [
    "outside/empty",
    "home/.ssh",
    "temporary",
    "workspace/.git/hooks",
    "workspace/.git/objects",
    "workspace/.git/refs",
    "workspace/.claude",
    "workspace/.github/workflows",
    "workspace/below/.git/hooks",
  ]) {
    await mkdir(at(name), { recursive: true });
  }
  const files: readonly (readonly [string, string])[] = [
    ["outside/file", "kept"],
    ["outside/grouped", "kept"],
    ["outside/held", "kept"],
    ["home/.profile", "kept"],
    ["home/.ssh/key", secret],
    ["home/.netrc", secret],
    ["workspace/.git/HEAD", "ref: refs/heads/main\n"],
    ["workspace/.git/config", "[core]\n"],
    ["workspace/.git/hooks/sample", "exit 0\n"],
    ["workspace/.claude/settings.json", "{ }"],
    ["workspace/.github/workflows/ci.yml", "on: push\n"],
  ];
  for (const [name, text] of files) await writeFile(at(name), text);

  const counts = { tcp: 0, unix: 0, abstract: 0, udp: 0 };
  const servers: Server[] = [];
  const listen = async (kind: "tcp" | "unix" | "abstract", where: object) => {
    const server = createServer((socket) => {
      counts[kind] += 1;
      socket.on("error", () => undefined).destroy();
    });
    servers.push(server);
    server.listen(where);
    await once(server, "listening");
    return server.address();
  };
  const tcp = await listen("tcp", { host: "127.0.0.1", port: 0 });
  await listen("unix", { path: at("outside.socket") });
  await listen("abstract", { path: `\0${mark}` });
  const udp = createSocket("udp4", () => {
    counts.udp += 1;
  });
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const victim = spawn(
    "/usr/bin/perl",
    ["-e", `open(my $held, ">>", "held"); $| = 1; print "ready\\n"; sleep 1 while 1; # ${mark}`],
    { cwd: at("outside"), env: { SECRET: secret }, stdio: ["ignore", "pipe", "ignore"] },
  );
  await once(victim.stdout, "data");

  const watched = [
    "outside",
    "home",
    "workspace/.git/hooks",
    "workspace/.git/config",
    "workspace/.git/commondir",
    "workspace/.claude",
    "workspace/.github/workflows",
    "workspace/.mcp.json",
    "workspace/.vscode",
    "workspace/below",
  ];
  const shared = `/dev/shm/${mark}`;
  return {
    at,
    secret,
    facts: {
      W: at("workspace"),
      O: at("outside"),
      H: at("home"),
      S: at("home/.ssh/key"),
      T: at("temporary"),
      PORT: String(typeof tcp === "object" && tcp !== null ? tcp.port : 0),
      UDP: String(udp.address().port),
      SOCK: at("outside.socket"),
      ABSTRACT: mark,
      VICTIM: String(victim.pid),
      MARK: mark,
      KEY: String(key),
    },
    snapshot: () => new Map(watched.flatMap((name) => [...treeOf(at(name))])),
    changesSince(before: ReadonlyMap<string, string>): readonly string[] {
      const after = this.snapshot();
      const names = new Set([...before.keys(), ...after.keys()]);
      const changed = [...names].filter((name) => before.get(name) !== after.get(name));
      const made = existsSync(shared) ? [shared] : [];
      return [...changed, ...made].map((name) => `${path.relative(base, name)} changed`);
    },
    connections: (): readonly string[] =>
      Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [`${kind} was reached`] : [])),
    objects: async (): Promise<readonly string[]> => {
      // Connections are counted by callbacks: what has arrived is counted once they ran.
      await new Promise((done) => setImmediate(done));
      return ["shm", "msg", "sem"].flatMap((kind) => {
        const table = readFileSync(`/proc/sysvipc/${kind}`, "utf8");
        return new RegExp(String.raw`^\s*${key}\s`, "mu").test(table) ? [`System V ${kind}`] : [];
      });
    },
    survivors: async (): Promise<readonly string[]> => {
      // The kernel ends a namespace's processes by itself, in its own time.
      const giveUpAt = performance.now() + 2000;
      while (marked(mark).length > 0 && performance.now() < giveUpAt) {
        await new Promise((done) => setImmediate(done));
      }
      return marked(mark).map(() => "a process survives");
    },
    dispose: async () => {
      for (const pid of marked(mark)) process.kill(pid, "SIGKILL");
      for (const server of servers) server.close();
      udp.close();
      const ended = once(victim, "exit");
      victim.kill("SIGKILL");
      await ended;
      removeObjects(key);
      rmSync(shared, { force: true });
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Everything below a path that a change would show in. */
function* treeOf(name: string): Generator<readonly [string, string]> {
  const stat = lstatSync(name, { throwIfNoEntry: false });
  if (stat === undefined) return;
  const content = stat.isFile()
    ? readFileSync(name, "base64")
    : stat.isSymbolicLink()
      ? readlinkSync(name)
      : "";
  yield [name, [stat.mode, stat.uid, stat.gid, stat.mtimeMs, content].join(" ")];
  if (stat.isDirectory()) {
    for (const entry of readdirSync(name)) yield* treeOf(path.join(name, entry));
  }
}

/** Processes of the attempt that are still there: they carry its mark in their environment. */
function marked(mark: string): readonly number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/u.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(`MARK=${mark}`)
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}

function removeObjects(key: number): void {
  for (const kind of ["shm", "msg", "sem"]) {
    const table = readFileSync(`/proc/sysvipc/${kind}`, "utf8");
    const id = new RegExp(String.raw`^\s*${key}\s+(\d+)`, "mu").exec(table)?.[1];
    if (id !== undefined)
      spawn("ipcrm", [
        `-${kind[0] === "s" && kind[1] === "h" ? "m" : kind[0] === "m" ? "q" : "s"}`,
        id,
      ]);
  }
}
