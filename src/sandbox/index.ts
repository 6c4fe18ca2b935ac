export {
  inferRefusedActions,
  type RefusedAction,
  type FinishedCommand,
} from "./infer-refused-actions.ts";
export type {
  ExistingPath,
  SandboxLimits,
  SandboxNetwork,
  SandboxPolicy,
  WatchedPath,
} from "./policy/policy.ts";
export { drivers } from "./drivers/index.ts";
export {
  isEnforced,
  probe,
  type Probed,
  type ProbeOptions,
  type SandboxRequirement,
} from "./probe/probe.ts";
export { reasonOf, transientError } from "./probe/transient-failure.ts";
export { probeDriver, type CanaryResult, type ProbeResult } from "./probe/probe-driver.ts";
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
  type Missing,
  type Sandbox,
  type SandboxDriver,
  type WrapOptions,
} from "./sandbox.ts";
export type { AllowedWrite } from "./policy/grants.ts";
export type { DeclaredAccess } from "./declared-access.ts";
export { Sandboxes, type OpenedSandbox, type SandboxesOptions } from "./open-sandbox.ts";
export { emptyRequest, type SandboxRequest } from "./policy/sandbox-request.ts";
export {
  protectedPathsChangedSince,
  sandboxPolicy,
  type SandboxPolicyOptions,
} from "./policy/sandbox-policy.ts";
export { coveredTrees } from "./overlay/mount/layout.ts";
export { overlayForm } from "./overlay/mount/namespace-form.ts";
export { lockedFiles, type LockedFile } from "./overlay/locked-files.ts";
export { overlayRoots } from "./overlay/overlay-roots.ts";
export { isUnfit, prepareOverlay, type Overlay, type OverlayOptions } from "./overlay/overlay.ts";
export { probeOverlay, type ProbeOverlayOptions } from "./overlay/probe-overlay.ts";
export { rememberedOverlay, type RememberedOverlay } from "./overlay/probe-cache.ts";
export {
  dropStaging,
  dropStale,
  keepStaging,
  leaveStaging,
  stagingFor,
  type StagingOptions,
} from "./overlay/staging.ts";
