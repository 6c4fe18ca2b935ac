export { denialsOf, type Denial, type FinishedCommand } from "./denial.ts";
export type {
  ExistingPath,
  SandboxLimits,
  SandboxNetwork,
  SandboxPolicy,
  WatchedPath,
} from "./policy.ts";
export {
  drivers,
  isEnforced,
  probe,
  type Probed,
  type ProbeOptions,
  type SandboxRequirement,
} from "./probe.ts";
export { probeDriver, type CanaryResult, type ProbeResult } from "./probe-driver.ts";
export type { Refusal } from "./proxy/host-proxy.ts";
export {
  runConfined,
  spawnConfined,
  type RunConfined,
  type RunOptions,
  type RunResult,
} from "./run-confined.ts";
export {
  missingText,
  type DriverName,
  type Missing,
  type Sandbox,
  type SandboxDriver,
  type WrapOptions,
} from "./sandbox.ts";
export type { AllowedWrite } from "./grants.ts";
export {
  noWishes,
  Sandboxes,
  type OpenedSandbox,
  type SandboxesOptions,
  type SandboxWishes,
} from "./sandboxes.ts";
export { plantedSince, sandboxPolicy, type SandboxPolicyOptions } from "./sandbox-policy.ts";
export { coveredTrees } from "./overlay/layout.ts";
export { overlayForm } from "./overlay/namespace-form.ts";
export { lockedFiles, type LockedFile } from "./overlay/locked-files.ts";
export { overlayRoots } from "./overlay/overlay-roots.ts";
export { prepareOverlay, type Overlay, type OverlayOptions } from "./overlay/overlay.ts";
export { probeOverlay, type ProbeOverlayOptions } from "./overlay/probe-overlay.ts";
export { rememberedOverlay, type RememberedOverlay } from "./overlay/remembered-overlay.ts";
export {
  dropStaging,
  dropStale,
  keepStaging,
  leaveStaging,
  stagingFor,
  type StagingOptions,
} from "./overlay/staging.ts";
