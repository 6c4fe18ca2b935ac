import {
  ToolError,
  type HostFile,
  type ReadOptions,
  type ToolContext,
} from "../../../core/index.ts";

/** Errors which mean that nothing can be read here; a later check explains what is at the path. */
const explained: ReadonlySet<string> = new Set([
  "NOT_FOUND",
  "NOT_A_DIRECTORY",
  "IS_DIRECTORY",
  "NOT_A_FILE",
  "TOO_LARGE",
]);

/**
 * Reads a complete regular file in one step; `stat` has its canonical path. Undefined if the path is missing, not a
 * regular file, or too large; the caller then determines the reason. Checking first would cost every call that finds
 * its file.
 */
export async function readRegular(
  path: string,
  options: Pick<ReadOptions, "maxBytes" | "asCaptured">,
  { host, signal }: ToolContext,
): Promise<HostFile | undefined> {
  try {
    return await host.fs.readFile(path, { ...options, signal });
  } catch (error) {
    if (ToolError.is(error) && explained.has(error.code)) return undefined;
    throw error;
  }
}
