import { isWithin, parentPath, pathBelow, type SecretPlaces } from "../../text/index.ts";
import type {
  Effect,
  Exclusion,
  ExecuteEffect,
  ReadEffect,
  RuleRef,
  Word,
  WriteEffect,
} from "../../core/index.ts";
import { escapeGlob } from "../match/glob.ts";
import { compileWildcard, matchesWildcard } from "../match/wildcard.ts";

/** The directories in which a session works. All paths are canonical. */
export interface Boundary {
  /** The workspace first, then additional directories. */
  readonly roots: readonly string[];
  /** Directories that may be read and never written, such as that of the session's artifacts. */
  readonly readOnlyRoots?: readonly string[];
  /** Refuse paths outside instead of asking about them. */
  readonly restrictToWorkspace: boolean;
  /** Directories of which the workspace is a copy: their paths are refused, and the path in the copy is named. */
  readonly origins?: readonly string[];
  /**
   * Directories that are refused in every mode and whatever rules allow, except for roots inside them; so are trees that
   * contain one, where a program reads them or where they are deleted or moved.
   */
  readonly closed?: readonly string[];
  /** Directories of haft's own data, such as what undo needs: no call deletes or moves a tree that contains one. */
  readonly ownData?: readonly string[];
  readonly home?: string;
  /** Locations of secrets, which are read and written only if the user allows them by name. */
  readonly secrets?: Pick<SecretPlaces, "at" | "below">;
  /** Paths of code that runs because the settings of a repository name it. */
  readonly protected?: readonly string[];
}

/** Classes of effects that modes distinguish. */
export type EffectClass =
  | "interact"
  | "device"
  | "read-inside"
  | "read-outside"
  | "write-inside"
  | "write-outside"
  | "execute-listed"
  /** A signal to a process that the session itself started. */
  | "execute-stop"
  | "execute-open"
  | "connect"
  /** Reaches public addresses only. */
  | "connect-public"
  | "delegate"
  /** Starts or messages another session, which has a user and limits of its own. */
  | "delegate-session"
  | "unknown";

/** Devices that any program may use and that store nothing. */
const harmlessDevices: ReadonlySet<string> = new Set([
  "/dev/null",
  "/dev/zero",
  "/dev/full",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
  "/dev/tty",
  "/dev/random",
  "/dev/urandom",
]);

export function classOf(effect: Effect, boundary: Boundary): EffectClass {
  switch (effect.kind) {
    case "interact":
    case "unknown":
      return effect.kind;
    case "connect":
      return effect.reach === "public" && effect.by === undefined ? "connect-public" : "connect";
    case "delegate":
      return effect.target === "session" ? "delegate-session" : "delegate";
    case "execute":
      if (effect.consequences === "open") return "execute-open";
      return isSignal(effect.argv) ? "execute-stop" : "execute-listed";
    case "read":
      if (isInside(effect.path, boundary.roots)) return "read-inside";
      if (isInside(effect.path, boundary.readOnlyRoots)) return "read-inside";
      return isHarmlessDevice(effect.path) ? "device" : "read-outside";
    case "write":
      if (isInside(effect.path, boundary.roots)) return "write-inside";
      return isHarmlessDevice(effect.path) ? "device" : "write-outside";
  }
}

/** Whether a command is `kill`, except where it only lists signals or checks whether a process exists. */
function isSignal([program, option, signal, ...rest]: readonly Word[]): boolean {
  if (program !== "kill") return false;
  // After -s another option may name a signal again, and that one is sent.
  const isOneSignal = rest.every((word) => typeof word === "string" && !word.startsWith("-"));
  if (option === "-s") return signal !== "0" || !isOneSignal;
  return option !== "-l" && option !== "-L" && option !== "-0";
}

/** Returns the outside directories in which a program with open consequences works; `/` where they are not known. */
export function placesBeyond(
  { consequences, worksIn }: ExecuteEffect,
  { roots }: Pick<Boundary, "roots">,
): readonly string[] {
  if (consequences === "listed" || worksIn === undefined) return [];
  return worksIn === "unknown" ? ["/"] : worksIn.filter((place) => !isInside(place, roots));
}

/** Paths that an effect reads or writes, or in which its program works. */
export function pathsOf(effect: Effect, boundary: Boundary): readonly string[] {
  if (effect.kind === "read" || effect.kind === "write") return [effect.path];
  if (effect.kind !== "execute") return [];
  return placesBeyond(effect, boundary);
}

export function isInside(path: string, roots: readonly string[] | undefined): boolean {
  if (roots === undefined) return false;
  for (const root of roots) if (isWithin(root, path)) return true;
  return false;
}

function isHarmlessDevice(path: string): boolean {
  return harmlessDevices.has(path) || path.startsWith("/dev/fd/");
}

/**
 * Whether removing this tree needs the user's approval in every mode: a top-level directory of the machine, the home
 * directory, or a complete workspace directory.
 */
export function isCritical(effect: WriteEffect, boundary: Boundary): boolean {
  if (effect.scope !== "tree" || effect.change !== "delete") return false;
  return (
    parentPath(effect.path) === "/" ||
    effect.path === boundary.home ||
    boundary.roots.includes(effect.path)
  );
}

/** Rule that closes the directories in which haft stores sessions to a call that belongs to one. */
export const closedDirectoryRule: RuleRef = Object.freeze({
  rule: "stored sessions",
  list: "deny",
  scope: "boundary",
});

/** Returns the path of an effect that is in a directory which is closed to the session. */
export function closedPathOf(effect: Effect, boundary: Boundary): string | undefined {
  if (boundary.closed === undefined) return undefined;
  const access = effect.kind === "read" ? "read" : "write";
  return pathsOf(effect, boundary).find((path) => isClosed(path, access, boundary));
}

/**
 * Returns the closed directory in a tree that a program reads, or that is deleted or moved. A tool that reads a tree
 * leaves the directory out; a program cannot be made to.
 */
export function closedInTreeOf(
  effect: Effect,
  { closed = [] }: Boundary,
  isLeftOut: (effect: ReadEffect) => boolean,
): string | undefined {
  if (effect.kind === "write")
    return removedBy(effect, closed) ?? partIn(effect, closed, ["inside", "deep"]);
  const reaches = effect.kind === "read" && !isLeftOut(effect);
  return reaches ? containedIn(effect, closed) : undefined;
}

/** The first of these directories that is deleted or moved, with a directory above it. */
function removedBy(effect: WriteEffect, directories: readonly string[]): string | undefined {
  if (effect.change === "delete") return containedIn(effect, directories);
  const { path, part } = effect;
  if (part?.change !== "delete") return undefined;
  return directories.find((each) => {
    const below = pathBelow(path, each);
    return below !== undefined && below !== "" && mayMatch(part.pattern, below) === "whole";
  });
}

/** The first of these directories in which a path may be that a pattern names, at one of these depths. */
function partIn(
  { path, part }: WriteEffect,
  directories: readonly string[],
  depths: readonly (PatternMatch | undefined)[],
): string | undefined {
  if (part === undefined) return undefined;
  return directories.find((each) => {
    const below = pathBelow(path, each);
    return below !== undefined && (below === "" || depths.includes(mayMatch(part.pattern, below)));
  });
}

/** `whole`: the path or a directory above it; `inside`: paths inside it; `deep`: paths at any depth, some inside it. */
type PatternMatch = "whole" | "inside" | "deep";

/**
 * Paths that a pattern may name, compared with this one. Letter case and leading dots do not matter: some file systems
 * ignore the one, and an option of the shell the other.
 */
function mayMatch(pattern: string, path: string): PatternMatch | undefined {
  const names = pattern.toLowerCase().split("/");
  const skipping = (at: number): readonly number[] =>
    names[at] === "**" ? [at, ...skipping(at + 1)] : [at];
  let places = new Set(skipping(0));
  for (const each of path.toLowerCase().split("/")) {
    if (places.has(names.length)) return "whole";
    const next = [...places].flatMap((at) => {
      const name = names[at] ?? "";
      if (name === "**") return [at];
      return matchesWildcard(compileWildcard(name), each) ? skipping(at + 1) : [];
    });
    places = new Set(next.flatMap(skipping));
  }
  if (places.has(names.length)) return "whole";
  const deep = names.indexOf("**");
  if ([...places].some((at) => deep === -1 || at < deep)) return "inside";
  return places.size > 0 ? "deep" : undefined;
}

/** The first of these directories that a tree contains. */
function containedIn(effect: Effect, directories: readonly string[]): string | undefined {
  if (effect.kind !== "read" && effect.kind !== "write") return undefined;
  const { path, scope } = effect;
  return scope === "tree" ? directories.find((each) => isWithin(path, each)) : undefined;
}

/** Returns the directory of haft's own data that an effect deletes or moves, or in which a pattern names a path. */
export function removedDataOf(effect: Effect, { ownData = [] }: Boundary): string | undefined {
  if (effect.kind !== "write") return undefined;
  return removedBy(effect, ownData) ?? partIn(effect, ownData, ["inside"]);
}

/**
 * Whether a path is in a closed directory. A root inside that directory is open, and a directory that is only read is
 * closed to writing; a root that contains the closed directory opens nothing in it.
 */
export function isClosed(path: string, access: "read" | "write", boundary: Boundary): boolean {
  const { closed, roots, readOnlyRoots } = boundary;
  if (!isInside(path, closed)) return false;
  if (roots.some((root) => isInside(root, closed) && isInside(path, [root]))) return false;
  return access === "write" || !isInside(path, readOnlyRoots);
}

/** Rule that keeps the directory in which haft stores what undo, logs and trust need. */
export const ownDataRule: RuleRef = Object.freeze({
  rule: "haft's own data",
  list: "deny",
  scope: "boundary",
});

/** Returns the closed directories inside a tree that is read, as exclusions. */
export function closedWithin(tree: string, { closed = [] }: Boundary): readonly Exclusion[] {
  return closed.flatMap((directory) => {
    const below = pathBelow(tree, directory);
    if (below === undefined || below === "") return [];
    return [{ root: tree, pattern: `/${escapeGlob(below)}`, rule: closedDirectoryRule.rule }];
  });
}
