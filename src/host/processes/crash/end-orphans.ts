import { scanProcesses, startToken } from "../process-scan.ts";
import { ProcessTree } from "../process-tree.ts";

/** Milliseconds between checks that everything has ended. */
const lookMs = 20;

/** Number of consecutive scans that find nothing before a tree counts as ended. */
const quietLooks = 3;

/** A started program, with the tag that all its descendants carry. */
export interface NamedTree {
  readonly pid: number;
  readonly startTicks: number;
  readonly depth: number | undefined;
  readonly mark: string;
}

/** Name by which a later host finds a program and all it started. */
export function treeName({ pid, startTicks, depth = 0, mark }: NamedTree): string {
  return `${startToken(startTicks)}/${pid}/${depth}/${mark}`;
}

/** Ends the tree that an earlier host named: TERM, then KILL. False if a process outlived even that. */
export async function endTree(
  name: string,
  patience: { readonly terminateMs: number; readonly killMs: number },
): Promise<boolean> {
  const named = treeNamed(name);
  if (named === undefined) return true;
  const tree = new ProcessTree(named, named.mark);
  const isGone = (): boolean => {
    const isLeaderThere = scanProcesses().some(
      ({ pid, startTicks }) => pid === named.pid && startTicks === named.startTicks,
    );
    // From now on its pid may belong to another process.
    if (!isLeaderThere) tree.leaderEnded();
    return !isLeaderThere && tree.others().length === 0;
  };
  if (isGone()) return true;
  if (tree.signal("SIGTERM") && (await comesTrue(isGone, patience.terminateMs))) return true;
  const end = performance.now() + patience.killMs;
  // A child forked during the kill misses the signal.
  do {
    tree.kill();
    if (await comesTrue(isGone, lookMs)) return true;
  } while (performance.now() < end);
  return false;
}

/** Undefined for a name from before the machine was started: nothing of that tree can be left. */
function treeNamed(name: string): NamedTree | undefined {
  const [, ticks = "", pid, depth, mark] = /^[^/]*\/(\d+)\/(\d+)\/(\d+)\/(.+)$/u.exec(name) ?? [];
  if (mark === undefined || !name.startsWith(`${startToken(Number(ticks))}/`)) return undefined;
  return { pid: Number(pid), startTicks: Number(ticks), depth: Number(depth), mark };
}

async function comesTrue(isTrue: () => boolean, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (let quiet = 0; ;) {
    quiet = isTrue() ? quiet + 1 : 0;
    // A single scan misses a process whose parent ends during the scan.
    if (quiet === quietLooks) return true;
    const left = end - performance.now();
    // A series of empty scans is completed even after the time limit.
    if (left <= 0 && quiet === 0) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, quiet > 0 ? 1 : Math.min(lookMs, left));
    });
  }
}
