import { readFileSync, readlinkSync, statSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { parentPath } from "../core/index.ts";
import type { SandboxDriver } from "./sandbox.ts";
import { probeDriver, type ProbeResult } from "./probe-driver.ts";
import { systemProgram } from "./system-program.ts";

/** What is written changes its meaning with this number. */
const format = 1;

/**
 * A probe whose answers are kept in a file until the machine starts again, the program behind a driver changes, or
 * this program runs as somebody else or in another container: trying a driver takes longer than most commands.
 */
export function rememberedProbe(
  file: string,
  look: (driver: SandboxDriver) => Promise<ProbeResult> = probeDriver,
): {
  readonly probe: (driver: SandboxDriver) => Promise<ProbeResult>;
  /** What was kept is no longer so. */
  forget(): Promise<void>;
} {
  let known: Promise<Map<string, ProbeResult>> | undefined;
  const load = async (): Promise<Map<string, ProbeResult>> => {
    try {
      const kept: unknown = JSON.parse(await readFile(file, "utf8"));
      if (isKept(kept) && kept.key === (await machineKey())) return new Map(kept.results);
    } catch {
      // None is kept, or none that can be read.
    }
    return new Map();
  };
  return {
    async probe(driver) {
      const results = await (known ??= load());
      const found = results.get(driver.name);
      if (found !== undefined) return found;
      const result = await look(driver);
      results.set(driver.name, result);
      await keep(file, { key: await machineKey(), results: [...results] });
      return result;
    },
    async forget() {
      known = undefined;
      await rm(file, { force: true }).catch(() => undefined);
    },
  };
}

export interface Kept {
  readonly key: string;
  readonly results: readonly (readonly [string, ProbeResult])[];
}

/** Writes it whole or not at all. */
export async function keep(file: string, kept: Kept): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await mkdir(parentPath(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
    await rename(draft, file);
  } catch {
    // Then the next program tries it again.
  }
}

/** The same as long as nothing has changed that decides what works here. */
export async function machineKey(): Promise<string> {
  const programs = await Promise.all(["bwrap", "unshare"].map(systemProgram));
  return JSON.stringify([
    format,
    textOf("/proc/sys/kernel/random/boot_id"),
    linkOf("/proc/self/ns/user"),
    linkOf("/proc/self/ns/mnt"),
    linkOf("/proc/self/ns/net"),
    /^(?:Uid|CapEff|Seccomp|NoNewPrivs):.*$/gmu[Symbol.match](textOf("/proc/self/status")),
    process.version,
    programs.map(stampOf),
  ]);
}

function stampOf(program: string | undefined): string {
  const stats = program === undefined ? undefined : statSync(program, { throwIfNoEntry: false });
  return `${program ?? ""}:${stats?.size ?? 0}:${stats?.mtimeMs ?? 0}`;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return "";
  }
}

function isKept(value: unknown): value is Kept {
  return (
    typeof value === "object" &&
    value !== null &&
    "key" in value &&
    typeof value.key === "string" &&
    "results" in value &&
    Array.isArray(value.results)
  );
}
