import { ToolError } from "../core/index.ts";
import { fileError } from "./file-error.ts";

/** As many links as Linux follows before it gives up. */
export const maxLinks = 40;

/**
 * The canonical form of an absolute path. `linkTarget` tells what a link says and undefined for anything
 * else, also for what does not exist: the rest of such a path is kept as it is written.
 */
export function resolveLinks(
  path: string,
  linkTarget: (path: string) => string | undefined,
): string {
  const waiting = path.split("/").toReversed();
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
    const target = linkTarget(next);
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

export function linkLoop(path: string): ToolError {
  return new ToolError("LINK_LOOP", `${path} leads through too many symbolic links.`, {
    hint: "The links point at each other. Use the real path.",
    data: { path },
  });
}

/** An absolute path to start from; a relative one without a base and an impossible one are refused. */
export function absolutePath(path: string, base: string | undefined): string {
  if (path === "" || path.includes("\0")) throw fileError("EINVAL", path === "" ? '""' : path);
  if (path.startsWith("/")) return path;
  if (base === undefined) {
    throw new ToolError("INVALID_INPUT", `${path} is not an absolute path.`, {
      hint: "Start it with a slash.",
    });
  }
  return `${base}/${path}`;
}
