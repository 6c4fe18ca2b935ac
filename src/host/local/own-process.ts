import { startTokenOf } from "./process-scan.ts";

/** This process by a name no other ever has; undefined where the system does not tell. */
export function ownProcess(): string | undefined {
  return nameOf(process.pid);
}

/** Whether the process of such a name runs, as far as this one can see. */
export function isRunningProcess(name: string): boolean {
  return nameOf(Number(name.split("/")[0])) === name;
}

function nameOf(pid: number): string | undefined {
  const token = startTokenOf(pid);
  return token === undefined ? undefined : `${pid}/${token}`;
}
