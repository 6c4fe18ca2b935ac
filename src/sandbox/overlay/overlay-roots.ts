import { realpath } from "node:fs/promises";
import { gitDirectories } from "../policy/git-directories.ts";

/**
 * Returns the directories that an overlay of a workspace has to cover: the workspace, and the git directory of a
 * worktree.
 */
export async function overlayRoots(workspace: string): Promise<readonly string[]> {
  const root = await realpath(workspace);
  const { writable } = await gitDirectories(root);
  return [root, ...writable];
}
