import type { Confined, ConfinedHelper, SandboxReport } from "../core/index.ts";
import type { SandboxPolicy } from "./policy/policy.ts";
import type { Refusal } from "./proxy/host-proxy.ts";

/** Options for one command in a sandbox. */
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
  /** Policy it was prepared for. */
  readonly policy: SandboxPolicy;
  /** Strength of what it enforces of the policy, and every known way past it. */
  readonly report: SandboxReport;
  /** Starts the same programs at lower cost. */
  readonly helper?: ConfinedHelper;
  /** Private directory that is visible inside the sandbox and cannot be written there. */
  readonly directory?: string;
  /** Returns what to start instead of a command, so that the command runs confined. */
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
  /** Reason, as a sentence. */
  readonly reason: string;
  /** Command that would install what is missing. */
  readonly install?: string;
}

/** The reason and the fix as sentences. */
export function missingText({ reason, install }: Missing): string {
  return install === undefined ? reason : `${reason} What would help: \`${install}\`.`;
}

/**
 * A way to confine programs. It turns a policy into what is started instead of a program, and starts nothing itself. It is
 * used only where a trial shows that the operations that its report calls blocked do fail.
 */
export interface SandboxDriver {
  /** Name in reports, options and settings. */
  readonly name: string;
  /** Whether it has not passed the escapes: it is used only where it is named. Default false. */
  readonly isExperimental?: boolean;
  /** Whether it filters system calls: no new namespaces, no signals to processes outside. Default false. */
  readonly filtersSystemCalls?: boolean;
  /** Whether it confines a program that only reads, at a cost below that of a search. Default false. */
  readonly confinesSearches?: boolean;
  /** Whether it works where the system forbids new namespaces, so that its absence matters next to any other. */
  readonly needsNoNamespace?: boolean;
  /** System programs it starts; when one of them changes, the driver is tried again. */
  readonly programs?: readonly string[];
  /** Version of the program or kernel interface the driver is based on. */
  version?(): Promise<string | undefined>;
  /** Reports what is absent, by inspection only; a driver that seems present may still fail its canaries. */
  missing(): Promise<Missing | undefined>;
  /** Reports what this driver enforces of a policy. */
  report(policy: SandboxPolicy): SandboxReport;
  /** Prepares a sandbox for the commands of one policy; it is disposed when they have ended. */
  prepare(policy: SandboxPolicy): Promise<Sandbox>;
}
