import { ToolError, type ToolContext } from "../../../core/index.ts";
import { isInexact } from "./undecodable-names.ts";

interface DatedFile {
  readonly path: string;
  readonly mtimeMs: number;
}

/** Number of files checked concurrently. */
const batchSize = 64;

/**
 * Existing files, most recently modified first; equal times by path, so that the order is stable. A file whose name is
 * not exact cannot be checked and comes last.
 */
export async function newestFirst(
  paths: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  const files: DatedFile[] = [];
  for (let start = 0; start < paths.length; start += batchSize) {
    const batch = paths.slice(start, start + batchSize);
    const dated = await Promise.all(batch.map(async (path) => dateOf(path, context)));
    for (const file of dated) if (file !== undefined) files.push(file);
  }
  return files
    .toSorted((one, other) => other.mtimeMs - one.mtimeMs || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);
}

async function dateOf(path: string, { host, signal }: ToolContext): Promise<DatedFile | undefined> {
  try {
    const { mtimeMs } = await host.fs.stat(path, { signal });
    return { path, mtimeMs };
  } catch (error) {
    // Deleted since it was found, or not accessible to this call.
    if (!ToolError.is(error) || error.code === "ABORTED") throw error;
    return isInexact(path) ? { path, mtimeMs: 0 } : undefined;
  }
}
