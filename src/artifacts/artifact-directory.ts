import type { Host } from "../core/index.ts";
import { joinPath } from "../text/index.ts";

/**
 * Directory of a workspace's artifacts: a read-only root from which Read and Grep may open files. Several workspaces may
 * use one data directory, and none of them may read the outputs of another. A data directory of an earlier version keeps
 * the directory it has while there are files in it, because stored conversations name them.
 */
export async function artifactDirectory(
  fs: Pick<Host["fs"], "stat" | "list">,
  dataDirectory: string,
  workspaceId: string,
): Promise<string> {
  const all = joinPath(dataDirectory, "artifacts");
  const own = joinPath(all, workspaceId);
  const isDirectory = async (path: string): Promise<boolean> =>
    (await fs.stat(path).catch(() => undefined))?.kind === "directory";
  if (await isDirectory(own)) return own;
  for (const earlier of [joinPath(dataDirectory, "artefacts"), all]) {
    if (await holdsFiles(fs, earlier)) return earlier;
  }
  return own;
}

async function holdsFiles(fs: Pick<Host["fs"], "list">, directory: string): Promise<boolean> {
  try {
    for await (const { kind } of fs.list(directory)) if (kind === "file") return true;
    return false;
  } catch {
    return false;
  }
}
