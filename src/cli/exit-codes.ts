import type { Outcome } from "../index.ts";

/** What the command ends with; documented in README and `haft --help`. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  approvalNeeded: 4,
  timedOut: 124,
  interrupted: 130,
} as const;

/** What ends a program from outside, and how a shell tells of it. */
export const signalCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code that tells what became of a call. */
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
