import { ToolError } from "../../../core/index.ts";

/** Error of a compare-and-swap that found other content; `found` is undefined if the file is missing. */
export function staleError(path: string, expected: string, found: string | undefined): ToolError {
  const message =
    found === undefined
      ? `${path} no longer exists.`
      : `${path} is not what it was when it was read.`;
  return new ToolError("STALE_READ", message, {
    hint: "Read it again, then repeat the change.",
    data: { path, expected, found: found ?? null },
  });
}

export function tooLargeError(path: string, size: number, maxBytes: number): ToolError {
  return new ToolError(
    "TOO_LARGE",
    `${path} has ${size} bytes; at most ${maxBytes} are read here.`,
    {
      hint: "Read a part of it.",
      data: { path, size, maxBytes },
    },
  );
}
