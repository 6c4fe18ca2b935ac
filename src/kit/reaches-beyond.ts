import { isWithin, ToolError, type Effect, type HostFs, type WriteEffect } from "../core/index.ts";

/**
 * Whether a command that only does what it says may change more paths than it names: a file with several names changes
 * under all of them, and what one part of it puts in its place may be a link that another part writes through.
 */
export async function reachesBeyond(
  effects: readonly Effect[],
  fs: Pick<HostFs, "stat">,
): Promise<boolean> {
  const writes = effects.filter((effect) => effect.kind === "write");
  const made = writes.filter(({ scope, change }) => scope === "tree" && change !== "delete");
  for (const write of writes) {
    if (write.change === "delete") continue;
    if (made.some((other) => !isOfSamePart(write, other) && isWithin(other.path, write.path))) {
      return true;
    }
    if (await hasOtherNames(write.path, fs)) return true;
  }
  return false;
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
