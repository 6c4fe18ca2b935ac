import { readlinkSync } from "node:fs";
import { startTokenOf } from "./process-scan.ts";

/** This process by a name no other ever has; undefined where the system does not tell. */
export function ownProcess(): string | undefined {
  return nameOf(process.pid);
}

/** Whether the process of such a name runs; undefined where it counts processes elsewhere, as in another container. */
export function isRunningProcess(name: string): boolean | undefined {
  const [pid, boot, , space] = name.split("/");
  const own = ownProcess()?.split("/");
  if (own?.[1] === boot && own?.[3] !== space) return undefined;
  return nameOf(Number(pid)) === name;
}

function nameOf(pid: number): string | undefined {
  const token = startTokenOf(pid);
  return token === undefined ? undefined : `${pid}/${token}/${processSpace()}`;
}

/** What the numbers of processes that this one sees belong to. */
function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/gu, "");
  } catch {
    return "";
  }
}
