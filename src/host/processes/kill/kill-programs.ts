import { readFileSync } from "node:fs";
import { markerName, watchdogName } from "../process-tag.ts";
import { byStart, hasVariable, scanProcesses, type ProcessEntry } from "../process-scan.ts";
import { killAll } from "./ordered-kill.ts";

export interface Programs {
  /** Pids of the programs themselves; each has a group of its own. */
  readonly leaders: readonly number[];
  /** Prefixes of the tags of all that these programs started. */
  readonly marks: ReadonlySet<string>;
  /** Start times by pid of all that was found before: a process remains one of these when its parent is gone. */
  readonly known?: Map<number, number>;
}

/** Kills programs with their groups, sessions and descendants, and every process with one of the tags. */
export function killPrograms(programs: Programs): number {
  if (programs.leaders.length + programs.marks.size === 0) return 0;
  const { leaders } = programs;
  return killAll(() => ({ pids: processesOf(programs), leaders }));
}

/** The processes of these programs that exist now, in order of their starts. */
export function processesOf({ leaders, marks, known }: Programs): readonly number[] {
  const processes = scanProcesses()
    .toSorted(byStart)
    .filter(({ pid }) => pid !== process.pid);
  const found = new Set(leaders);
  for (const entry of processes) {
    const isKnown = known?.get(entry.pid) === entry.startTicks;
    if (isKnown || [...marks].some((mark) => hasVariable(entry, `${markerName}=${mark}`))) {
      found.add(entry.pid);
    }
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
  const left = processes.filter(({ pid }) => found.has(pid));
  for (const { pid, startTicks } of left) known?.set(pid, startTicks);
  return left.map(({ pid }) => pid);
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
