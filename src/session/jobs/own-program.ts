import { readFileSync } from "node:fs";

export interface Program {
  /** Of the task list in it: one program may hold several. */
  readonly id: string;
  readonly pid: number;
  readonly token: string | undefined;
}

/** This program, so that another one can tell whether it still runs. */
export function ownProgram(): Program {
  return { id: crypto.randomUUID(), pid: process.pid, token: tokenOf(process.pid) };
}

/** Whether a program that wrote itself down still runs. Where the system tells no start, its pid has to do. */
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
