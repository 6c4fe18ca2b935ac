import type { SandboxLimits } from "../policy/policy.ts";

/**
 * The arguments in front of a command that hold it to its limits. They stand inside the sandbox, so that the
 * processes of the same user outside are not counted.
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

/** Whether a policy asks for limits at all. */
export function hasLimits(limits: SandboxLimits): boolean {
  return Object.values(limits).some((value) => value !== undefined);
}
