import type { SandboxReport } from "../../core/index.ts";
import { missingProgram, systemProgram } from "../../programs/index.ts";
import { gaps } from "../policy/gaps.ts";
import { inheritedDescriptors } from "../inherited-descriptors.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import { privateFiles } from "../private-files.ts";
import { sandboxExecProfile } from "./sandbox-exec-profile.ts";
import type { SandboxDriver } from "../sandbox.ts";

/** Sandbox of macOS. Written from its documentation: its canaries decide whether it is used. */
export const sandboxExec: SandboxDriver = {
  name: "sandbox-exec",
  isExperimental: true,
  missing: async () => {
    if (process.platform !== "darwin") return { reason: "sandbox-exec is for macOS." };
    if (systemProgram("sandbox-exec") !== undefined) return undefined;
    return { reason: missingProgram("sandbox-exec") };
  },
  report: sandboxExecReport,
  prepare: async (policy) => {
    const program = systemProgram("sandbox-exec");
    if (program === undefined) throw new TypeError(missingProgram("sandbox-exec"));
    const files = await privateFiles(policy);
    const profile = await files.keep("profile.sb", sandboxExecProfile(policy));
    return {
      policy,
      report: sandboxExecReport(policy),
      wrap: (argv, { cwd = policy.workspace, env = {} } = {}) => ({
        argv: [program, "-f", profile, ...argv],
        cwd,
        env: { ...policy.environment, ...env },
        descriptors: inheritedDescriptors(2),
      }),
      dispose: async () => files.dispose(),
    };
  },
};

function sandboxExecReport(policy: SandboxPolicy): SandboxReport {
  return {
    provider: "sandbox-exec",
    filesystem: "partial",
    network: policy.network.kind === "open" ? "granted" : "partial",
    ipc: "partial",
    process: "partial",
    undo: "none",
    gaps: gaps(
      "untested",
      "missing-protected",
      "nested-repositories",
      policy.isSearchedInPart && "unsearched-protected",
      policy.hasOpenSecrets && "open-secrets",
      "background",
      "processes",
      "limits",
      policy.network.kind === "hosts" && "hosts-unsupported",
    ),
  };
}
