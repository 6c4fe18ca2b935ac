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
  /** Canonical, none inside of another, in the order they were named. */
  readonly roots: readonly string[];
  /** Inside of the roots, outer ones first. */
  readonly through: readonly ExistingPath[];
}

/**
 * What an overlay covers, as it is now. Whatever else is mounted inside of the roots is no part of their file system,
 * and so goes through too.
 */
export async function coveredTrees(wanted: {
  readonly roots: readonly string[];
  readonly through: readonly string[];
}): Promise<CoveredTrees> {
  const found = await Promise.all(wanted.roots.map(async (path) => await directoryAt(path)));
  const roots = found.filter(
    (root, index) =>
      !found.some((other, at) => isWithin(other, root) && (other !== root || at < index)),
  );
  const isInside = (path: string) => roots.some((root) => root !== path && isWithin(root, path));
  const mounted = mountPoints().filter(isInside);
  const named = await Promise.all([...wanted.through, ...mounted].map(resolved));
  const through = named
    .filter((entry) => entry !== undefined)
    .filter(({ path }) => isInside(path))
    .toSorted((left, right) => left.path.length - right.path.length);
  const outer = through.filter(
    ({ path }, index) => !through.slice(0, index).some((other) => isWithin(other.path, path)),
  );
  return { roots, through: outer };
}

/**
 * Makes what the mount table names: for each root a link to it, its layers, and a place for each that goes through.
 * A dozen small steps, each of which takes less than to wait for it.
 */
export function layOut(directory: string, { roots, through }: CoveredTrees): void {
  for (const [index, root] of roots.entries()) {
    const upper = `${directory}/u${index}`;
    symlinkSync(root, `${directory}/l${index}`);
    mkdirSync(`${directory}/w${index}`);
    mkdirSync(upper);
    // The root looks as its upper layer does.
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

async function directoryAt(path: string): Promise<string> {
  const found = await resolved(path);
  if (found?.kind === "directory" && found.path !== "/") return found.path;
  throw new ToolError("NOT_FOUND", `${path} is not a directory that an overlay can cover.`, {
    hint: "Name a directory that exists.",
  });
}

/** Where something is mounted now; `mountinfo` writes spaces and the like as octal numbers. */
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
