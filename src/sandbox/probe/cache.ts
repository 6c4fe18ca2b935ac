import { readFileSync, readlinkSync, statSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { parentPath } from "../../text/index.ts";
import { systemProgram } from "../../programs/index.ts";
import { drivers } from "../drivers/index.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { ToolError } from "../../core/index.ts";
import type { SandboxDriver } from "../sandbox.ts";
import { probeDriver, type ProbeResult } from "./probe-driver.ts";

/** Version of the stored format; changed whenever the meaning of the content changes. */
const format = 2;

export interface RememberedProbe {
  readonly probe: (driver: SandboxDriver) => Promise<ProbeResult>;
  /** Makes every driver be tried again. */
  forget(): Promise<void>;
  /** Returns a stronger driver than this one that worked here before, also before a restart of the machine. */
  strongerBefore(chosen: string): Promise<string | undefined>;
  /** Resolves once the file is not being changed. */
  settled(): Promise<void>;
}

/**
 * Returns a probe that does not repeat a successful trial until the machine restarts, the program of a driver changes,
 * or this program runs as another user or in another container: a trial takes longer than most commands.
 *
 * Only success is stored, and the driver's report is not read from the file. A process that writes the file can thus
 * make no driver look broken and no weaker one be chosen: at worst a driver is chosen that then starts nothing.
 *
 * A driver that worked on this machine since it started, and suddenly fails for no lack that is recognized, rejects: a
 * program may have caused that, and must not get the next one started with less protection.
 */
export function rememberedProbe(
  file: string,
  look: (driver: SandboxDriver) => Promise<ProbeResult> = probeDriver,
  strengths: readonly string[] = drivers.map(({ name }) => name),
): RememberedProbe {
  let loading: Promise<Memory> | undefined;
  const load = async (): Promise<Memory> => {
    const { key, works, worked, strongest } = await stored(file);
    const isSame = key === (await machineKey());
    return {
      works: new Map(isSame ? works : []),
      worked: new Set(isSame ? [...worked, ...works.map(([name]) => name)] : []),
      failed: new Map(),
      strongest,
    };
  };
  const changing = new Set<Promise<void>>();
  const change = async (work: Promise<void>): Promise<void> => {
    changing.add(work);
    try {
      await work;
    } finally {
      changing.delete(work);
    }
  };
  const save = async ({ works, worked, strongest }: Memory): Promise<void> => {
    const key = await machineKey();
    await keep(file, { key, works: [...works], worked: [...worked], strongest });
  };
  const forget = async (): Promise<void> => {
    const { strongest, worked } = await (loading ?? load());
    const memory: Memory = { works: new Map(), worked, failed: new Map(), strongest };
    loading = Promise.resolve(memory);
    if (strongest === undefined) await rm(file, { force: true }).catch(() => undefined);
    else await save(memory);
  };
  // A driver of the user's has no place among the strengths: it is neither weaker nor stronger than one that has.
  const isWeaker = (name: string, than: string): boolean =>
    strengths.includes(than) && strengths.indexOf(name) > strengths.indexOf(than);
  return {
    async probe(driver) {
      const memory = await (loading ??= load());
      const version = memory.works.get(driver.name);
      if (version !== undefined) return remembered(driver, version);
      const failure = memory.failed.get(driver.name);
      if (failure !== undefined) return failure;
      // A driver that worked before may only have been slow: try again before a weaker one is used.
      const hadWorked = memory.strongest === driver.name || memory.worked.has(driver.name);
      const first = await look(driver).catch((error: unknown) => {
        if (!hadWorked) throw error;
      });
      const result =
        first !== undefined && (first.works || !hadWorked) ? first : await look(driver);
      if (!result.works) {
        if (memory.worked.has(driver.name) && result.isLack !== true)
          throw suddenFailure(result, file);
        memory.failed.set(driver.name, result);
        return result;
      }
      memory.works.set(driver.name, result.report?.version ?? "");
      memory.worked.add(driver.name);
      const { strongest } = memory;
      if (!strengths.includes(driver.name)) return result;
      if (strongest === undefined || isWeaker(strongest, driver.name)) {
        memory.strongest = driver.name;
      }
      await change(save(memory));
      return result;
    },
    forget: async () => await change(forget()),
    async strongerBefore(chosen) {
      const { strongest } = await (loading ??= load());
      return strongest !== undefined && isWeaker(chosen, strongest) ? strongest : undefined;
    },
    settled: async () => void (await Promise.allSettled(changing)),
  };
}

function suddenFailure({ driver, missing }: ProbeResult, file: string): ToolError {
  const reason = missing === undefined ? "" : ` ${missing.reason}`;
  return new ToolError(
    "UNAVAILABLE",
    `The sandbox ${driver} worked before and does not work now, so no command was started with less protection.${reason}`,
    {
      hint: `Run it again. If haft doctor shows that it stays so and that is intended, the user can delete ${file}.`,
    },
  );
}

interface Memory {
  /** Versions of the drivers that worked, by name. */
  readonly works: Map<string, string>;
  /** Names of the drivers that worked since the machine started, also if all are tried again. */
  readonly worked: Set<string>;
  /** Failed results; never stored in the file. */
  readonly failed: Map<string, ProbeResult>;
  strongest: string | undefined;
}

interface Stored {
  readonly key?: string;
  readonly works: readonly (readonly [string, string])[];
  readonly worked: readonly string[];
  readonly strongest: string | undefined;
}

function remembered(driver: SandboxDriver, version: string): ProbeResult {
  const report = driver.report(plainPolicy);
  return {
    driver: driver.name,
    works: true,
    report: version === "" ? report : { ...report, version },
    probes: [],
  };
}

/** Policy without exceptions and without network, as in the trial. */
export const plainPolicy: SandboxPolicy = {
  workspace: "/",
  readable: ["/"],
  writable: [],
  pinned: [],
  protected: [],
  hidden: [],
  granted: [],
  revealed: [],
  watched: [],
  searched: [],
  known: [],
  isSearchedInPart: false,
  hasOpenSecrets: false,
  temporary: "/",
  environment: {},
  network: { kind: "none" },
  limits: {},
  leftovers: "ended",
};

/** Form of a version. It is printed, so longer text is rejected. */
const versionForm = /^[\w .+-]{0,40}$/u;

async function stored(file: string): Promise<Stored> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value !== "object" || value === null) return nothing;
    const key = "key" in value && typeof value.key === "string" ? value.key : undefined;
    const entries: readonly unknown[] =
      "works" in value && Array.isArray(value.works) ? value.works : [];
    const works = entries.flatMap((entry): [string, string][] => {
      if (!Array.isArray(entry)) return [];
      const [name, version]: readonly unknown[] = entry;
      const driver = driverNamed(name);
      return driver !== undefined && typeof version === "string" && versionForm.test(version)
        ? [[driver, version]]
        : [];
    });
    const strongest = "strongest" in value ? driverNamed(value.strongest) : undefined;
    const names: readonly unknown[] =
      "worked" in value && Array.isArray(value.worked) ? value.worked : [];
    const worked = names.flatMap((name) => driverNamed(name) ?? []);
    return { ...(key === undefined ? {} : { key }), works, worked, strongest };
  } catch {
    // The file is missing or invalid.
    return nothing;
  }
}

const nothing: Stored = { works: [], worked: [], strongest: undefined };

function driverNamed(name: unknown): string | undefined {
  return drivers.find((known) => known.name === name)?.name;
}

/** Writes the file completely or not at all. */
export async function keep(file: string, kept: object): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    await mkdir(parentPath(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify(kept), { mode: 0o600 });
    await rename(draft, file);
  } catch {
    // If writing fails, the next process tries the drivers again. A disk that is full still takes the draft's name.
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Returns a key that stays the same until something changes that determines which driver works here. */
export async function machineKey(): Promise<string> {
  const programs = drivers.flatMap((driver) => driver.programs ?? []).map(systemProgram);
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

function stampOf(program: string | undefined): readonly unknown[] {
  const stats = program === undefined ? undefined : statSync(program, { throwIfNoEntry: false });
  return [program, stats?.size, stats?.mtimeMs];
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
