import type { CommandAnalysis } from "../../shell/index.ts";

/**
 * Whether a command may continue in the background after its timeout: not if it only waits, may hold the lock of a
 * repository, or is not fully understood.
 */
export function mayPromote(analysis: CommandAnalysis): boolean {
  const { input, invocations, findings } = analysis;
  if (/^\s*sleep\b/u.test(input) || /\bgit\b/u.test(input)) return false;
  if (invocations.some(({ name }) => name === "git")) return false;
  return !findings.some(({ rule }) => rule === "refused" || rule === "floor");
}
