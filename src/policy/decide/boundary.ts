import { isWithin, parentPath, type SecretPlaces } from "../../text/index.ts";
import { type Effect, type ExecuteEffect, type Word, type WriteEffect } from "../../core/index.ts";

/** Where a session works. All paths canonical. */
export interface Boundary {
  /** The workspace first, then additional folders. */
  readonly roots: readonly string[];
  /** Folders that may be read and never written, such as the session's artefacts. */
  readonly readOnlyRoots?: readonly string[];
  /** Refuse what lies outside instead of asking. */
  readonly restrictToWorkspace: boolean;
  readonly home?: string;
  /** Places that are read and written only where the user says so by name. */
  readonly secrets?: Pick<SecretPlaces, "at" | "below">;
  /** Paths that run something because the settings of a repository name them. */
  readonly protected?: readonly string[];
}

/** Everything a mode distinguishes. */
export type EffectClass =
  | "interact"
  | "device"
  | "read-inside"
  | "read-outside"
  | "write-inside"
  | "write-outside"
  | "execute-listed"
  /** A signal to what the session itself started. */
  | "execute-stop"
  | "execute-open"
  | "connect"
  | "delegate"
  | "unknown";

/** Devices that any program may use and that keep nothing. */
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
    case "connect":
    case "delegate":
    case "unknown":
      return effect.kind;
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

/** `kill` but where it only lists signals or looks whether a process is there. */
function isSignal([program, option, signal, ...rest]: readonly Word[]): boolean {
  if (program !== "kill") return false;
  // After -s a signal may be named once more, and that one is sent.
  const isOneSignal = rest.every((word) => typeof word === "string" && !word.startsWith("-"));
  if (option === "-s") return signal !== "0" || !isOneSignal;
  return option !== "-l" && option !== "-L" && option !== "-0";
}

/** The places outside in which a program works that may do anything; `/` where they are not known. */
export function placesBeyond(
  { consequences, worksIn }: ExecuteEffect,
  { roots }: Pick<Boundary, "roots">,
): readonly string[] {
  if (consequences === "listed" || worksIn === undefined) return [];
  return worksIn === "unknown" ? ["/"] : worksIn.filter((place) => !isInside(place, roots));
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
 * Whether removing this tree needs a person in every mode: a top-level folder of the machine, home, or a
 * workspace folder as a whole.
 */
export function isCritical(effect: WriteEffect, boundary: Boundary): boolean {
  if (effect.scope !== "tree" || effect.change !== "delete") return false;
  return (
    parentPath(effect.path) === "/" ||
    effect.path === boundary.home ||
    boundary.roots.includes(effect.path)
  );
}
