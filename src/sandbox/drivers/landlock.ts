import { lstatSync } from "node:fs";
import { isWithin } from "../../text/index.ts";
import { type Confined, type SandboxReport } from "../../core/index.ts";
import { systemProgram } from "../../programs/index.ts";
import { gaps } from "../policy/gaps.ts";
import { hasLimits, limited } from "./resource-limits.ts";
import { landlockProgram, outsideWritable, type LandlockProgram } from "./landlock-program.ts";
import { inheritedDescriptors } from "../inherited-descriptors.ts";
import type { ExistingPath, SandboxPolicy } from "../policy/policy.ts";
import { privateFiles } from "../private-files.ts";
import { heldBack } from "../passed-environment.ts";
import { programCommand, programFile } from "../program-file.ts";
import { hasSeccompProgram } from "../seccomp/seccomp-program.ts";
import type { SandboxDriver, WrapOptions } from "../sandbox.ts";
import { transientErrno } from "../probe/transient-failure.ts";

/** Landlock and a system call filter: needs no privileges, namespaces or programs, only the package koffi. */
export const landlock: SandboxDriver = {
  name: "landlock",
  filtersSystemCalls: true,
  confinesSearches: true,
  needsNoNamespace: true,
  missing: async () => {
    if (process.platform !== "linux") return { reason: "Landlock is for Linux." };
    if (!hasSeccompProgram()) return { reason: `There is no filter for ${process.arch}.` };
    const { landlockVersion } = await import("../confine.ts");
    try {
      const version = await landlockVersion();
      if (version >= 1) return undefined;
      return { reason: "This kernel has no Landlock, or it is switched off." };
    } catch (error) {
      // Without a free descriptor or memory, the package cannot be loaded either.
      if (transientErrno(error) !== undefined) throw error;
      return { reason: "koffi is not installed.", install: "npm install koffi" };
    }
  },
  version: async () => {
    const { landlockVersion } = await import("../confine.ts");
    return `ABI ${await landlockVersion()}`;
  },
  report: landlockReport,
  prepare: async (policy) => {
    const prlimit = systemProgram("prlimit");
    const allowed = await landlockProgram(policy);
    const data = JSON.stringify(allowed);
    const files = await privateFiles(policy);
    const program = await files.keep("landlock.json", data);
    const base = landlockReport(policy);
    const hasNoLimits = hasLimits(policy.limits) && prlimit === undefined;
    const plain = (argv: readonly string[], options: WrapOptions = {}): Confined => ({
      argv: [...limited(policy.limits, prlimit), ...argv],
      cwd: options.cwd ?? policy.workspace,
      env: { ...policy.environment, ...options.env },
      descriptors: [],
    });
    return {
      policy,
      report: hasNoLimits ? { ...base, gaps: [...base.gaps, ...gaps("limits")] } : base,
      helper: {
        key: data,
        places: [...(allowed.readable ?? []), ...allowed.writable].map(({ path }) => path),
        launch: (argv) => ({ argv, cwd: "/", env: {}, descriptors: [] }),
        itself: { module: programFile("confine"), data },
        plain,
      },
      isLate: (path) => isLate(path, allowed, policy),
      wrap: (argv, options) => {
        const command = plain(argv, options);
        const before = [...programCommand("confined-exec"), program, command.cwd, "--"];
        return {
          argv: [...before, ...command.argv],
          env: heldBack(command.env),
          cwd: "/",
          descriptors: inheritedDescriptors(2),
        };
      },
      dispose: async () => files.dispose(),
    };
  },
};

/**
 * Whether a path was created after the sandbox was prepared. Next to a hidden path only existing entries are readable:
 * a new one is in none of them.
 */
function isLate(path: string, { readable }: LandlockProgram, { hidden }: SandboxPolicy): boolean {
  const isIn = (trees: readonly ExistingPath[]) => trees.some((tree) => isWithin(tree.path, path));
  if (readable === undefined || isIn(readable) || isIn(hidden)) return false;
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function landlockReport(policy: SandboxPolicy): SandboxReport {
  const cannotHide = outsideWritable(policy).length < policy.hidden.length;
  return {
    provider: "landlock",
    filesystem: "partial",
    network: policy.network.kind === "open" ? "granted" : "enforced",
    ipc: "partial",
    process: "partial",
    undo: "none",
    gaps: gaps(
      policy.protected.length > 0 && "protected-paths",
      policy.watched.length > 0 && "missing-protected",
      "nested-repositories",
      policy.hasOpenSecrets && "open-secrets",
      "attributes",
      "locks",
      policy.hidden.length > 0 && "hidden-names",
      policy.hidden.length > 0 && "late-files",
      cannotHide && "hidden-inside",
      "background",
      "processes",
      policy.network.kind === "hosts" && "hosts-unsupported",
    ),
  };
}
