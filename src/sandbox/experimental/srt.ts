import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { SandboxReport } from "../../core/index.ts";
import { isTrustedProgram, missingProgram, systemProgram } from "../../programs/index.ts";
import { gaps } from "../policy/gaps.ts";
import { hasLimits } from "../drivers/resource-limits.ts";
import type { SandboxPolicy } from "../policy/policy.ts";
import type { SandboxDriver } from "../sandbox.ts";

/** Part of the optional package that this driver uses. */
interface Manager {
  initialize(config: unknown): Promise<void>;
  wrapWithSandbox(command: string): Promise<string>;
  reset(): Promise<void>;
}

const packageName = "@anthropic-ai/sandbox-runtime";

/** Programs that the package looks up in PATH, unconfined. */
const usedPrograms = ["bwrap", "socat", "rg", "which", "sh", "bash", "env", "sandbox-exec"];

const commandName = "HAFT_SANDBOXED_COMMAND";

/** Whether a policy is in use: the package supports one per process. */
let inUse = false;

/** Driver for the optional package @anthropic-ai/sandbox-runtime: slower, with its own rules for domains. */
export const srt: SandboxDriver = {
  name: "srt",
  isExperimental: true,
  missing: async () => {
    if ((await manager()) === undefined) {
      return { reason: `${packageName} is not installed.`, install: `npm install ${packageName}` };
    }
    if (process.platform !== "linux") return undefined;
    for (const name of ["bwrap", "socat", "rg"]) {
      if (systemProgram(name) === undefined) {
        const install = "apt-get install bubblewrap socat ripgrep";
        return { reason: missingProgram(name), install };
      }
    }
    const path = (process.env["PATH"] ?? "").split(delimiter);
    const first = usedPrograms
      .map((name) => path.map((directory) => join(directory, name)).find(existsSync))
      .find((found) => found !== undefined && !isTrustedProgram(found));
    if (first === undefined) return undefined;
    return { reason: `It would run ${first}, which others than root can replace.` };
  },
  report: srtReport,
  prepare: async (policy) => {
    const held = await manager();
    if (held === undefined)
      throw new TypeError(`${packageName} was asked for but is not installed.`);
    if (inUse) throw new TypeError(`${packageName} holds one policy in a process, and has one.`);
    inUse = true;
    await held.initialize(srtConfig(policy));
    // The package wraps shell text, once: the command is passed as a variable, whatever it contains.
    const text = await held.wrapWithSandbox(`eval "$${commandName}"`);
    // The package sets its own temporary directory, which all users share.
    const own = ["/usr/bin/env", `TMPDIR=${policy.temporary}`];
    return {
      policy,
      report: srtReport(policy),
      wrap: (argv, { cwd = policy.workspace, env = {} } = {}) => ({
        argv: ["/bin/bash", "-c", text],
        cwd,
        env: {
          ...policy.environment,
          ...env,
          [commandName]: own.concat(argv).map(quoted).join(" "),
        },
        descriptors: [],
      }),
      dispose: async () => {
        inUse = false;
        await held.reset();
      },
    };
  },
};

function srtReport(policy: SandboxPolicy): SandboxReport {
  return {
    provider: "srt",
    filesystem: "partial",
    network: policy.network.kind === "open" ? "granted" : "partial",
    ipc: "partial",
    process: "partial",
    undo: "none",
    gaps: gaps(
      "foreign",
      "missing-protected",
      "nested-repositories",
      policy.isSearchedInPart && "unsearched-protected",
      policy.hasOpenSecrets && "open-secrets",
      hasLimits(policy.limits) && "limits",
    ),
  };
}

function srtConfig(policy: SandboxPolicy): unknown {
  const { writable, granted, hidden, protected: guarded, network } = policy;
  return {
    network: {
      allowedDomains:
        network.kind === "hosts" ? network.hosts : network.kind === "open" ? ["*"] : [],
      deniedDomains: [],
    },
    filesystem: {
      denyRead: paths(hidden),
      allowWrite: paths([...writable, ...granted]),
      denyWrite: paths(guarded),
    },
  };
}

function paths(entries: readonly { readonly path: string }[]): readonly string[] {
  return entries.map(({ path }) => path);
}

async function manager(): Promise<Manager | undefined> {
  // Imported by a name that the compiler does not follow: most installations do not have it.
  const loaded: unknown = await import(packageName).catch(() => undefined);
  if (typeof loaded !== "object" || loaded === null || !("SandboxManager" in loaded)) {
    return undefined;
  }
  return isManager(loaded.SandboxManager) ? loaded.SandboxManager : undefined;
}

function isManager(value: unknown): value is Manager {
  return (
    typeof value === "object" &&
    value !== null &&
    ["initialize", "wrapWithSandbox", "reset"].every((name) => name in value)
  );
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
