import type { HostOptions } from "../../core/index.ts";
import { absolutePath, LinkWalk } from "../files/resolve-links.ts";
import type { StagedTree } from "./staged-tree.ts";

/** The canonical form of a path; follows staged links and ignores removed ones. */
export async function stagedCanonical(
  tree: StagedTree,
  path: string,
  options: (HostOptions & { readonly base?: string }) | undefined,
): Promise<string> {
  if (tree.isUntouched) return await tree.base.canonical(path, options);
  const walk = new LinkWalk(absolutePath(path, options?.base));
  for (let next = walk.next(); next !== undefined; next = walk.next()) {
    walk.step(next, await linkTarget(tree, next));
  }
  return walk.resolved;
}

/** Target of a link; undefined for anything else, including a path that is missing or cannot be read. */
async function linkTarget(tree: StagedTree, path: string): Promise<string | undefined> {
  try {
    const node = tree.find(path);
    if (node !== "base") return node?.kind === "symlink" ? node.target : undefined;
    const { kind } = await tree.base.stat(path);
    return kind === "symlink" ? await tree.base.readLink(path) : undefined;
  } catch {
    return undefined;
  }
}
