import { ToolError, type HostFile, type ReadOptions, type ToolContext } from "../../core/index.ts";

/** These say that there is nothing to read here, which is then explained by what stands there. */
const explained: ReadonlySet<string> = new Set([
  "NOT_FOUND",
  "NOT_A_DIRECTORY",
  "IS_DIRECTORY",
  "NOT_A_FILE",
  "TOO_LARGE",
]);

/**
 * All of a regular file in one step, its canonical path in `stat`. Undefined where nothing is there, no regular
 * file, or a larger one: who asks then looks what it is. Looking first would cost every call that finds its file.
 */
export async function readRegular(
  path: string,
  options: Pick<ReadOptions, "maxBytes" | "asKept">,
  { host, signal }: ToolContext,
): Promise<HostFile | undefined> {
  try {
    return await host.fs.readFile(path, { ...options, signal });
  } catch (error) {
    if (ToolError.is(error) && explained.has(error.code)) return undefined;
    throw error;
  }
}
