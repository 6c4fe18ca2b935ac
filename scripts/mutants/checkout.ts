import { spawn, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Linked instead, or no part of what tests read. */
const leftOut: ReadonlySet<string> = new Set([".git", "node_modules", "dist", "coverage"]);

/** Lets work be done in a copy of the checkout, which is removed afterwards. */
export async function inCopy<T>(work: (copy: string) => Promise<T>): Promise<T> {
  const copy = mkdtempSync(path.join(tmpdir(), "haft-mutants-"));
  // Tests start programs of it as an ordinary user.
  chmodSync(copy, 0o755);
  try {
    for (const name of readdirSync(".")) {
      if (!leftOut.has(name)) cpSync(name, path.join(copy, name), { recursive: true });
    }
    symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"));
    if (existsSync("dist")) symlinkSync(path.resolve("dist"), path.join(copy, "dist"));
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

export interface Ended {
  readonly code: number;
  readonly output: string;
}

interface VitestRun {
  readonly limitMs: number;
  readonly env?: Record<string, string>;
}

/** Runs tests of the copy, without those that need the built command. */
export async function vitest(
  copy: string,
  args: readonly string[],
  { limitMs, env = {} }: VitestRun,
): Promise<Ended> {
  const program = path.join(copy, "node_modules/vitest/vitest.mjs");
  // A mutant that hangs is given up on sooner than where a busy machine may be the reason.
  const options = ["--reporter=dot", "--testTimeout=20000", "--exclude", "test/cli/**"];
  return await run(copy, [program, ...args, ...options], { limitMs, env });
}

/** Whether the sources of the copy have the types they declare. */
export async function compiles(copy: string): Promise<boolean> {
  const options = ["--noEmit", "--emitDeclarationOnly", "false", "--declaration", "false"];
  const compiler = path.join(copy, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", "tsconfig.build.json", ...options];
  return (await run(copy, args, { limitMs: 120_000 })).code === 0;
}

/** A run that takes longer has failed: a mutant that loops without an end is noticed too. */
async function run(
  copy: string,
  args: readonly string[],
  { limitMs, env = {} }: VitestRun,
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: copy,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream
      .setEncoding("utf8")
      .on("data", (text: string) => (output = (output + text).slice(-100_000)));
  }
  const { promise, resolve } = Promise.withResolvers<number>();
  const timer = setTimeout(() => endGroup(child), limitMs);
  child.on("close", (code) => {
    clearTimeout(timer);
    resolve(code ?? 1);
  });
  return { code: await promise, output };
}

function endGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}
