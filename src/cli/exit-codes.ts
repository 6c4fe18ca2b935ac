import type { Outcome } from "../index.ts";

/** Exit codes of the command; documented in README and `haft --help`. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  approvalNeeded: 4,
  timedOut: 124,
  interrupted: 130,
} as const;

/** Exit codes for signals, as a shell reports them. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Returns the exit code for the outcome of a call. */
export function exitCodeOf({ status, error }: Outcome): ExitCode {
  switch (status) {
    case "ok":
      return exitCodes.ok;
    case "aborted":
      return exitCodes.interrupted;
    case "denied":
      return error?.code === "APPROVAL_REQUIRED" ? exitCodes.approvalNeeded : exitCodes.denied;
    case "failed":
      return error?.code === "TIMEOUT" ? exitCodes.timedOut : exitCodes.failed;
  }
}
