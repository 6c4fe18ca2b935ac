import type { SandboxLimits } from "../policy/policy.ts";

/**
 * Returns the arguments before a command that limit its resources. They apply inside the sandbox, so that the user's
 * processes outside are not counted.
 */
export function limited(limits: SandboxLimits, prlimit: string | undefined): readonly string[] {
  const { processes, fileBytes, memoryBytes } = limits;
  const wanted = [
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
    ...(memoryBytes === undefined ? [] : [`--as=${memoryBytes}`]),
  ];
  if (wanted.length === 0 || prlimit === undefined) return [];
  return [prlimit, ...wanted, "--"];
}

/** Whether a policy sets limits at all. */
export function hasLimits(limits: SandboxLimits): boolean {
  return Object.values(limits).some((value) => value !== undefined);
}
