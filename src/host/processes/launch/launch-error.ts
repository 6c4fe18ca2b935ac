import { ToolError } from "../../../core/index.ts";
import { errnoOf } from "../../files/file-error.ts";
import { missingProgram, programRefused } from "../process-error.ts";

/** The program of an argv; throws if the argv is invalid. */
export function checkedProgram(argv: readonly string[]): string {
  const [program = ""] = argv;
  if (program === "") throw missingProgram('""');
  if (argv.some((part) => part.includes("\0"))) {
    throw new ToolError("INVALID_INPUT", "An argument of the program holds a NUL character.", {
      hint: "Pass such bytes through a file or through its input.",
    });
  }
  return program;
}

/** Error for a program that the system did not start. */
export function launchError(
  program: string,
  errno: string | undefined,
  cause?: unknown,
): ToolError {
  if (errno === "ENOENT") return missingProgram(program, cause);
  if (errno === "EACCES" || errno === "EPERM" || errno === "ENOEXEC") {
    return programRefused(program, cause);
  }
  if (errno === "E2BIG") {
    return new ToolError("TOO_LARGE", `The arguments of ${program} are too long to start it.`, {
      hint: "Pass long text through a file or through its input.",
      cause,
    });
  }
  return notStarted(program, errno, cause);
}

/** Error for pipes or other files of a program that could not be opened. */
export function openingError([program = ""]: readonly string[], cause: unknown): unknown {
  const errno = errnoOf(cause);
  return errno === undefined || ToolError.is(cause) ? cause : notStarted(program, errno, cause);
}

function notStarted(program: string, errno: string | undefined, cause: unknown): ToolError {
  return new ToolError("UNAVAILABLE", `${program} could not be started (${errno ?? "unknown"}).`, {
    hint: "The system may be short of processes, open files or memory. Try again in a moment.",
    cause,
  });
}

/** A confined helper did not begin to start a program, so the start can be repeated in another way. */
export class NotBegun extends Error {}
