import type { SandboxReport } from "../../core/index.ts";
import { missingProgram, systemProgram } from "../../programs/index.ts";
import { gaps } from "../policy/gaps.ts";
import { limited } from "./resource-limits.ts";
import { inheritedDescriptors } from "../inherited-descriptors.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import type { SandboxDriver } from "../sandbox.ts";

/** Turns the network off by a namespace, and nothing else: files, processes and unix sockets stay open. */
export const unshare: SandboxDriver = {
  name: "unshare",
  programs: ["unshare"],
  missing: async () => {
    if (process.platform !== "linux") return { reason: "Namespaces are for Linux." };
    if (systemProgram("unshare") !== undefined) return undefined;
    return { reason: missingProgram("unshare"), install: "apt-get install util-linux" };
  },
  report: unshareReport,
  prepare: async (policy) => {
    const program = systemProgram("unshare");
    if (program === undefined) throw new TypeError(missingProgram("unshare"));
    const prlimit = systemProgram("prlimit");
    const isOpen = policy.network.kind === "open";
    return {
      policy,
      report: unshareReport(policy),
      wrap: (argv, { cwd = policy.workspace, env = {} } = {}) => ({
        argv: [
          // Root gets a user namespace as well: with its capabilities it could return to the old network.
          ...(isOpen ? [] : [program, "--user", "--map-current-user", "--net", "--"]),
          ...limited(policy.limits, prlimit),
          ...argv,
        ],
        cwd,
        env: { ...policy.environment, ...env },
        descriptors: inheritedDescriptors(2),
      }),
      dispose: async () => undefined,
    };
  },
};

function unshareReport(policy: SandboxPolicy): SandboxReport {
  return {
    provider: "unshare",
    filesystem: "none",
    network: policy.network.kind === "open" ? "granted" : "partial",
    ipc: "none",
    process: "none",
    undo: "none",
    gaps: gaps(
      "writes",
      "reads",
      "unix-sockets",
      "vsock",
      "system-v",
      "signals",
      "processes",
      "background",
      "kernel",
      policy.network.kind === "hosts" && "hosts-unsupported",
    ),
  };
}
