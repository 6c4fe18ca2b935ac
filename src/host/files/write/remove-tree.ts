import { lstatSync } from "node:fs";
import { opendir, rmdir, unlink } from "node:fs/promises";
import { throwIfAborted } from "../../aborted.ts";
import { holdEntry, isMissing, type HeldNode } from "../open-path.ts";

/** Removes an entry of an open directory with everything below it. Links are removed, never followed. */
export async function removeTree(
  parent: HeldNode,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  throwIfAborted(signal);
  const at = parent.entry(name);
  if (lstatSync(at).isDirectory()) {
    await empty(parent, name, signal);
    await rmdir(at);
  } else {
    await unlink(at);
  }
}

async function empty(
  parent: HeldNode,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const held = holdEntry(parent, name);
  try {
    // A link may have replaced the directory in the meantime.
    if (!held.stats.isDirectory()) return;
    const names: string[] = [];
    for await (const entry of await opendir(held.path)) names.push(entry.name);
    for (const child of names) {
      await removeTree(held, child, signal).catch((error: unknown) => {
        if (!isMissing(error)) throw error;
      });
    }
  } finally {
    held.close();
  }
}
