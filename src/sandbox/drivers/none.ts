import type { SandboxReport } from "../../core/index.ts";
import { systemProgram } from "../../programs/index.ts";
import { gaps } from "../policy/gaps.ts";
import { limited } from "./resource-limits.ts";
import type { SandboxDriver } from "../sandbox.ts";

/** No sandbox: restricts the environment and sets limits, and reports that nothing is enforced. */
export const none: SandboxDriver = {
  name: "none",
  missing: async () => undefined,
  report: noneReport,
  prepare: async (policy) => {
    const prlimit = systemProgram("prlimit");
    return {
      policy,
      report: noneReport(),
      wrap: (argv, { cwd = policy.workspace, env = {} } = {}) => ({
        argv: [...limited(policy.limits, prlimit), ...argv],
        cwd,
        env: { ...policy.environment, ...env },
        descriptors: [],
      }),
      dispose: async () => undefined,
    };
  },
};

/** Returns the report of a system without a sandbox. */
export function noneReport(): SandboxReport {
  return {
    provider: "none",
    filesystem: "none",
    network: "none",
    ipc: "none",
    process: "none",
    undo: "none",
    gaps: gaps(
      "writes",
      "reads",
      "network",
      "unix-sockets",
      "abstract-sockets",
      "vsock",
      "system-v",
      "signals",
      "processes",
      "background",
      "kernel",
    ),
  };
}
