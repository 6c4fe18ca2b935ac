import { realpath } from "node:fs/promises";
import { gitDirectories } from "../policy/git-directories.ts";

/** What an overlay of a workspace has to cover: it, and where git keeps the data of a worktree. */
export async function overlayRoots(workspace: string): Promise<readonly string[]> {
  const root = await realpath(workspace);
  const { writable } = await gitDirectories(root);
  return [root, ...writable];
}
