import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds that a killed process may take to end; one that waits for a disk takes longer. */
const patienceMs = 5000;

/**
 * Ends every process that still sees the mounts marked with `tag`, in any namespace, except the `spared` one, and
 * resolves once they have ended: no process writes there any more. Resolves to false if one does not end.
 */
export async function endNamespace(tag: string, spared?: number): Promise<boolean> {
  const last = performance.now() + patienceMs;
  let needed = 1;
  for (let pause = 1, quiet = 0; ; pause = Math.min(pause * 2, 50)) {
    const left = namespaceProcesses(tag, spared);
    quiet = left.length === 0 ? quiet + 1 : 0;
    if (quiet === needed) return true;
    if (quiet > 0) {
      await sleep(1);
      continue;
    }
    // A killed process may just have started another, which one scan misses if its parent ends during the scan.
    needed = 3;
    if (performance.now() > last) return false;
    for (const pid of left) kill(pid);
    await sleep(pause);
  }
}

/**
 * Returns the processes in a mount namespace that has a mount marked with `tag`. Synchronous, because that is many
 * times cheaper than waiting for each of hundreds of reads.
 */
export function namespaceProcesses(tag: string, spared?: number): readonly number[] {
  const own = namespaceOf("self");
  const isMarked = new Map<string, boolean>();
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === spared) return [];
    const namespace = namespaceOf(name);
    if (namespace === undefined || namespace === own) return [];
    const known = isMarked.get(namespace) ?? hasMount(name, tag);
    // A process that is just ending has no table: that says nothing about the others in its namespace.
    if (known === undefined) return [];
    isMarked.set(namespace, known);
    return known ? [pid] : [];
  });
}

/** Returns the mount namespace of a process; undefined if it has ended or belongs to another user. */
function namespaceOf(process: string): string | undefined {
  try {
    return readlinkSync(`/proc/${process}/ns/mnt`);
  } catch {
    return undefined;
  }
}

function hasMount(process: string, tag: string): boolean | undefined {
  try {
    const table = readFileSync(`/proc/${process}/mountinfo`, "utf8");
    return table === "" ? undefined : table.includes(` - overlay ${tag} `);
  } catch {
    return undefined;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
