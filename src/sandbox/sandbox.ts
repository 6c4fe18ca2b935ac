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
  /** A canonical directory. Default: the workspace. */
  readonly cwd?: string;
  /** On top of the policy's. */
  readonly env?: Readonly<Record<string, string>>;
  /** It runs on an overlay, whose changes are looked at before they count. */
  readonly onOverlay?: boolean;
}

/** A policy made ready by one driver. */
export interface Sandbox {
  readonly policy: SandboxPolicy;
  readonly report: SandboxReport;
  readonly helper?: ConfinedHelper;
  /** A private directory that is seen inside as outside, and cannot be written there. */
  readonly directory?: string;
  wrap(argv: readonly string[], options?: WrapOptions): Confined;
  /** Whether what stands at a path is closed only because it was not there when this was made. */
  isLate?(path: string): boolean;
  /** Connections to hosts that were refused since the last time, where hosts are listed. */
  takeRefusals?(): readonly Refusal[];
  /** Takes back what `prepare` left outside: files and listeners. */
  dispose(): Promise<void>;
}

/** Why a driver cannot work here, and what would change that. */
export interface Missing {
  readonly reason: string;
  readonly install?: string;
}

/** The same as sentences. */
export function missingText({ reason, install }: Missing): string {
  return install === undefined ? reason : `${reason} What would help: \`${install}\`.`;
}

export interface SandboxDriver {
  readonly name: DriverName;
  /** Of the program or the kernel interface it stands on. */
  version?(): Promise<string | undefined>;
  /** What is absent, by looking only; a driver that seems present may still fail its canaries. */
  missing(): Promise<Missing | undefined>;
  /** What this driver holds of a policy. */
  report(policy: SandboxPolicy): SandboxReport;
  prepare(policy: SandboxPolicy): Promise<Sandbox>;
}
