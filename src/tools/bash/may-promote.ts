import type { CommandAnalysis } from "../../shell/index.ts";

/**
 * Whether a command may go on in the background when its time has passed: not one that only waits, none that may
 * hold a lock of a repository, and none that is not understood.
 */
export function mayPromote(analysis: CommandAnalysis): boolean {
  const { input, invocations, findings } = analysis;
  if (/^\s*sleep\b/u.test(input) || /\bgit\b/u.test(input)) return false;
  if (invocations.some(({ name }) => name === "git")) return false;
  return !findings.some(({ rule }) => rule === "refused" || rule === "floor");
}
