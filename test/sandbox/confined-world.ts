import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";
import {
  drivers,
  probeDriver,
  runConfined,
  sandboxPolicy,
  type SandboxDriver,
  type RunResult,
  type SandboxPolicy,
  type SandboxPolicyOptions,
} from "../../src/sandbox/index.ts";

export interface ConfinedWorld {
  /** The path of what has this name in the folder of the test: `home`, `temporary`, `workspace`. */
  readonly at: (name: string) => string;
  /** The drivers, those that work here with what they are. */
  readonly working: ReadonlyMap<string, SandboxDriver | undefined>;
  readonly isMissing: (name: string) => boolean;
  readonly policyOf: (options?: Partial<SandboxPolicyOptions>) => Promise<SandboxPolicy>;
  /** Runs a script of a shell as a driver confines it. */
  readonly shell: (
    name: string,
    script: string,
    options?: Partial<SandboxPolicyOptions>,
  ) => Promise<RunResult>;
}

/** A folder of its own for each test, and the drivers of this machine; what a test leaves behind fails it. */
export async function confinedWorld(): Promise<ConfinedWorld> {
  const tried = drivers.map(
    async (driver) =>
      [driver.name, (await probeDriver(driver)).works ? driver : undefined] as const,
  );
  const working = new Map(await Promise.all(tried));
  let base = "";
  let before: readonly string[] = [];
  const at = (name: string): string => path.join(base, name);
  beforeEach(() => {
    before = leftovers();
    base = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-confined-"));
    for (const name of ["home/.ssh", "temporary", "workspace"])
      mkdirSync(at(name), { recursive: true });
    writeFileSync(at("home/.ssh/key"), "secret");
  });
  afterEach(() => {
    rmSync(base, { recursive: true });
    const left = leftovers().filter((name) => !before.includes(name));
    if (left.length > 0) throw new Error(`Left behind: ${left.join(", ")}`);
  });
  const policyOf: ConfinedWorld["policyOf"] = async (options = {}) =>
    await sandboxPolicy({
      workspace: at("workspace"),
      home: at("home"),
      temporary: at("temporary"),
      variables: { PATH: process.env["PATH"], HOME: at("home") },
      ...options,
    });
  return {
    at,
    working,
    isMissing: (name) => working.get(name) === undefined,
    policyOf,
    shell: async (name, script, options = {}) => {
      const driver = working.get(name);
      if (driver === undefined) throw new Error(`${name} does not work here.`);
      const sandbox = await driver.prepare(await policyOf(options));
      try {
        return await runConfined(sandbox.wrap(["/bin/sh", "-c", script]), { timeoutMs: 15_000 });
      } finally {
        await sandbox.dispose();
      }
    },
  };
}

/** Of this program: others may be confining something at the same time. */
function leftovers(): readonly string[] {
  const common = path.join(tmpdir(), `haft-sandboxes-${process.getuid?.() ?? 0}`);
  return [tmpdir(), common]
    .flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []))
    .filter((name) => name.startsWith("haft-") && name.includes(`-${process.pid}-`));
}

export function git(...words: readonly string[]): string {
  const own = ["user.name=a", "user.email=a@localhost", "init.defaultBranch=main"];
  return execFileSync("git", [...own.flatMap((each) => ["-c", each]), ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Where the sources of the sandbox lie, for programs of their own. */
export const source = realpathSync(path.join(import.meta.dirname, "../../src/sandbox"));
