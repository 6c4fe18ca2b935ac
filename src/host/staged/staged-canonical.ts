import type { HostOptions } from "../../core/index.ts";
import { absolutePath, linkLoop, maxLinks } from "../resolve-links.ts";
import type { StagedTree } from "./staged-tree.ts";

/** The canonical form of a path, links that were staged followed and those that are gone not. */
export async function stagedCanonical(
  tree: StagedTree,
  path: string,
  options: (HostOptions & { readonly base?: string }) | undefined,
): Promise<string> {
  if (tree.isUntouched) return await tree.base.canonical(path, options);
  const waiting = absolutePath(path, options?.base).split("/").toReversed();
  let resolved = "";
  let links = 0;
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      // What is resolved holds no link, so its parent is one component less.
      resolved = resolved.slice(0, Math.max(0, resolved.lastIndexOf("/")));
      continue;
    }
    const next = `${resolved}/${part}`;
    const target = await linkTarget(tree, next);
    if (target === undefined) {
      resolved = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) throw linkLoop(path);
    if (target.startsWith("/")) resolved = "";
    waiting.push(...target.split("/").toReversed());
  }
  return resolved === "" ? "/" : resolved;
}

/** What a link says; undefined for anything else, also for what does not exist or cannot be looked at. */
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
