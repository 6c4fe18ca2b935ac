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

const sessionPrefix = "session-";

/**
 * Name of the directory, below that of the workspace, with the artifacts of a session: a program that has one session
 * reads no others. A hash, because names of sessions may differ only in case, or be longer than a file name.
 */
export function sessionDirectory(sessionId: string): string {
  // Not an import: that would evaluate all of `node:crypto`.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `${sessionPrefix}${createHash("sha256").update(sessionId).digest("hex").slice(0, 32)}`;
}

/** Whether a name is that of a directory with the artifacts of a session. */
export function isSessionDirectory(name: string): boolean {
  return name.startsWith(sessionPrefix);
}

async function holdsFiles(fs: Pick<Host["fs"], "list">, directory: string): Promise<boolean> {
  try {
    for await (const { name, kind } of fs.list(directory)) {
      if (kind === "file" || (kind === "directory" && isSessionDirectory(name))) return true;
    }
    return false;
  } catch {
    return false;
  }
}
