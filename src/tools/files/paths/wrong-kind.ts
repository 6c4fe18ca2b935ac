import { ToolError } from "../../../core/index.ts";

/** The error for a path that is a directory where a tool needs a file. */
export function isDirectory(shown: string, hint: string): ToolError {
  return new ToolError("IS_DIRECTORY", `${shown} is a directory.`, { hint });
}

/** The error for a path that is not a directory where a tool needs one. */
export function notDirectory(
  shown: string,
  {
    hint,
    kind,
    cause,
  }: { readonly hint: string; readonly kind?: string; readonly cause?: unknown },
): ToolError {
  return new ToolError("NOT_A_DIRECTORY", `${shown} is not a directory.`, {
    hint,
    ...(kind === undefined ? {} : { data: { kind } }),
    cause,
  });
}

/** The error for a pipe, a socket or a device where a tool needs a regular file. */
export function notRegularFile(shown: string, kind: string, hint: string): ToolError {
  return new ToolError("NOT_A_FILE", `${shown} is a ${kind}, not a regular file.`, {
    hint,
    data: { kind },
  });
}
