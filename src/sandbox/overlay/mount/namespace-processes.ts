import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** How long something that was killed may take to be gone; one that waits for a disk takes longer. */
const patienceMs = 5000;

/**
 * Ends every process that still sees the mounts marked with `tag`, in whatever namespace, but the `spared` one, and
 * answers once they are gone: nobody writes there any more. Answers false where one would not go.
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
    // What was killed may just have started another, which one look misses where its parent ends during the look.
    needed = 3;
    if (performance.now() > last) return false;
    for (const pid of left) kill(pid);
    await sleep(pause);
  }
}

/**
 * Processes in a mount namespace that has a mount marked with `tag`. All of it is looked at in one go, because it is
 * many times cheaper than to wait for each of hundreds.
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
    // What is just ending has no table: that says nothing of the others in its namespace.
    if (known === undefined) return [];
    isMarked.set(namespace, known);
    return known ? [pid] : [];
  });
}

/** Undefined for what has ended, and for the processes of others. */
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
    // Gone already.
  }
}
