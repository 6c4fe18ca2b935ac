import { ToolError } from "../../core/index.ts";

export function missingProgram(name: string, cause?: unknown): ToolError {
  return new ToolError("NOT_FOUND", `There is no program ${name}.`, {
    hint: "Check its name, give its absolute path, or install it.",
    data: { program: name },
    cause,
  });
}

export function programRefused(name: string, cause?: unknown): ToolError {
  return new ToolError("ACCESS_DENIED", `${name} cannot be executed.`, {
    hint: "Make it executable, or start it through its interpreter.",
    data: { program: name },
    cause,
  });
}

export function missingProcess(id: string): ToolError {
  return new ToolError("NOT_FOUND", `There is no process ${id}.`, {
    hint: "It was never started here, or it ended long ago.",
    data: { id },
  });
}

export function endedProcess(id: string): ToolError {
  return new ToolError("NOT_FOUND", `Process ${id} has already ended.`, {
    hint: "Read what it printed, or start it again.",
    data: { id },
  });
}

export function noInput(id: string): ToolError {
  return new ToolError("INVALID_INPUT", `Process ${id} was started without input.`, {
    hint: "Start it again with its stdin open.",
    data: { id },
  });
}

export function closedHost(): ToolError {
  return new ToolError("UNAVAILABLE", "This host has been closed.", { retryable: false });
}

/** Error of a host that cannot confine programs as their spec requests. */
export function unconfinable(): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    "This host cannot confine programs, so nothing was started.",
    {
      hint: "Start it on a host that can, or without a sandbox.",
      retryable: false,
    },
  );
}
