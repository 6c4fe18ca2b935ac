import path from "node:path";
import type { Effect } from "../../src/core/index.ts";
import type { Observation } from "./trace.ts";
import type { World } from "./world.ts";

/** Something a command did that haft did not list. */
export interface Unlisted {
  readonly kind: Observation["kind"];
  readonly target: string;
}

/**
 * Observations that no effect covers. Files of the machine that every program opens (libraries, locales) are
 * not compared: only what lies in the directories of the run. `usual` are programs that the same subject starts
 * without any option, as a script that consists of others does.
 */
export function unlistedIn(
  observations: readonly Observation[],
  effects: readonly Effect[],
  { world, usual }: { readonly world: World; readonly usual: ReadonlySet<string> },
): readonly Unlisted[] {
  const found = new Map<string, Unlisted>();
  const started = new Set(
    effects.flatMap((effect) =>
      effect.kind === "execute" && typeof effect.argv[0] === "string"
        ? [path.basename(effect.argv[0])]
        : [],
    ),
  );
  for (const { kind, target } of observations) {
    const isCovered =
      kind === "execute"
        ? started.has(path.basename(target)) || usual.has(path.basename(target))
        : kind === "connect"
          ? effects.some((effect) => effect.kind === "connect")
          : !isCompared(kind, target, world) || covers(effects, kind, target);
    if (!isCovered) found.set(`${kind} ${target}`, { kind, target });
  }
  return [...found.values()];
}

const devices = /^\/(?:dev|proc)\//u;

function isCompared(kind: "read" | "write", target: string, world: World): boolean {
  if (isBelow(target, world.logs)) return false;
  // A program writes nowhere at all without saying so; it reads its own files of the machine.
  if (kind === "write") return !devices.test(target);
  // The configuration that a program keeps in the home directory is the user's own.
  return isBelow(target, world.workspace) || isBelow(target, world.outside);
}

function covers(effects: readonly Effect[], kind: "read" | "write", target: string): boolean {
  return effects.some(
    (effect) =>
      effect.kind === kind &&
      (effect.path === target || (effect.scope === "tree" && isBelow(target, effect.path))),
  );
}

function isBelow(target: string, directory: string): boolean {
  return target === directory || target.startsWith(directory === "/" ? "/" : `${directory}/`);
}
