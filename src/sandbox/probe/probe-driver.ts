import { existsSync } from "node:fs";
import { mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { joinPath } from "../../text/index.ts";
import { ToolError, type SandboxReport } from "../../core/index.ts";
import { systemPath, systemProgram } from "../../programs/index.ts";
import { canaryProgram } from "./canary-program.ts";
import { ownedDirectory, temporaryFileError } from "../owned-directory.ts";
import { codeOf, hasRoom, namesLack, transientErrno, transientError } from "./transient-failure.ts";
import { runConfined, type RunConfined } from "../run-confined.ts";
import { sandboxPolicy } from "../policy/sandbox-policy.ts";
import type { Missing, SandboxDriver } from "../sandbox.ts";

/** Action tried inside a sandbox, with its expected and actual result. */
export interface CanaryResult {
  readonly name: string;
  readonly expected: "blocked" | "works";
  readonly got: "blocked" | "works";
}

export interface ProbeResult {
  readonly driver: string;
  /** Whether every canary had the expected result. */
  readonly works: boolean;
  readonly missing?: Missing;
  /** Whether the driver lacks something that no program of a call can take from it, such as a permission of the kernel. */
  readonly isLack?: boolean;
  /** Report of the driver for a plain policy; absent if it does not work. */
  readonly report?: SandboxReport;
  readonly probes: readonly CanaryResult[];
}

type CanaryProgram = "sh" | "git" | "mount" | "unshare";
type Expectation = (report: SandboxReport, driver: SandboxDriver) => boolean;
const always: Expectation = () => true;
const holdsFiles: Expectation = ({ filesystem }) => filesystem !== "none";
const holdsAllFiles: Expectation = ({ filesystem }) => filesystem === "enforced";
const filters: Expectation = (_report, { filtersSystemCalls = false }) => filtersSystemCalls;

/** Actions that must work with every driver, and those that must fail if the driver's report says so. */
const canaries: readonly {
  readonly name: string;
  readonly expected: "blocked" | "works";
  readonly when: Expectation;
  /** Program that the canary needs; the canary is skipped if the system does not have it. */
  readonly needs?: CanaryProgram;
}[] = [
  { name: "write-workspace", expected: "works", when: always },
  { name: "write-temporary", expected: "works", when: always },
  { name: "start-process", expected: "works", when: always, needs: "sh" },
  { name: "git-commit", expected: "works", when: always, needs: "git" },
  { name: "write-outside", expected: "blocked", when: holdsFiles },
  { name: "read-hidden", expected: "blocked", when: holdsFiles },
  { name: "write-protected", expected: "blocked", when: holdsAllFiles },
  { name: "rename-pinned", expected: "blocked", when: holdsAllFiles },
  { name: "remount", expected: "blocked", when: holdsFiles, needs: "mount" },
  { name: "new-namespace", expected: "blocked", when: filters, needs: "unshare" },
  { name: "signal-outside", expected: "blocked", when: filters },
  { name: "capabilities", expected: "blocked", when: filters },
  { name: "no-filter", expected: "blocked", when: filters },
  { name: "connect-tcp", expected: "blocked", when: ({ network }) => network !== "none" },
  { name: "connect-unix", expected: "blocked", when: ({ ipc }) => ipc !== "none" },
];

const patienceMs = 15_000;

/**
 * Tries a driver in a temporary directory: an installed driver does not necessarily work here. Rejects if the trial
 * failed for a reason that may be over the next time, such as a full disk: that says nothing about the driver, and
 * nothing weaker may be used instead.
 */
export async function probeDriver(
  driver: SandboxDriver,
  run: RunConfined = runConfined,
  hasSpace: (directory: string) => Promise<boolean> = hasRoom,
): Promise<ProbeResult> {
  try {
    return await triedInside(driver, run, hasSpace);
  } catch (error) {
    if (ToolError.is(error)) throw error;
    if (isOfSystem(error)) {
      throw transientError(error, { what: "the sandbox", directory: tmpdir() });
    }
    return failed(driver, error instanceof Error ? error.message : String(error));
  }
}

async function triedInside(
  driver: SandboxDriver,
  run: RunConfined,
  hasSpace: (directory: string) => Promise<boolean>,
): Promise<ProbeResult> {
  const missing = await driver.missing();
  if (missing !== undefined) {
    return { driver: driver.name, works: false, isLack: true, missing, probes: [] };
  }
  const world = await probeWorld();
  try {
    const policy = await sandboxPolicy({
      workspace: world.workspace,
      home: world.home,
      temporary: world.temporary,
      variables: { PATH: systemPath(), HOME: world.home },
      protect: [".settings/guarded"],
    });
    const sandbox = await driver.prepare(policy);
    try {
      const programs = canaryPrograms();
      const tried = canaries.filter(
        ({ when, needs }) =>
          when(sandbox.report, driver) && (needs === undefined || programs[needs] !== undefined),
      );
      const names = tried.map(({ name }) => name);
      const argument = JSON.stringify({ ...world.facts, names, programs });
      const { code, stdout, stderr } = await run(
        sandbox.wrap([process.execPath, "-e", canaryProgram, argument]),
        { timeoutMs: patienceMs },
      );
      const did = parsed(stdout);
      if (did === undefined) {
        if (code === null && !isPassing(stderr)) throw killed(driver, stderr);
        if (isPassing(stderr)) throw notNow(stderr.trim());
        return failed(driver, stderr);
      }
      const errno = tried.map(({ name }) => did.get(name)).find(isPassing);
      if (errno !== undefined) throw notNow(`The trial of ${driver.name} failed: ${errno}.`);
      const probes = tried.map(({ name, expected }): CanaryResult => {
        // A file written outside counts, whatever the program inside claimed.
        const happened = did.get(name) === true || (name === "write-outside" && world.wasWritten());
        return { name, expected, got: happened ? "works" : "blocked" };
      });
      const works = probes.every(({ expected, got }) => expected === got);
      // git, and programs like it, report a full disk only as a failure.
      if (!works && !(await hasSpace(world.workspace))) {
        throw notNow(`The trial of ${driver.name} failed: ENOSPC.`);
      }
      const version = await driver.version?.();
      const report = version === undefined ? sandbox.report : { ...sandbox.report, version };
      return { driver: driver.name, works, ...(works ? { report } : {}), probes };
    } finally {
      await sandbox.dispose();
    }
  } finally {
    await world.dispose();
  }
}

/** Whether an error has a code of the system, such as `EMFILE`, and not one of Node, such as `ERR_INVALID_ARG_TYPE`. */
function isOfSystem(error: unknown): boolean {
  const code = codeOf(error) ?? transientErrno(error) ?? "";
  return /^E[A-Z\d]+$/u.test(code);
}

/** Whether a text reports a failure that may be over the next time; a sandbox itself makes file systems read-only. */
function isPassing(text: unknown): text is string {
  if (typeof text !== "string") return false;
  const errno = transientErrno(text);
  return errno !== undefined && errno !== "EROFS";
}

function notNow(text: string): ToolError {
  return transientError(new Error(text), { what: "the sandbox", directory: tmpdir() });
}

/** Error for a trial that was killed, or took too long. */
function killed({ name }: SandboxDriver, why: string): ToolError {
  const text = why.trim().slice(0, 500);
  return new ToolError(
    "UNAVAILABLE",
    `The trial of the sandbox ${name} was killed or took too long, so no command was started.${text && ` ${text}`}`,
    { hint: "Run it again; haft doctor says more if it keeps failing." },
  );
}

function failed({ name }: SandboxDriver, why: string): ProbeResult {
  const reason = `It does not start here: ${why.trim().slice(0, 500) || "no answer."}`;
  return { driver: name, works: false, isLack: namesLack(why), missing: { reason }, probes: [] };
}

/** Returns the system programs that canaries run. */
function canaryPrograms(): Readonly<Record<CanaryProgram, string | undefined>> {
  return {
    sh: systemProgram("sh"),
    git: systemProgram("git"),
    mount: systemProgram("mount"),
    unshare: systemProgram("unshare"),
  };
}

function parsed(text: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
  } catch {
    return undefined;
  }
}

async function probeWorld() {
  const base = await ownedDirectory(await realpath(tmpdir()), "haft-probe");
  const at = (name: string) => joinPath(base, name);
  const servers: Server[] = [];
  const dispose = async () => {
    for (const server of servers) server.close();
    await rm(base, { recursive: true, force: true });
  };
  try {
    for (const name of ["outside", "home/.ssh", "temporary", "workspace/.settings"]) {
      await mkdir(at(name), { recursive: true });
    }
    await writeFile(at("home/.ssh/key"), "canary");
    await writeFile(at("workspace/.settings/guarded"), "kept");
    const tcp = await listening(servers, { host: "127.0.0.1", port: 0 });
    await listening(servers, { path: at("listener") });
    const address = tcp?.address();
    // Without a listener nothing answers, so the canary is blocked whether or not the driver confines the network.
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return {
      workspace: at("workspace"),
      home: at("home"),
      temporary: at("temporary"),
      facts: {
        workspace: at("workspace"),
        outside: at("outside"),
        secret: at("home/.ssh/key"),
        guarded: at("workspace/.settings/guarded"),
        pinned: at("workspace/.settings"),
        socket: at("listener"),
        port,
        pid: process.pid,
      },
      wasWritten: () => existsSync(at("outside/written")),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw temporaryFileError(error, base);
  }
}

/** Starts a server; undefined if this process may not listen because it is confined itself. */
async function listening(
  servers: Server[],
  where: { host: string; port: number } | { path: string },
): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  const isOpen = await new Promise<boolean>((done) => {
    server.once("error", () => done(false));
    server.listen(where, () => done(true));
  });
  if (!isOpen) return undefined;
  servers.push(server);
  server.unref();
  return server;
}
