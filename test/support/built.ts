import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { CliWorld } from "./cli.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The command as it is published. */
export const haftFile = path.join(root, "bin/haft.cjs");

/** Why the built command cannot be tested; undefined when it can. */
export const notBuilt = existsSync(path.join(root, "dist/cli/main.js"))
  ? undefined
  : "dist is missing; run npm run build";

if (notBuilt !== undefined) process.stderr.write(`skipped: ${notBuilt}\n`);

export interface StartOptions {
  readonly world: CliWorld;
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
}

/** Starts the built command in a world, its home there too. */
export function start(
  words: readonly string[],
  { world, env = {}, nodeOptions = [] }: StartOptions,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...nodeOptions, haftFile, ...words], {
    cwd: world.workspace,
    env: environment(world, env),
  });
}

export function environment(
  world: CliWorld,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const nodeFolder = path.dirname(process.execPath);
  return {
    PATH: `${nodeFolder}${path.delimiter}${process.env["PATH"] ?? ""}`,
    HOME: world.folder,
    ...env,
  };
}

export interface Exited {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Everything a process prints until it ends, and how it ends. */
export async function exited(child: ChildProcessWithoutNullStreams): Promise<Exited> {
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, out, err }));
  });
}

/** Runs the built command to its end. */
export async function run(
  words: readonly string[],
  { input = "", ...options }: StartOptions & { readonly input?: string },
): Promise<Exited> {
  const child = start(words, options);
  child.stdin.end(input);
  return await exited(child);
}
