import { readFileSync } from "node:fs";
import { markerName, watchdogName } from "../process-tag.ts";
import { byStart, hasVariable, scanProcesses, type ProcessEntry } from "../process-scan.ts";
import { sendSignal } from "../process-tree.ts";

/** Maximum number of scans for processes that are not stopped yet. */
const maxScans = 100;

export interface Programs {
  /** Pids of the programs themselves; each has a group of its own. */
  readonly leaders: readonly number[];
  /** Prefixes of the tags of all that these programs started. */
  readonly marks: ReadonlySet<string>;
}

/**
 * Kills programs with their groups, sessions and descendants, and every process with one of the tags. Returns how many
 * processes there were.
 *
 * A process that only its parent leads to would be lost with its parent. So all of them are stopped first, after which
 * none starts another, and children are killed before their parents: if this process is killed meanwhile, another that
 * scans later still finds the remaining ones.
 */
export function killPrograms(programs: Programs): number {
  if (programs.leaders.length + programs.marks.size === 0) return 0;
  const stopped = new Set<number>();
  let found = membersOf(programs);
  for (let scan = 1; scan < maxScans && found.some((pid) => !stopped.has(pid)); scan += 1) {
    for (const pid of found) {
      if (!stopped.has(pid)) sendSignal(pid, "SIGSTOP");
      stopped.add(pid);
    }
    found = membersOf(programs);
  }
  for (const pid of found.toReversed()) sendSignal(pid, "SIGKILL");
  return found.length;
}

/** The processes that exist now, in order of their starts. */
function membersOf({ leaders, marks }: Programs): readonly number[] {
  const processes = scanProcesses()
    .toSorted(byStart)
    .filter(({ pid }) => pid !== process.pid);
  const found = new Set(leaders);
  for (const entry of processes) {
    if ([...marks].some((mark) => hasVariable(entry, `${markerName}=${mark}`)))
      found.add(entry.pid);
  }
  // Several passes: a process can join the group of one that was started after it.
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const entry of processes) {
      if (!found.has(entry.pid) && isLinked(entry, found) && !isWatchdog(entry.pid)) {
        found.add(entry.pid);
      }
    }
  }
  return processes.flatMap(({ pid }) => (found.has(pid) ? [pid] : []));
}

function isLinked({ parent, group, session }: ProcessEntry, found: ReadonlySet<number>): boolean {
  return found.has(parent) || found.has(group) || found.has(session);
}

/** Whether a process is the watchdog of a haft that ran among these programs: it ends what only it can find. */
function isWatchdog(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(watchdogName);
  } catch {
    return false;
  }
}
