import type { SandboxReport } from "../../core/index.ts";
import { systemProgram } from "../../programs/index.ts";
import { gaps } from "../policy/gaps.ts";
import { limited } from "./resource-limits.ts";
import type { SandboxDriver } from "../sandbox.ts";

/** No sandbox: the environment is narrowed and limits are set, and the report says that nothing is held. */
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

/** What holds where nothing does. */
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
