import { ToolError } from "../../core/index.ts";
import { fileError } from "./file-error.ts";

/** Maximum number of links followed, as in Linux. */
export const maxLinks = 40;
/** Maximum path length in characters, beyond what any system accepts. */
const maxPathChars = 8192;

/**
 * The canonical form of an absolute path. `linkTarget` returns the target of a link, and undefined for anything else,
 * including a missing path; the rest of such a path is kept as written.
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

/** Resolves a path link by link; the caller reads the links, synchronously or not. */
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

  /** The path resolved so far, canonical. */
  get resolved(): string {
    return this.#resolved === "" ? "/" : this.#resolved;
  }

  /** The next path that may be a link; undefined at the end. */
  next(): string | undefined {
    for (let part = this.#waiting.pop(); part !== undefined; part = this.#waiting.pop()) {
      if (part === "" || part === ".") continue;
      if (part !== "..") return `${this.#resolved}/${part}`;
      // The resolved part contains no link, so its parent is the path without the last component.
      this.#resolved = this.#resolved.slice(0, Math.max(0, this.#resolved.lastIndexOf("/")));
    }
    return undefined;
  }

  /** Continues at the target of `next`, or past `next` if it is not a link. */
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

/** An absolute path; throws for a relative path without a base and for an impossible path. */
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
