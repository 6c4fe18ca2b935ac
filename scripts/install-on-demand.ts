import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";

/** A published package that a check needs and the repository does not depend on. */
export interface OnDemand {
  readonly name: string;
  /** Exact. */
  readonly version: string;
  /** Packages that are installed into the same folder, each with its exact version: `name@1.2.3`. */
  readonly beside?: readonly string[];
}

/**
 * The folder of a package below `.cache`, installed there without scripts if it is not yet, at its exact
 * version.
 */
export async function installOnDemand({ name, version, beside = [] }: OnDemand): Promise<string> {
  const prefix = path.resolve(".cache", name.replaceAll(/[^\w.-]+/gu, "-"));
  const folder = path.join(prefix, "node_modules", name);
  if ((await versionIn(folder)) === version) return folder;
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const wanted = [`${name}@${version}`, ...beside];
  const npm = spawn("npm", ["install", "--prefix", prefix, ...flags, ...wanted], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  const code = await new Promise((resolve, reject) => {
    npm.on("error", reject);
    npm.on("close", resolve);
  });
  if (code !== 0) throw new Error(`npm could not install ${name}@${version}.`);
  return folder;
}

/** The `node_modules` that a package installed on demand is in, with what it depends on. */
export async function installedModules(wanted: OnDemand): Promise<string> {
  const folder = await installOnDemand(wanted);
  return folder.slice(0, -wanted.name.length - 1);
}

/** The file behind a package's command. */
export async function commandFile(folder: string, command: string): Promise<string> {
  const { bin } = await manifest(folder);
  const file = typeof bin === "string" ? bin : bin?.[command];
  if (file === undefined) throw new Error(`${folder} has no command ${command}.`);
  return path.join(folder, file);
}

async function versionIn(folder: string): Promise<string | undefined> {
  try {
    return (await manifest(folder)).version;
  } catch {
    return undefined;
  }
}

interface Manifest {
  readonly version?: string;
  readonly bin?: string | Readonly<Record<string, string>>;
}

async function manifest(folder: string): Promise<Manifest> {
  const value: unknown = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8"));
  return isManifest(value) ? value : {};
}

function isManifest(value: unknown): value is Manifest {
  return typeof value === "object" && value !== null;
}
