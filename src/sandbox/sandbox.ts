import type { Confined, ConfinedHelper, SandboxReport } from "../core/index.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import type { Refusal } from "./proxy/host-proxy.ts";

/** Names of drivers, strongest first. */
export const driverStrengths = [
  "bwrap",
  "landlock",
  "unshare",
  "sandbox-exec",
  "srt",
  "none",
] as const;

export type DriverName = (typeof driverStrengths)[number];

export interface WrapOptions {
  /** Canonical working directory. Default: the workspace. */
  readonly cwd?: string;
  /** Variables added to those of the policy. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the program runs on an overlay, so that its changes are checked before they are applied. */
  readonly onOverlay?: boolean;
}

/** Policy prepared by one driver. */
export interface Sandbox {
  readonly policy: SandboxPolicy;
  readonly report: SandboxReport;
  readonly helper?: ConfinedHelper;
  /** Private directory that is visible inside the sandbox and cannot be written there. */
  readonly directory?: string;
  wrap(argv: readonly string[], options?: WrapOptions): Confined;
  /** Whether a path is blocked only because it did not exist when this sandbox was prepared. */
  isLate?(path: string): boolean;
  /** Returns the connections to hosts refused since the last call, if the policy lists hosts. */
  takeRefusals?(): readonly Refusal[];
  /** Removes what `prepare` created outside: files and listeners. */
  dispose(): Promise<void>;
}

/** Why a driver cannot work here, and what would fix that. */
export interface Missing {
  readonly reason: string;
  readonly install?: string;
}

/** The reason and the fix as sentences. */
export function missingText({ reason, install }: Missing): string {
  return install === undefined ? reason : `${reason} What would help: \`${install}\`.`;
}

export interface SandboxDriver {
  readonly name: DriverName;
  /** Version of the program or kernel interface the driver is based on. */
  version?(): Promise<string | undefined>;
  /** Reports what is absent, by inspection only; a driver that seems present may still fail its canaries. */
  missing(): Promise<Missing | undefined>;
  /** Reports what this driver enforces of a policy. */
  report(policy: SandboxPolicy): SandboxReport;
  prepare(policy: SandboxPolicy): Promise<Sandbox>;
}
