import { readFileSync } from "node:fs";

export interface Program {
  /** Id of the task list: one process may have several. */
  readonly id: string;
  readonly pid: number;
  readonly token: string | undefined;
}

/** Identity of this process, from which another process can tell whether it still runs. */
export function ownProgram(): Program {
  return { id: crypto.randomUUID(), pid: process.pid, token: tokenOf(process.pid) };
}

/** Whether a recorded process still runs. If the system does not report start times, only its pid is checked. */
export function isProgramAlive({ pid, token }: Omit<Program, "id">): boolean {
  const now = tokenOf(pid);
  if (token !== undefined || now !== undefined) return now === token;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function tokenOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}
