import { isWithin } from "../text/index.ts";
import { ToolError, type Effect, type HostFs, type WriteEffect } from "../core/index.ts";

/**
 * Whether a command that only does what it declares may change more paths than it names: a file with several names
 * changes under all of them, and one part of a command may create a link that another part writes through.
 */
export async function reachesBeyond(
  effects: readonly Effect[],
  fs: Pick<HostFs, "stat">,
): Promise<boolean> {
  const writes = effects.filter((effect) => effect.kind === "write");
  const made = writes.filter(({ scope, change }) => scope === "tree" && change !== "delete");
  const removed = writes.filter(({ change }) => change === "delete");
  for (const write of writes) {
    if (write.change === "delete") continue;
    // A removed name may have been a link that the declared paths resolved through; once it is created again, they lead
    // elsewhere.
    if (removed.some((other) => isBefore(other, write) && isWithin(other.path, write.path))) {
      return true;
    }
    if (made.some((other) => !isOfSamePart(write, other) && isWithin(other.path, write.path))) {
      return true;
    }
    if (await hasOtherNames(write.path, fs)) return true;
  }
  return false;
}

function isBefore(one: WriteEffect, other: WriteEffect): boolean {
  return (one.span?.start ?? 0) < (other.span?.start ?? 0);
}

function isOfSamePart(one: WriteEffect, other: WriteEffect): boolean {
  return one.span?.start === other.span?.start && one.span?.end === other.span?.end;
}

async function hasOtherNames(path: string, fs: Pick<HostFs, "stat">): Promise<boolean> {
  try {
    return (await fs.stat(path)).names !== undefined;
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}
