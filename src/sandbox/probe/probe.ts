import { ToolError, type SandboxReport } from "../../core/index.ts";
import { drivers } from "../drivers/index.ts";
import { probeDriver, type ProbeResult } from "./probe-driver.ts";
import type { SandboxDriver } from "../sandbox.ts";

export type SandboxRequirement = "enforced" | "best-effort" | "off";

export interface ProbeOptions {
  readonly require: SandboxRequirement;
  /** Tries only this driver, experimental or not: one of the list by its name, or one of the caller's. */
  readonly driver?: string | SandboxDriver;
  /** Drivers to try instead of the default ones, in their order. */
  readonly drivers?: readonly SandboxDriver[];
  /** Tries a driver. Default: once per process, by its canaries. */
  readonly probe?: (driver: SandboxDriver) => Promise<ProbeResult>;
}

export interface Probed {
  readonly driver: SandboxDriver;
  /** Report of the driver for a plain policy; `prepare` reports on a given one. */
  readonly report: SandboxReport;
  /** Results of all drivers tried, the chosen one last. */
  readonly results: readonly ProbeResult[];
}

/**
 * Picks the sandbox of this machine. With `enforced` it rejects with UNAVAILABLE, and names what to install, if no
 * driver enforces files and network; with `off` it tries nothing.
 */
export async function probe(options: ProbeOptions): Promise<Probed> {
  const { require, driver: wanted, probe: look = probedOnce } = options;
  const all = options.drivers ?? drivers;
  const listed = candidates(require, wanted, all);
  const results: ProbeResult[] = [];
  for (const driver of listed) {
    const result = await look(driver);
    results.push(result);
    if (!result.works || result.report === undefined) continue;
    if (require === "enforced" && !isEnforced(result.report)) continue;
    return { driver, report: result.report, results };
  }
  throw unavailable(require, results);
}

function candidates(
  require: SandboxRequirement,
  wanted: string | SandboxDriver | undefined,
  all: readonly SandboxDriver[],
): readonly SandboxDriver[] {
  if (require === "off") return all.filter(({ name }) => name === "none");
  if (wanted === undefined) return all.filter(({ isExperimental = false }) => !isExperimental);
  return typeof wanted === "string" ? all.filter(({ name }) => name === wanted) : [wanted];
}

/** Whether a driver enforces files and network; a network the user opened needs no enforcement. */
export function isEnforced({ filesystem, network }: SandboxReport): boolean {
  return filesystem === "enforced" && (network === "enforced" || network === "granted");
}

const probed = new Map<SandboxDriver, Promise<ProbeResult>>();

async function probedOnce(driver: SandboxDriver): Promise<ProbeResult> {
  const known = probed.get(driver) ?? probeDriver(driver);
  probed.set(driver, known);
  return await known;
}

function unavailable(require: SandboxRequirement, results: readonly ProbeResult[]): ToolError {
  const tried = results.map((result) => `${result.driver}: ${whyNot(result)}`).join(" ");
  const installs = results.flatMap(({ missing }) =>
    missing?.install === undefined ? [] : [`\`${missing.install}\``],
  );
  const what =
    require === "enforced"
      ? "No sandbox here enforces files and network."
      : "The sandbox that was asked for does not work here.";
  return new ToolError("UNAVAILABLE", `${what} ${tried}`.trim(), {
    hint:
      installs.length > 0
        ? `Install one with ${installs.join(" or ")}, or set the sandbox to "best-effort".`
        : 'Set the sandbox to "best-effort", which runs programs only after asking the user.',
    data: { results },
    retryable: false,
  });
}

function whyNot({ missing, works, probes }: ProbeResult): string {
  if (missing !== undefined) return missing.reason;
  if (works) return "It does not hold all of it.";
  const wrong = probes.filter(({ expected, got }) => expected !== got).map(({ name }) => name);
  return `Its canaries went wrong (${wrong.join(", ")}).`;
}
