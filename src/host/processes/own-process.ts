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

/** How the tokens of drafts begin that the process of such a name wrote: its number, in six hexadecimal digits. */
export function draftMarkOf(name: string): string {
  const [pid = ""] = name.split("/");
  return draftMark(Number(pid));
}

/** The same of this process. */
export function ownDraftMark(): string {
  return draftMark(process.pid);
}

function draftMark(pid: number): string {
  return (pid % 0x100_0000).toString(16).padStart(6, "0");
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
