import { ToolError } from "../../core/index.ts";
import { fileError } from "./file-error.ts";

/** As many links as Linux follows before it gives up. */
export const maxLinks = 40;
/** Longer than any path a system takes. */
const maxPathChars = 8192;

/**
 * The canonical form of an absolute path. `linkTarget` tells what a link says and undefined for anything
 * else, also for what does not exist: the rest of such a path is kept as it is written.
 */
export function resolveLinks(
  path: string,
  linkTarget: (path: string) => string | undefined,
): string {
  const walk = new LinkWalk(path);
  for (let next = walk.next(); next !== undefined; next = walk.next()) {
    walk.step(next, linkTarget(next));
  }
  return walk.resolved;
}

/** The way along a path, link by link, for whoever knows what a link says, at once or later. */
export class LinkWalk {
  readonly #path: string;
  readonly #waiting: string[];
  #resolved = "";
  #links = 0;

  /** An absolute path. */
  constructor(path: string) {
    this.#path = path;
    this.#waiting = path.split("/").toReversed();
  }

  /** Canonical as far as it went. */
  get resolved(): string {
    return this.#resolved === "" ? "/" : this.#resolved;
  }

  /** The next path that may be a link; undefined at the end. */
  next(): string | undefined {
    for (let part = this.#waiting.pop(); part !== undefined; part = this.#waiting.pop()) {
      if (part === "" || part === ".") continue;
      if (part !== "..") return `${this.#resolved}/${part}`;
      // What is resolved holds no link, so its parent is one component less.
      this.#resolved = this.#resolved.slice(0, Math.max(0, this.#resolved.lastIndexOf("/")));
    }
    return undefined;
  }

  /** Goes on from that path: to where it leads, or over it where it is no link. */
  step(next: string, target: string | undefined): void {
    if (target === undefined) {
      this.#resolved = next;
      return;
    }
    this.#links += 1;
    if (this.#links > maxLinks) throw linkLoop(this.#path);
    if (target.startsWith("/")) this.#resolved = "";
    this.#waiting.push(...target.split("/").toReversed());
  }
}

export function linkLoop(path: string): ToolError {
  return new ToolError("LINK_LOOP", `${path} leads through too many symbolic links.`, {
    hint: "The links point at each other. Use the real path.",
    data: { path },
  });
}

/** An absolute path to start from; a relative one without a base and an impossible one are refused. */
export function absolutePath(path: string, base: string | undefined): string {
  if (path.length > maxPathChars) {
    throw new ToolError("INVALID_INPUT", `A path of ${path.length} characters is too long.`, {
      hint: `Use a path of at most ${maxPathChars} characters.`,
    });
  }
  if (path === "" || path.includes("\0")) throw fileError("EINVAL", path === "" ? '""' : path);
  if (path.startsWith("/")) return path;
  if (base === undefined) {
    throw new ToolError("INVALID_INPUT", `${path} is not an absolute path.`, {
      hint: "Start it with a slash.",
    });
  }
  return `${base}/${path}`;
}
