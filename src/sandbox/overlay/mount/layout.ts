import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { isWithin } from "../../../text/index.ts";
import { ToolError } from "../../../core/index.ts";
import { resolved } from "../../policy/existing-path.ts";
import type { ExistingPath } from "../../policy/policy.ts";

export interface CoveredTrees {
  /** Canonical roots, none inside another, in the given order. */
  readonly roots: readonly string[];
  /** Trees inside the roots that are mounted directly, outer ones first. */
  readonly through: readonly ExistingPath[];
}

/**
 * Determines what an overlay covers now. Other file systems mounted inside the roots are not part of it, so they are
 * mounted directly too.
 */
export function coveredTrees(wanted: {
  readonly roots: readonly string[];
  readonly through: readonly string[];
}): CoveredTrees {
  const found = wanted.roots.map(directoryAt);
  const roots = found.filter(
    (root, index) =>
      !found.some((other, at) => isWithin(other, root) && (other !== root || at < index)),
  );
  const isInside = (path: string) => roots.some((root) => root !== path && isWithin(root, path));
  const mounted = mountPoints().filter(isInside);
  const through = [...wanted.through, ...mounted]
    .map(resolved)
    .filter((entry) => entry !== undefined)
    .filter(({ path }) => isInside(path))
    .toSorted((left, right) => left.path.length - right.path.length);
  const outer = through.filter(
    ({ path }, index) => !through.slice(0, index).some((other) => isWithin(other.path, path)),
  );
  return { roots, through: outer };
}

/**
 * Creates the paths of the mount table: for each root a link to it and its layers, and a mount point for each directly
 * mounted tree. Synchronous, because each of these few steps takes less time than waiting for it.
 */
export function layOut(directory: string, { roots, through }: CoveredTrees): void {
  for (const [index, root] of roots.entries()) {
    const upper = `${directory}/u${index}`;
    symlinkSync(root, `${directory}/l${index}`);
    mkdirSync(`${directory}/w${index}`);
    mkdirSync(upper);
    // The root of the overlay shows the attributes of its upper layer.
    const { mode, uid, gid, atime, mtime } = lstatSync(root);
    if (process.getuid?.() === 0) chownSync(upper, uid, gid);
    chmodSync(upper, mode & 0o7777);
    utimesSync(upper, atime, mtime);
  }
  for (const [index, { kind }] of through.entries()) {
    const place = `${directory}/t${index}`;
    if (kind === "directory") mkdirSync(place);
    else writeFileSync(place, "");
  }
}

function directoryAt(path: string): string {
  const found = resolved(path);
  if (found?.kind === "directory" && found.path !== "/") return found.path;
  throw new ToolError("NOT_FOUND", `${path} is not a directory that an overlay can cover.`, {
    hint: "Name a directory that exists.",
  });
}

/** Returns the current mount points; `mountinfo` writes spaces and similar characters as octal escapes. */
function mountPoints(): readonly string[] {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .flatMap((line) => line.split(" ")[4] ?? [])
      .map((path) =>
        path.replaceAll(/\\([0-7]{3})/gu, (_, octal: string) =>
          String.fromCodePoint(Number.parseInt(octal, 8)),
        ),
      );
  } catch {
    return [];
  }
}
